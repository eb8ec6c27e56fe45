//! Whatever the bytes: a file of vectors is loaded or refused.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use arsg::embed::{Embedder, Impacts, Model};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("arsg-fuzz-{}.safetensors", std::process::id());
    std::env::temp_dir().join(name)
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    std::fs::write(&*FILE, bytes).expect("the temporary folder can be written to");
    if let Ok(model) = Model::load(&FILE) {
        let _ = Embedder::new(model);
    }
    let _ = Impacts::load(&FILE);
});
