//! Everything that goes into the binary may go there: the licences of all dependencies, without a network.

use std::process::Command;

use spdx::{Expression, LicenseReq, Licensee, ParseMode};

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<Licensee> {
    let table: toml::Table = include_str!("../../deny.toml").parse().unwrap();
    let names = table["licenses"]["allow"].as_array().unwrap().iter();
    names
        .map(|name| Licensee::parse(name.as_str().unwrap()).unwrap())
        .collect()
}

/// Whether an expression (`(MIT OR Apache-2.0) AND Unicode-3.0`) can be met by the licences allowed.
/// Old packages write `/` for `OR`.
fn is_met(expression: &str, allowed: &[Licensee]) -> bool {
    let is_allowed = |wanted: &LicenseReq| allowed.iter().any(|licence| licence.satisfies(wanted));
    Expression::parse_mode(expression, ParseMode::LAX)
        .is_ok_and(|expression| expression.evaluate(is_allowed))
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let allowed = ["MIT", "Apache-2.0 WITH LLVM-exception"];
    let allowed = allowed.map(|name| Licensee::parse(name).unwrap());
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND MIT", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0 WITH Classpath-exception-2.0 OR GPL-3.0", false),
        ("Apache-2.0", false),
        ("Nobody-Knows", false),
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
