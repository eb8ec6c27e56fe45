//! The loop over the paper's sets, computed by hand, with rules that are nothing but counts.

use std::collections::BTreeMap;

use ndarray::Array2;

use super::*;
use crate::error::Error;
use crate::files;
use crate::select::{Cubes, Grid, GridKind, Space, Strategy};

/// Eight texts by the objects of their cores: two coordinates of the eight (w = 2).
const TEXTS: [(&str, [f32; 2]); 8] = [
    ("甲", [0.0, 0.0]),
    ("乙", [1.0, 0.0]),
    ("丙", [2.2, 0.0]),
    ("丁", [3.5, 0.0]),
    ("戊", [20.0, 0.0]),
    ("己", [4.5, 1.2]),
    ("庚", [18.0, 1.0]),
    ("辛", [12.0, 8.0]),
];
const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;
const D: u32 = 3;
const E: u32 = 4;
const F: u32 = 5;
const G: u32 = 6;
const H: u32 = 7;

const EPSILON: f64 = 1.6;

fn point(object: [f32; 2]) -> [f32; 8] {
    [0.0, 0.0, 0.0, 0.0, object[0], object[1], 0.0, 0.0]
}

fn impacts() -> Array2<f32> {
    let rows: Vec<[f32; 8]> = TEXTS.iter().map(|(_, object)| point(*object)).collect();
    Array2::from(rows)
}

fn ids() -> Vec<String> {
    TEXTS.iter().map(|(id, _)| (*id).to_owned()).collect()
}

/// Cores whose sums are the impacts.
fn cores() -> Vec<Vec<Vec<f32>>> {
    let of = |objects: &[[f32; 2]]| {
        objects
            .iter()
            .map(|object| point(*object).to_vec())
            .collect()
    };
    vec![
        of(&[[-15.0, 0.0], [15.0, 0.0]]),
        of(&[[1.0, 0.0]]),
        of(&[[1.1, 0.0], [1.1, 0.0]]),
        of(&[[3.5, 0.0]]),
        of(&[[0.0, 25.0], [20.0, -25.0]]),
        of(&[[4.5, 1.2]]),
        of(&[[18.0, 1.0]]),
        of(&[[12.0, 0.0], [0.0, 4.0], [0.0, 4.0]]),
    ]
}

/// Rules that break the promise of [`Rules::enhance`].
#[derive(Default)]
struct Growing(RuleCounts);

impl Rules for Growing {
    type Label = Vec<String>;

    fn increase(&mut self, text: &str, label: &Vec<String>) -> Result<()> {
        self.0.increase(text, label)
    }

    fn enhance(&mut self, text: &str, _: u64) -> Result<()> {
        self.0.increase(text, &vec!["新".to_owned()])
    }

    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }

    fn grammar(&mut self) -> Result<String> {
        self.0.grammar()
    }
}

/// Gold labels; those of some texts are missing.
struct Gold {
    missing: Vec<&'static str>,
}

impl LabelSource for Gold {
    type Label = Vec<String>;

    fn label(&mut self, text: &str) -> Result<Answer<Vec<String>>> {
        if self.missing.contains(&text) {
            return Ok(Answer::Waiting);
        }
        let rules = match text {
            "甲" => ["上涨", "上涨", "prefer shift"].to_vec(),
            "戊" => ["prefer shift", "下跌"].to_vec(),
            "辛" => ["持平"].to_vec(),
            "己" => ["上涨", "prefer reduce"].to_vec(),
            "庚" => ["下跌"].to_vec(),
            other => return Err(Error::Missing(format!("nobody should ask for `{other}`"))),
        };
        let label = rules.into_iter().map(str::to_owned).collect();
        // The label of 辛 was not timed.
        let minutes = (text != "辛").then_some(2.5);
        Ok(Answer::Labelled {
            label,
            minutes,
            automatic: false,
        })
    }
}

const ALL: Gold = Gold {
    missing: Vec::new(),
};

fn options(transfer: Transfer) -> LoopOptions {
    LoopOptions {
        epsilon: EPSILON,
        k: 1,
        limit: Limit::Texts(8),
        transfer,
        pick_on: false,
        reach: 0.0,
    }
}

fn counts(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
    of.iter()
        .map(|(rule, count)| ((*rule).to_owned(), *count))
        .collect()
}

fn finished(progress: Progress) -> Row {
    match progress {
        Progress::Round(row) => row,
        other => panic!("{other:?} is no finished round"),
    }
}

#[test]
fn cubes_and_divergences_are_as_computed_by_hand() -> Result<()> {
    let impacts = impacts();
    // The objects' edge is 20 long: cubes of 10. Times, agents and states do not differ.
    let grid = Grid::new(impacts.view(), GridKind::Full, [1, 1, 2, 1])?;
    assert_eq!(grid.edges(), [0.0, 0.0, 20.0, 0.0]);
    let space = Space::new(impacts.view(), &grid, &grid, &cores());
    let cubes: Vec<(&[i32], &[u32])> = space
        .cubes()
        .iter()
        .map(|cube| (&cube.coordinates[4..6], &cube.texts[..]))
        .collect();
    assert_eq!(
        cubes,
        [(&[0, 0][..], &[A, B, C, D, F][..]), (&[1, 0], &[E, G, H])]
    );
    // 甲: cubes -2 and 1. 戊: cubes (0, 2) and (1, -3). 辛: cubes (1, 0), (0, 0), (0, 0).
    let expected = [3.0, 0.0, 0.0, 0.0, 26.0_f64.sqrt(), 0.0, 0.0, 2.0];
    assert_eq!(
        [A, B, C, D, E, F, G, H].map(|text| space.divergence(text)),
        expected
    );
    // One text of each cube; 甲 is drawn with 3 / 3.04, 戊 with 5.10 / 7.11.
    let drawn = |seed| {
        let choices = Cubes::Each(1).choose(&space, seed);
        choices.iter().map(|choice| choice.text).collect::<Vec<_>>()
    };
    let both = (0..100).filter(|seed| drawn(*seed) == [A, E]).count();
    assert!((60..82).contains(&both), "{both}");
    Ok(())
}

#[test]
fn three_rounds_are_as_computed_by_hand() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    for transfer in [Transfer::All, Transfer::Nearest] {
        let rules = RuleCounts::default();
        let mut learner =
            LearningLoop::begin(&ids, impacts.view(), options(transfer), rules, &[A, E])?;
        let row = finished(learner.step(&mut { ALL })?);
        assert_eq!(
            (row.near, row.far, row.labelled, row.minutes),
            (0, 2, 2, Some(5.0))
        );
        assert_eq!(
            *learner.rules().counts(),
            counts(&[("上涨", 2), ("下跌", 1), ("prefer shift", 2)])
        );
        let pairs = |learner: &LearningLoop<'_, RuleCounts>| -> Vec<(u32, u32)> {
            let pairs = learner.division().pairs(EPSILON);
            pairs.iter().map(|pair| (pair.left, pair.right)).collect()
        };

        // Round 1: 乙 is 1 from 甲. The farthest is 辛, 11.3 from 戊.
        assert_eq!(pairs(&learner), [(B, A)]);
        assert_eq!(
            learner.step(&mut { ALL })?,
            Progress::Chosen { near: 1, far: 1 }
        );
        assert_eq!(learner.rounds()[1].chosen, [H]);
        let row = finished(learner.step(&mut { ALL })?);
        assert_eq!(
            (row.labelled, row.human, row.unlabelled, row.minutes),
            (4, 3, 4, None)
        );
        let expected = counts(&[("上涨", 3), ("下跌", 1), ("持平", 1), ("prefer shift", 3)]);
        assert_eq!(*learner.rules().counts(), expected);

        // Round 2: 丙 is 1.2 from 乙, which carries the label of 甲. The farthest is 己, 2.59 from 丙.
        assert_eq!(pairs(&learner), [(C, B)]);
        learner.step(&mut { ALL })?;
        assert_eq!(learner.rounds()[2].near, [(C, A)]);
        assert_eq!(learner.rounds()[2].chosen, [F]);
        finished(learner.step(&mut { ALL })?);
        let mut expected = counts(&[
            ("上涨", 5),
            ("下跌", 1),
            ("持平", 1),
            ("prefer shift", 4),
            ("prefer reduce", 1),
        ]);
        assert_eq!(*learner.rules().counts(), expected);

        // Round 3: 丁 is 1.3 from 丙 and 1.56 from 己. 庚 is what is left.
        assert_eq!(pairs(&learner), [(D, C), (D, F)]);
        learner.step(&mut { ALL })?;
        let round = &learner.rounds()[3];
        assert_eq!(
            (&round.near[..], &round.chosen[..]),
            (&[(D, A)][..], &[G][..])
        );
        let row = finished(learner.step(&mut { ALL })?);
        assert_eq!((row.labelled, row.human, row.unlabelled), (8, 5, 0));
        expected.extend(counts(&[("上涨", 6), ("prefer shift", 5), ("下跌", 2)]));
        if transfer == Transfer::All {
            assert_eq!(row.pairs, 2);
            expected.extend(counts(&[("上涨", 7), ("prefer reduce", 2)]));
        }
        assert_eq!(*learner.rules().counts(), expected);
        assert_eq!(
            row.sizes,
            Sizes {
                productions: 3,
                precedences: 2
            }
        );
        assert_eq!(learner.step(&mut { ALL })?, Progress::AllLabelled);
    }
    Ok(())
}

#[test]
fn the_loop_ends_at_the_limit_and_may_pick_on_behind_it() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let run = |limit, pick_on, representatives: &[u32]| -> Result<(usize, usize, Progress)> {
        let options = LoopOptions {
            limit,
            pick_on,
            ..options(Transfer::All)
        };
        let rules = RuleCounts::default();
        let mut learner =
            LearningLoop::begin(&ids, impacts.view(), options, rules, representatives)?;
        loop {
            match learner.step(&mut { ALL })? {
                Progress::Chosen { .. } | Progress::Round(_) => {}
                end => {
                    let row = learner.rows().last().cloned();
                    let row = row.ok_or_else(|| Error::Missing("no round".to_owned()))?;
                    return Ok((row.human, row.labelled, end));
                }
            }
        }
    };
    let end = Progress::LimitReached;
    assert_eq!(run(Limit::Texts(3), false, &[A, E])?, (3, 4, end.clone()));
    assert_eq!(
        run(Limit::Percent(40.0), false, &[A, E])?,
        (3, 4, end.clone())
    );
    // 丙, 丁 and 己 are still in reach, one after the other.
    assert_eq!(run(Limit::Texts(3), true, &[A, E])?, (3, 7, end.clone()));
    assert_eq!(
        run(Limit::Texts(1), false, &[A, E])?,
        (1, 1, end),
        "not even all representatives"
    );
    Ok(())
}

#[test]
fn behind_the_limit_the_nearest_are_picked_until_enough_have_labels() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let options = LoopOptions {
        epsilon: 1.1,
        limit: Limit::Texts(2),
        reach: 0.75,
        ..options(Transfer::All)
    };
    let rules = RuleCounts::default();
    let mut learner = LearningLoop::begin(&ids, impacts.view(), options, rules, &[A, E])?;
    learner.step(&mut { ALL })?;
    // 乙 is near 甲; then the nearest one at a time: 丙 by 乙, 丁 by 丙, 己 by 丁.
    let mut picked = Vec::new();
    loop {
        match learner.step(&mut { ALL })? {
            Progress::Round(row) => {
                let round = &learner.rounds()[row.round];
                picked.extend(round.near.iter().copied());
            }
            Progress::LimitReached => break,
            other => panic!("{other:?} behind the limit"),
        }
    }
    assert_eq!(picked, [(B, A), (C, A), (D, A), (F, A)]);
    let row = learner.rows().last().cloned();
    assert_eq!(row.map(|row| (row.labelled, row.human)), Some((6, 2)));
    Ok(())
}

#[test]
fn where_nothing_is_near_far_texts_are_labelled_all_the_same() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let options = LoopOptions {
        epsilon: 0.5,
        k: 2,
        limit: Limit::Texts(4),
        ..options(Transfer::All)
    };
    let rules = RuleCounts::default();
    let mut learner = LearningLoop::begin(&ids, impacts.view(), options, rules, &[A, E])?;
    learner.step(&mut { ALL })?;
    assert_eq!(
        learner.step(&mut { ALL })?,
        Progress::Chosen { near: 0, far: 2 }
    );
    assert_eq!(learner.rounds()[1].chosen, [H, F]);
    Ok(())
}

#[test]
fn missing_labels_pause_the_loop_and_say_which() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let rules = RuleCounts::default();
    let all = options(Transfer::All);
    let mut learner = LearningLoop::begin(&ids, impacts.view(), all, rules, &[E, A])?;
    let mut nobody = Gold {
        missing: vec!["甲", "戊"],
    };
    assert_eq!(learner.step(&mut nobody)?, Progress::Waiting(vec![E, A]));
    nobody.missing.pop();
    assert_eq!(learner.step(&mut nobody)?, Progress::Waiting(vec![A]));
    assert!(
        learner.rules().counts().is_empty(),
        "nothing is taken in by halves"
    );
    assert_eq!(finished(learner.step(&mut { ALL })?).labelled, 2);
    Ok(())
}

#[test]
fn enhancement_that_adds_a_rule_is_found_out() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let rules = Growing::default();
    let all = options(Transfer::All);
    let mut learner = LearningLoop::begin(&ids, impacts.view(), all, rules, &[A, E])?;
    learner.step(&mut { ALL })?;
    let error = learner.step(&mut { ALL }).expect_err("a new rule");
    assert!(error.to_string().contains("types of rules"), "{error}");
    Ok(())
}

#[test]
fn a_loop_goes_on_behind_any_step_as_if_it_had_never_stopped() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let all = || options(Transfer::All);
    let mut whole =
        LearningLoop::begin(&ids, impacts.view(), all(), RuleCounts::default(), &[A, E])?;
    let mut steps = 0;
    while !matches!(whole.step(&mut { ALL })?, Progress::AllLabelled) {
        steps += 1;
    }
    for stop in 0..steps {
        let mut first =
            LearningLoop::begin(&ids, impacts.view(), all(), RuleCounts::default(), &[A, E])?;
        for _ in 0..stop {
            first.step(&mut { ALL })?;
        }
        let rounds = first.rounds().to_vec();
        let mut second =
            LearningLoop::go_on(&ids, impacts.view(), all(), RuleCounts::default(), rounds)?;
        while !matches!(second.step(&mut { ALL })?, Progress::AllLabelled) {}
        assert_eq!(
            second.rounds(),
            whole.rounds(),
            "stopped behind step {stop}"
        );
        assert_eq!(second.rows(), whole.rows());
        assert_eq!(second.grammar()?, whole.grammar()?);
    }
    Ok(())
}

#[test]
fn texts_that_come_later_meet_all_labelled_texts() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let all = options(Transfer::All);
    // At first there are all texts but 庚 and 辛; 己 is drawn into the first model.
    let some = impacts.slice(ndarray::s![..6, ..]);
    let mut learner = LearningLoop::begin(
        &ids[..6],
        some,
        all.clone(),
        RuleCounts::default(),
        &[A, E, F],
    )?;
    learner.step(&mut { ALL })?;
    learner.step(&mut { ALL })?;
    let rounds = learner.rounds().to_vec();
    // 乙 is near 甲, 丁 near 己; 丙 is near both of these, and the farthest that is left.
    assert_eq!(rounds[1].near, [(B, A), (D, F)]);
    assert_eq!(rounds[1].chosen, [C]);
    // 庚 is moved beside 己, which was compared with everybody long ago.
    let mut moved = impacts.clone();
    moved
        .row_mut(G as usize)
        .assign(&ndarray::arr1(&point([4.5, 2.0])));
    let mut grown = LearningLoop::go_on(&ids, moved.view(), all, RuleCounts::default(), rounds)?;
    struct Easy;
    impl LabelSource for Easy {
        type Label = Vec<String>;
        fn label(&mut self, _: &str) -> Result<Answer<Vec<String>>> {
            let label = vec!["上涨".to_owned()];
            Ok(Answer::Labelled {
                label,
                minutes: None,
                automatic: false,
            })
        }
    }
    grown.step(&mut Easy)?;
    let pairs = grown.division().pairs(EPSILON);
    let pairs: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(pairs, [(G, F)]);
    grown.step(&mut Easy)?;
    assert_eq!(grown.rounds()[2].near, [(G, F)]);
    assert_eq!(grown.rounds()[2].times, [(F, 1)]);
    assert_eq!(grown.rounds()[2].chosen, [H]);
    Ok(())
}

#[test]
fn a_project_remembers_rolls_back_and_does_again() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let folder = tempfile::tempdir().map_err(|error| Error::write("a folder", error))?;
    let project = LoopFolder::new(folder.path());
    let all = options(Transfer::All);
    assert_eq!(project.settings::<LoopOptions>()?, None);
    project.set_settings(&all)?;
    assert_eq!(project.settings::<LoopOptions>()?, Some(all.clone()));
    let mut learner = LearningLoop::begin(
        &ids,
        impacts.view(),
        all.clone(),
        RuleCounts::default(),
        &[A, E],
    )?;
    let mut told = 0;
    let end = project.run(&mut learner, &mut { ALL }, |_| told += 1)?;
    assert_eq!((end, told), (Progress::AllLabelled, 8));
    let rounds = project.rounds::<Vec<String>>(&ids)?;
    assert_eq!(rounds, learner.rounds());
    let read = |name: &str| files::read_text(&project.path(name));
    let (rows, grammar) = (read("rounds.jsonl")?, read("grammar.arsg")?);
    assert_eq!(rows.lines().count(), 4);
    project.draw(&learner, [1, 9])?;
    assert!(read("rounds/0001.svg")?.contains("Round 1") && read("labels.svg")?.contains("people"));
    assert_eq!(
        grammar,
        "prefer reduce x 2\nprefer shift x 5\n上涨 x 7\n下跌 x 2\n持平 x 1\n"
    );

    assert_eq!(project.roll_back(2)?, 2);
    let rounds = project.rounds(&ids)?;
    assert_eq!(rounds.len(), 2);
    let mut again = LearningLoop::go_on(&ids, impacts.view(), all, RuleCounts::default(), rounds)?;
    project.keep(&mut again)?;
    assert_eq!(read("rounds.jsonl")?.lines().count(), 2);
    project.run(&mut again, &mut { ALL }, |_| {})?;
    assert_eq!(
        (read("rounds.jsonl")?, read("grammar.arsg")?),
        (rows, grammar)
    );

    let lost = project
        .rounds::<Vec<String>>(&ids[1..])
        .expect_err("a text is gone");
    assert!(
        lost.to_string().contains("the corpus has no text `甲`"),
        "{lost}"
    );
    let twice = project.rounds::<Vec<String>>(&[ids.clone(), ids].concat());
    assert!(
        twice
            .expect_err("twins")
            .to_string()
            .contains("two texts have the id")
    );
    Ok(())
}

#[test]
fn pictures_show_every_round() -> Result<()> {
    let (impacts, ids) = (impacts(), ids());
    let all = options(Transfer::All);
    let mut learner =
        LearningLoop::begin(&ids, impacts.view(), all, RuleCounts::default(), &[A, E])?;
    while !matches!(learner.step(&mut { ALL })?, Progress::AllLabelled) {}
    let chart = division_chart(impacts.view(), learner.rounds(), 2);
    let layers: Vec<(&str, usize)> = chart
        .layers
        .iter()
        .map(|layer| (&layer.name[..], layer.points.len()))
        .collect();
    let expected = [
        ("without label (2)", 2),
        ("labelled before (4)", 4),
        ("near (1)", 1),
        ("far (1)", 1),
    ];
    assert_eq!(layers, expected);
    assert_eq!(labels_chart(learner.rows()).layers[0].points[3], (3.0, 8.0));
    assert_eq!(rules_chart(learner.rows()).layers[0].points[3], (5.0, 3.0));
    Ok(())
}
