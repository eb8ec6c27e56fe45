//! The demo corpus, which ships inside the binary.

use crate::automaton::cases::{Case, read_cases};
use crate::diagnostic::Source;
use crate::error::Result;

macro_rules! events {
    ($($name:literal)*) => {
        /// The files of `examples/demo`: an event each, and texts that stand alone.
        const EVENTS: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../examples/demo/", $name, ".case")))),*
        ];
    };
}

events! {
    "cpi" "fed" "forecast" "housing" "merger" "oil"
    "phones" "rates" "results" "singles" "stocks" "trade"
}

/// All texts of the demo corpus with their gold trees, event after event.
pub fn corpus() -> Result<Vec<Case>> {
    let names: Vec<&str> = EVENTS.iter().map(|(name, _)| *name).collect();
    events(&names)
}

/// The texts of some events of the demo corpus: `cpi`, `oil`, ...
pub fn events(names: &[&str]) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (name, text) in EVENTS.iter().filter(|(name, _)| names.contains(name)) {
        let source = Source::new(format!("<embedded>/examples/demo/{name}.case"), *text);
        for mut case in read_cases(&source).into_result()? {
            case.tree = case.gold();
            cases.push(case);
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_a_tree_over_its_edus() {
        let cases = corpus().unwrap();
        assert_eq!(cases.len(), 78);
        for case in &cases {
            let tree = case.tree.as_ref().unwrap();
            assert_eq!(tree.edus.len(), case.document.edus().count());
            assert!(tree.edus.iter().all(|edu| !edu.text.is_empty()));
        }
        assert!(events(&["cpi"]).unwrap().len() >= 4);
    }
}
