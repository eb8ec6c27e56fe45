//! Whatever the bytes: rs3 and rs4 are read without a panic, and what was read can be written again.
#![no_main]

use arsg::diagnostic::{Renderer, Source};
use arsg::tree::{Format, WriteOptions, decode, draw_svg, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes, "a.rs3") else {
        return;
    };
    let found = read(&Source::new("a.rs3", text), Some(Format::Rs3));
    let _ = Renderer::default().render(&found.diagnostics);
    for tree in &found.trees {
        let _ = draw_svg(tree);
        let once = write(tree, Format::Rs3, &WriteOptions::default());
        let again = read(&Source::new("b.rs3", once.as_str()), Some(Format::Rs3));
        let again: Vec<String> = again
            .trees
            .iter()
            .map(|tree| write(tree, Format::Rs3, &WriteOptions::default()))
            .collect();
        assert_eq!(again, [once], "the second time it is the same");
    }
});
