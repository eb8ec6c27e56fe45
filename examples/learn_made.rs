//! The whole loop over many impacts with made-up gold labels, for runs at full size:
//!
//!     learn_made IMPACTS.safetensors FOLDER [LIMIT [K [EPSILON [all|nearest]]]]
//!
//! IMPACTS.safetensors comes from `arsg embed impacts`; FOLDER is the project, begun anew or gone on
//! with. A text's gold label is a handful of rules that depend on where its impact lies, so that near
//! texts share most of theirs. Prints a row a round and the seconds it took.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use arsg::Result;
use arsg::embed::Impacts;
use arsg::embed::neighbours::Epsilon;
use arsg::learn::{
    Answer, LabelSource, LearningLoop, LoopFolder, LoopOptions, Progress, Row, RuleCounts, Transfer,
};
use arsg::select::{Cubes, Grid, GridKind, Space, Strategy};

/// Labels that depend on where an impact lies: the largest coordinates of each block.
struct Gold(BTreeMap<String, Vec<String>>);

impl Gold {
    fn new(impacts: &Impacts) -> Gold {
        let rows = impacts.vectors();
        let width = (rows.ncols() / 4).max(1);
        let labels = impacts.ids.iter().zip(rows.rows()).map(|(id, row)| {
            let largest = |(block, cells): (usize, &[f32])| {
                let cells = cells.iter().enumerate();
                let most = cells.max_by(|a, b| a.1.total_cmp(b.1));
                format!("规则-{block}-{}", most.map_or(0, |(at, _)| at))
            };
            let row = row.to_vec();
            let rules = row.chunks(width).enumerate().map(largest);
            (id.clone(), rules.collect())
        });
        Gold(labels.collect())
    }
}

impl LabelSource for Gold {
    type Label = Vec<String>;

    fn label(&mut self, text: &str) -> Result<Answer<Vec<String>>> {
        Ok(match self.0.get(text) {
            Some(label) => Answer::Labelled {
                label: label.clone(),
                minutes: None,
                automatic: false,
            },
            None => Answer::Waiting,
        })
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or(default.to_owned());
    let (Some(path), Some(folder)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: learn_made IMPACTS FOLDER [LIMIT [K [EPSILON [all|nearest]]]]".into());
    };
    let start = Instant::now();
    let impacts = Impacts::load(Path::new(path))?;
    let points = impacts.vectors();
    let project = LoopFolder::new(folder);
    let options = match project.settings::<LoopOptions>()? {
        Some(options) => options,
        None => {
            let limit = given(2, "1000").parse()?;
            let k = given(3, "50").parse()?;
            let epsilon = given(4, "p05").parse::<Epsilon>()?.measure(points, &[]);
            LoopOptions::new(epsilon, k, limit).transfer(match given(5, "all").as_str() {
                "nearest" => Transfer::Nearest,
                _ => Transfer::All,
            })
        }
    };
    project.set_settings(&options)?;
    println!(
        "{:.1} s: {} impacts, {options:?}",
        start.elapsed().as_secs_f64(),
        impacts.len()
    );
    let rounds = project.rounds(&impacts.ids)?;
    let rules = RuleCounts::default();
    let mut learner = if rounds.is_empty() {
        let grid = Grid::new(points, GridKind::Projected { axes: 1 }, [3; 4])?;
        // Without the texts there are no cores at hand: all texts of a cube count the same.
        let space = Space::new(points, &grid, &grid, &Vec::<Vec<Vec<f32>>>::new());
        let choices = Cubes::Each(3).choose(&space, 1);
        let texts: Vec<u32> = choices.iter().map(|choice| choice.text).collect();
        LearningLoop::begin(&impacts.ids, points, options, rules, &texts)?
    } else {
        LearningLoop::go_on(&impacts.ids, points, options, rules, rounds)?
    };
    println!(
        "{:.1} s: the loop begins\n\n{}",
        start.elapsed().as_secs_f64(),
        Row::HEAD.trim_end()
    );
    let mut gold = Gold::new(&impacts);
    let end = project.run(&mut learner, &mut gold, |progress| {
        if let Progress::Round(row) = progress {
            println!(
                "{}  {:.1} s",
                row.line().trim_end(),
                start.elapsed().as_secs_f64()
            );
        }
    })?;
    println!("{:.1} s: {end:?}", start.elapsed().as_secs_f64());
    let last = learner.rows().len().saturating_sub(1);
    project.draw(&learner, [0, 1, 3, last])?;
    Ok(())
}
