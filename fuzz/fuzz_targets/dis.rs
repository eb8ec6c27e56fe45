//! Whatever the bytes: dis is read without a panic, and what was read can be written again.
#![no_main]

use arsg::diagnostic::{Renderer, Source};
use arsg::tree::{Format, WriteOptions, decode, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes, "a.dis") else {
        return;
    };
    let found = read(&Source::new("a.dis", text), Some(Format::Dis));
    let _ = Renderer::default().render(&found.diagnostics);
    for tree in &found.trees {
        let once = write(tree, Format::Dis, &WriteOptions::default());
        let again = read(&Source::new("b.dis", once.as_str()), Some(Format::Dis));
        let again: Vec<String> = again
            .trees
            .iter()
            .map(|tree| write(tree, Format::Dis, &WriteOptions::default()))
            .collect();
        assert_eq!(again, [once], "the second time it is the same");
    }
});
