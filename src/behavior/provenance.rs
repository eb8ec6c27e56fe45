//! Which texts a learned rule came from.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use super::example::Example;
use crate::automaton::{Coverage, Engine};

/// A rule and the texts that speak for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The rule's id.
    pub rule: String,
    /// The texts in which it held where what it speaks for was done, and how often.
    pub texts: BTreeMap<String, u64>,
}

/// The texts behind every production, preference and table, in the order of the grammar. Rules learned
/// from a parser's own error states alone have none.
pub fn provenance(engine: &Engine, examples: &[&Example]) -> Vec<Provenance> {
    let grammar = engine.grammar();
    let by_text: Vec<Vec<u64>> = examples
        .par_iter()
        .map(|example| {
            let actions = example.oracle.actions();
            let report = Coverage::of_decisions(&example.text, engine, &actions).report(grammar);
            report.rules.iter().map(|rule| rule.won).collect()
        })
        .collect();
    let boundaries = grammar.productions.len() + grammar.preferences.len();
    let ids = grammar.rules().map(|any| &any.rule().id);
    let tables = grammar.tables.iter().map(|table| &table.rule.id);
    let ids = ids.chain(tables).enumerate();
    // Where EDUs begin and what lines are is not asked of gold trees.
    let of_raw_text = boundaries..boundaries + grammar.boundaries.len() + grammar.blocks.len();
    ids.filter(|(at, _)| !of_raw_text.contains(at))
        .map(|(at, id)| Provenance {
            rule: id.to_string(),
            texts: examples
                .iter()
                .zip(&by_text)
                .filter(|(_, won)| won[at] > 0)
                .map(|(example, won)| (example.id().to_owned(), won[at]))
                .collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::cases::read_cases;
    use crate::behavior::by_trees;
    use crate::diagnostic::Source;
    use crate::schema::embedded_schema;
    use crate::text::Analyzer;

    #[test]
    fn every_instance_of_a_counted_rule_has_its_text() {
        let schema = Arc::new(embedded_schema("finance").unwrap());
        let analyzer = Analyzer::new(&schema);
        let files = [
            include_str!("../../examples/demo/cpi.case"),
            include_str!("../../examples/demo/fed.case"),
            include_str!("../../examples/demo/oil.case"),
        ];
        let cases = files.iter().flat_map(|text| {
            let source = Source::new("demo.case", *text);
            read_cases(&source).into_result().unwrap()
        });
        let examples: Vec<Example> = cases
            .take(12)
            .map(|case| {
                Example::new(case.document, case.tree.unwrap(), &analyzer, &schema).unwrap()
            })
            .collect();
        let all: Vec<&Example> = examples.iter().collect();
        let grammar = by_trees(&all, &schema, 60);
        let engine = Engine::new(grammar.clone());
        let rows = provenance(&engine, &all);
        let rules: Vec<_> = grammar.rules().collect();
        assert_eq!(rows.len(), rules.len());
        let mut texts = 0;
        for (row, any) in rows.iter().zip(&rules) {
            assert_eq!(row.rule, any.rule().id.to_string());
            assert!(row.texts.values().sum::<u64>() <= any.rule().count().get());
            texts = texts.max(row.texts.len());
        }
        assert_eq!(texts, 12, "the most general rule came from all texts");
        let known = |text: &String| all.iter().any(|example| example.id() == text);
        assert!(rows.iter().flat_map(|row| row.texts.keys()).all(known));
    }
}
