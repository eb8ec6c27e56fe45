//! The machine formats are what their JSON schemas say. `ARSG_UPDATE=1 cargo test` writes the schemas.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use arsg::lexcore::{CoreJson, Extractor};
use arsg::schema::embedded_schema;
use arsg::text::{Analyzer, Document};

/// The schema file says what the code says.
fn in_step(name: &str, generated: &str) -> jsonschema::Validator {
    let path = format!(
        "{}/schemas/json/{name}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    if std::env::var_os("ARSG_UPDATE").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        shipped, generated,
        "run `ARSG_UPDATE=1 cargo test` and look at the change"
    );
    let schema: serde_json::Value = serde_json::from_str(generated).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn documents() {
    let validator = in_step("document", &arsg::text::json_schema());
    let mut document = Document::from_text("a", "央行宣布降息。\n市场上涨。");
    let plain = serde_json::to_value(&document).unwrap();
    assert!(validator.is_valid(&plain), "{plain}");
    Analyzer::new(&embedded_schema("general").unwrap()).segment(&mut document);
    let segmented = serde_json::to_value(&document).unwrap();
    assert!(validator.is_valid(&segmented), "{segmented}");
    assert!(!validator.is_valid(&serde_json::json!({"txt": "央行"})));
}

#[test]
fn cores() {
    let validator = in_step("core", &CoreJson::json_schema());
    let schema = embedded_schema("finance").unwrap();
    let document = Document::from_text("a", "8月份CPI同比上涨2.4%，环比下降0.1%。");
    let analysis = Analyzer::new(&schema).analyze(&document);
    let cores = Extractor::new(&schema).extract(&document, &analysis);
    let lines = CoreJson::of(&document, &cores, &schema);
    assert_eq!(lines.len(), 2);
    for line in lines {
        let value = serde_json::to_value(&line).unwrap();
        assert!(validator.is_valid(&value), "{value}");
    }
}

#[test]
fn tables_of_experiments() {
    let validator = in_step("table", &arsg::experiment::json_schema());
    let mut table = arsg::experiment::Table::new("statistics", "统计", &["", "texts"]);
    table.rows.push(vec!["demo".to_owned(), "78".to_owned()]);
    let value = serde_json::to_value(table.note("两个事件")).unwrap();
    assert!(validator.is_valid(&value), "{value}");
}

#[test]
fn summaries_and_evaluations() {
    use arsg::evaluate::{Judge, Tokens};
    use arsg::summarize::{Options, SummaryJson, Text, summarize};

    let schema = embedded_schema("finance").unwrap();
    let analyzer = Analyzer::new(&schema);
    let mut document = Document::from_text("a", "央行昨日宣布降息。\n沪指大涨。");
    document.title = Some("降息".to_owned());
    let analysis = analyzer.analyze(&document);
    let texts = [Text::new(document, analysis)];
    let summary = summarize(&texts, &Options::default()).unwrap();
    let json = SummaryJson::of(&texts, &summary, &[], &Options::default());
    let value = serde_json::to_value(&json).unwrap();
    let validator = in_step("summary", &arsg::summarize::json_schema());
    assert!(validator.is_valid(&value), "{value}");
    let judge = Judge::new(&texts, &schema, &analyzer, Tokens::Characters, None).unwrap();
    let value = serde_json::to_value(judge.evaluate(&["沪指大涨。"], None).unwrap()).unwrap();
    let validator = in_step("evaluation", &arsg::evaluate::json_schema());
    assert!(validator.is_valid(&value), "{value}");
}
