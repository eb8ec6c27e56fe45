//! Whatever the bytes: documents in JSON are read to the end, and come back as they were written.
#![no_main]

use std::io::Cursor;

use arsg::Document;
use arsg::text::corpus::{Format, Reader};

fn read(bytes: Vec<u8>) -> Vec<Document> {
    let reader = Reader::new(Box::new(Cursor::new(bytes)), "a.jsonl", Some(Format::JsonLines));
    reader.map_or(Vec::new(), |reader| reader.flatten().collect())
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for document in read(bytes.to_vec()) {
        let line = serde_json::to_vec(&document).expect("what was read can be written");
        assert_eq!(read(line), [document]);
    }
});
