//! The fuzz targets on stable: the project's own files, and seeded mutations of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fixtures::project;
use crate::run::succeed;

#[path = "../../fuzz/targets/mod.rs"]
mod targets;

/// Seeds over this size make every round slow and find no more.
const LARGEST: usize = 8 << 10;

/// How many mutations of each target.
fn rounds() -> usize {
    let asked = std::env::var("ARSG_FUZZ_ROUNDS").ok();
    asked.and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

/// Files below some folders with an ending, the small ones.
fn files(folders: &[&Path], ending: &str) -> Vec<Vec<u8>> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let found = arsg::files::find_files(&folders).unwrap().files;
    let found = found
        .iter()
        .filter(|file| file.to_string_lossy().ends_with(ending));
    let read = found.map(|file| std::fs::read(file).unwrap());
    read.filter(|bytes| bytes.len() <= LARGEST).collect()
}

/// What the mutations of a target begin with.
fn seeds(target: &str, made: &Path) -> Vec<Vec<u8>> {
    let own = [Path::new("tests"), Path::new("examples"), made];
    let ending = match target {
        "grammar" | "edit" => ".arsg",
        "schema" => ".toml",
        "sogou" => ".dat",
        "document" => ".jsonl",
        "tree" => ".json",
        "label" => ".label",
        "cases" => ".case",
        "settings" => "arsg.toml",
        "summary" => "summary.json",
        "model" => ".safetensors",
        other => &format!(".{other}"),
    };
    files(&own, ending)
}

/// Files of every kind that the commands write.
fn make_files(folder: &Path) {
    for format in ["rs4", "dis", "rsd", "sexp", "json"] {
        succeed(folder, &["convert", "trees", "out", "--to", format]);
    }
    let text = "{\"id\":\"a\",\"title\":\"降息\",\"text\":\"因为下雨，比赛取消了。\"}\n";
    std::fs::write(folder.join("one.jsonl"), text).unwrap();
    let sogou = "<doc>\n<url>http://a.b/1</url>\n<docno>1</docno>\n<contenttitle>降息</contenttitle>\n<content>央行宣布降息。</content>\n</doc>\n";
    std::fs::write(folder.join("one.dat"), sogou).unwrap();
    let line = ["annotate", "one.jsonl", "--automatic", "--labels", "labels"];
    succeed(folder, &line);
    let (summary, _) = succeed(folder, &["summarize", "one.jsonl", "--json"]);
    std::fs::write(folder.join("summary.json"), summary).unwrap();
    let line = "embed train corpus -o m.safetensors --width 1 --epochs 1 --min-count 3";
    succeed(folder, &line.split(' ').collect::<Vec<_>>());
}

/// Bytes that break readers more often than others.
const TOKENS: [&str; 18] = [
    "\0",
    "\u{1b}",
    "\u{feff}",
    "\u{fffd}",
    "\u{10ffff}",
    "\r\n",
    "\n\n",
    "\"",
    "'",
    "(",
    ")",
    "<",
    "&",
    "{\"",
    "]",
    "18446744073709551616",
    "-1",
    "因为下雨，",
];

/// Some changes at random places.
fn mutate(seed: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(1..8) {
        let at = random.random_range(0..=bytes.len());
        let to = random.random_range(at..=(at + 40).min(bytes.len()));
        match random.random_range(0..6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => {
                let token = TOKENS.choose(random).unwrap();
                bytes.splice(at..at, token.bytes());
            }
            4 => {
                let from = random.random_range(0..=other.len());
                let upto = random.random_range(from..=(from + 200).min(other.len()));
                bytes.splice(at..to, other[from..upto].iter().copied());
            }
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
    bytes
}

#[test]
fn readers_stand_whatever_the_bytes() {
    let folder = project();
    make_files(folder.path());
    let hook = std::panic::take_hook();
    let mut failures = Vec::new();
    std::panic::set_hook(Box::new(|_| {}));
    for (name, target) in targets::TARGETS {
        let seeds = seeds(name, folder.path());
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut inputs = seeds.clone();
        for _ in 0..rounds() {
            if let (Some(seed), Some(other)) =
                (seeds.choose(&mut random), seeds.choose(&mut random))
            {
                inputs.push(mutate(seed, other, &mut random));
            }
        }
        if seeds.is_empty() {
            failures.push(format!("{name}: there are no seeds"));
        }
        for input in inputs {
            if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
                failures.push(format!("{name}: {}", input.escape_ascii()));
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
