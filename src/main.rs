//! The `arsg` binary: everything is in the library.

fn main() -> std::process::ExitCode {
    arsg::cli::run()
}
