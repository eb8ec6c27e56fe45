//! Whatever the bytes: a SogouCA file is read to its end, and what comes out can be cut into EDUs.
#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use arsg::schema::embedded_schema;
use arsg::text::Analyzer;
use arsg::text::corpus::{Format, Reader};

static ANALYZER: LazyLock<Analyzer> =
    LazyLock::new(|| Analyzer::new(&embedded_schema("finance").expect("it ships")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let input = Box::new(Cursor::new(bytes.to_vec()));
    let Ok(reader) = Reader::new(input, "a.dat", Some(Format::Sogou)) else {
        return;
    };
    for document in reader.flatten() {
        let analysis = ANALYZER.analyze(&document);
        let edus = analysis.edus.iter().map(|edu| edu.range.len()).sum::<usize>();
        let blocks = document.blocks.iter().map(|block| block.range.len()).sum::<usize>();
        assert_eq!(edus, blocks, "EDUs tile the blocks");
    }
});
