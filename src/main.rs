//! The `arsg` binary: everything is in the library.

/// Reading texts makes many small lists; `cargo bench --bench text` shows what this saves.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    arsg::cli::run()
}
