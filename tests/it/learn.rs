//! A loop that is killed at any moment goes on, and ends with the same bytes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use arsg::Result;
use arsg::learn::{
    Answer, LabelSource, LearningLoop, Limit, LoopFolder, LoopOptions, Progress, RuleCounts,
};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fixtures::content;

type Done = std::result::Result<(), Box<dyn std::error::Error>>;

/// Labels every text by its number.
struct Gold;

impl LabelSource for Gold {
    type Label = Vec<String>;

    fn label(&mut self, text: &str) -> Result<Answer<Vec<String>>> {
        let number: usize = text.trim_start_matches('文').parse().unwrap_or_default();
        let label = vec![
            format!("规则{}", number % 17),
            format!("规则{}", number % 5),
        ];
        let minutes = Some(0.5);
        Ok(Answer::Labelled {
            label,
            minutes,
            automatic: false,
        })
    }
}

/// Texts around thirty topics.
fn texts() -> (Vec<String>, Array2<f32>) {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let topics = Array2::from_shape_fn((30, 16), |_| random.random_range(-3.0_f32..3.0));
    let impacts = Array2::from_shape_fn((1200, 16), |(text, axis)| {
        topics[(text % 30, axis)] + random.random_range(-0.6_f32..0.6)
    });
    ((0..1200).map(|text| format!("文{text}")).collect(), impacts)
}

/// Goes on with the loop in a folder, or begins it.
fn run(folder: &Path) -> Result<Progress> {
    let (ids, impacts) = texts();
    let project = LoopFolder::new(folder);
    let options = LoopOptions::new(1.1, 4, Limit::Percent(10.0)).pick_on(true);
    project.set_settings(&options)?;
    let rounds = project.rounds(&ids)?;
    let rules = RuleCounts::default();
    let mut learner = if rounds.is_empty() {
        LearningLoop::begin(&ids, impacts.view(), options, rules, &[5, 77, 900])?
    } else {
        LearningLoop::go_on(&ids, impacts.view(), options, rules, rounds)?
    };
    project.run(&mut learner, &mut Gold, |_| {})
}

const FOLDER: &str = "ARSG_TEST_LOOP";

/// Not a test by itself: the program that the test below kills.
#[test]
fn program_to_kill() -> Done {
    if let Some(folder) = std::env::var_os(FOLDER) {
        run(Path::new(&folder))?;
    }
    Ok(())
}

#[test]
fn killed_at_any_moment_the_loop_ends_with_the_same_bytes() -> Done {
    let whole = tempfile::tempdir()?;
    assert_eq!(run(whole.path())?, Progress::LimitReached);
    let expected = content(whole.path());
    assert!(expected.len() > 20, "{} files", expected.len());
    assert!(expected.contains_key("grammar.arsg") && expected.contains_key("rounds.jsonl"));

    let folder = tempfile::tempdir()?;
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut kills, mut rounds) = (0, 0);
    for attempt in 0..60 {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--exact", "learn::program_to_kill"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .spawn()?;
        // Longer and longer, so that it gets somewhere however slow the machine.
        let most = 20 + 15 * attempt;
        std::thread::sleep(Duration::from_millis(random.random_range(5..most)));
        let is_over = child.try_wait()?.is_some();
        child.kill()?;
        child.wait()?;
        if is_over {
            break;
        }
        kills += 1;
        rounds = content(folder.path()).len();
    }
    assert!(
        kills > 2 && rounds > 0,
        "killed {kills} times, {rounds} files"
    );
    assert_eq!(run(folder.path())?, Progress::LimitReached);
    let found = content(folder.path());
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected));
    assert!(found == expected, "the bytes differ");
    Ok(())
}
