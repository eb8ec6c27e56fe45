//! Whatever the bytes: a schema loads without a panic.
#![no_main]

use arsg::diagnostic::{Renderer, Source};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let loaded = arsg::Schema::load(&Source::new("a.toml", text));
    let _ = Renderer::default().render(&loaded.diagnostics);
});
