//! The machine formats are what their JSON schemas say.

use arsg::lexcore::{CoreJson, Extractor};
use arsg::text::Document;

use crate::fixtures::{Domain, FINANCE, GENERAL};
use crate::golden::json_schema;

#[test]
fn documents() {
    let validator = json_schema("document", &arsg::text::json_schema());
    let mut document = Document::from_text("a", "央行宣布降息。\n市场上涨。");
    let plain = serde_json::to_value(&document).unwrap();
    assert!(validator.is_valid(&plain), "{plain}");
    GENERAL.analyzer.segment(&mut document);
    let segmented = serde_json::to_value(&document).unwrap();
    assert!(validator.is_valid(&segmented), "{segmented}");
    assert!(!validator.is_valid(&serde_json::json!({"txt": "央行"})));
}

#[test]
fn cores() {
    let validator = json_schema("core", &CoreJson::json_schema());
    let document = Document::from_text("a", "8月份CPI同比上涨2.4%，环比下降0.1%。");
    let analysis = FINANCE.analyzer.analyze(&document);
    let cores = Extractor::new(&FINANCE.schema).extract(&document, &analysis);
    let lines = CoreJson::of(&document, &cores, &FINANCE.schema);
    assert_eq!(lines.len(), 2);
    for line in lines {
        let value = serde_json::to_value(&line).unwrap();
        assert!(validator.is_valid(&value), "{value}");
    }
}

#[test]
fn tables_of_experiments() {
    let validator = json_schema("table", &arsg::experiment::json_schema());
    let mut table = arsg::experiment::Table::new("statistics", "统计", &["", "texts"]);
    table.rows.push(vec!["demo".to_owned(), "78".to_owned()]);
    let value = serde_json::to_value(table.note("两个事件")).unwrap();
    assert!(validator.is_valid(&value), "{value}");
}

#[test]
fn digests() {
    use arsg::summarize::digest::{DigestOptions, Digester, Reading, digest};
    let validator = json_schema("digest", &arsg::summarize::digest::json_schema());
    let mut document = Document::from_text("a", "5月6日，澜江新桥通车。\n新桥全长2.8公里。");
    document.title = Some("澜江新桥通车".to_owned());
    document.date = Some(jiff::civil::date(2024, 5, 6));
    let engine = &crate::fixtures::ENGINE;
    let Reading::Pieces(pieces) = Digester::new(engine, &FINANCE.analyzer).read(document, 0) else {
        panic!("it is Chinese");
    };
    let found = digest(pieces, engine, &DigestOptions::default());
    assert_eq!(found.stories.len(), 1);
    let value = serde_json::to_value(&found).unwrap();
    assert!(validator.is_valid(&value), "{value}");
}

#[test]
fn summaries_and_evaluations() {
    use arsg::evaluate::{Judge, Tokens};
    use arsg::summarize::{SourceText, SummaryJson, SummaryOptions, summarize};

    let Domain { schema, analyzer } = &*FINANCE;
    let mut document = Document::from_text("a", "央行昨日宣布降息。\n沪指大涨。");
    document.title = Some("降息".to_owned());
    let analysis = analyzer.analyze(&document);
    let texts = [SourceText::new(document, analysis)];
    let summary = summarize(&texts, &SummaryOptions::default()).unwrap();
    let json = SummaryJson::of(&texts, &summary, &[], &SummaryOptions::default());
    let value = serde_json::to_value(&json).unwrap();
    let validator = json_schema("summary", &arsg::summarize::json_schema());
    assert!(validator.is_valid(&value), "{value}");
    let judge = Judge::new(&texts, schema, analyzer, Tokens::Characters, None).unwrap();
    let value = serde_json::to_value(judge.evaluate(&["沪指大涨。"], None).unwrap()).unwrap();
    let validator = json_schema("evaluation", &arsg::evaluate::json_schema());
    assert!(validator.is_valid(&value), "{value}");
}

#[cfg(feature = "serve")]
#[test]
fn calls_of_the_workbench() {
    let schemas = arsg::serve::json_schemas();
    assert!(schemas.len() > 20);
    for (name, schema) in schemas {
        let validator = json_schema(name, &schema);
        assert!(
            !validator.is_valid(&serde_json::json!({"ask": 3})),
            "{name}"
        );
    }
}
