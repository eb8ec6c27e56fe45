//! Everything that goes into the binary may go there: the licences of all dependencies, without a network.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::process::Command;

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let text = include_str!("../deny.toml");
    let table: toml::Table = text.parse().unwrap();
    let list = table["licenses"]["allow"].as_array().unwrap();
    list.iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// Whether an expression (`(MIT OR Apache-2.0) AND Unicode-3.0`) can be met by the licences allowed.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) && rest.is_empty()
}

fn any(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = all(words, allowed);
    while let Some(("OR", rest)) = words.split_first().map(|(first, rest)| (*first, rest)) {
        *words = rest;
        met |= all(words, allowed);
    }
    met
}

fn all(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while let Some(("AND", rest)) = words.split_first().map(|(first, rest)| (*first, rest)) {
        *words = rest;
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut &[&str], allowed: &[String]) -> bool {
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    *words = rest;
    if *first == "(" {
        let met = any(words, allowed);
        let Some((_, rest)) = words.split_first() else {
            return false;
        };
        *words = rest;
        return met;
    }
    let mut name = (*first).to_owned();
    if let ["WITH", exception, rest @ ..] = *words {
        name = format!("{name} WITH {exception}");
        *words = rest;
    }
    allowed.contains(&name)
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let allowed = ["MIT".to_owned(), "A WITH B".to_owned()];
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND MIT", true),
        ("A WITH B", true),
        ("A WITH C OR GPL-3.0", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

#[test]
fn every_dependency_may_be_used() {
    let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", host.unwrap()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed = allowed();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50);
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !is_met(package["license"].as_str().unwrap_or_default(), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
