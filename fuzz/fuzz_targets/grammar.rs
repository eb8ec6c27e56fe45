//! Whatever the bytes: no panic, and what can be formatted stays what it was.
#![no_main]

use arsg::diagnostic::{Renderer, Source};
use arsg::grammar::{Grammar, Memory, diff, format, merge};

const SCHEMA: &str = include_str!("../../tests/diagnostics/schema.toml");

libfuzzer_sys::fuzz_target!(|text: &str| {
    let files = Memory::new()
        .with("schema.toml", SCHEMA)
        .with("a.arsg", format!("schema \"schema.toml\"\n{text}"));
    if let Ok(loaded) = Grammar::load("a.arsg", &files, None) {
        let diagnostics = loaded.check();
        let _ = Renderer::default().render(&diagnostics);
        let _ = loaded.grammar.stats();
        let written = loaded.grammar.to_text();
        if let Ok(merged) = merge(&[loaded.grammar.clone(), loaded.grammar.clone()]) {
            let _ = diff(&loaded.grammar, &merged).to_markdown();
        }
        let again = Memory::new().with("schema.toml", SCHEMA).with("b.arsg", written.as_str());
        let again = Grammar::load("b.arsg", &again, None).map(|again| again.grammar.to_text());
        assert_eq!(again.ok().as_deref(), Some(written.as_str()));
    }
    let source = Source::new("a.arsg", text);
    match format(&source) {
        Ok(once) => {
            let twice = format(&Source::new("a.arsg", once.as_str()));
            assert_eq!(twice.ok().as_deref(), Some(once.as_str()), "not idempotent");
        }
        Err(arsg::Error::Invalid(_)) => {}
        Err(error) => panic!("{error}"),
    }
});
