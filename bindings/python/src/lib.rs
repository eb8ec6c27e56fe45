//! The module `arsg._arsg`: the library as Python sees it. What is written in Python stands in
//! `python/arsg`, and what the types are in `python/arsg/_arsg.pyi`.
//!
//! Doc comments of classes and methods are Python's doc strings, and their examples are run by
//! `test.sh`.

// `>>>` is an example of Python here, not a quotation.
#![allow(clippy::doc_lazy_continuation)]
// Methods are called as users of Python expect: `parser.from_edus(...)`.
#![allow(clippy::wrong_self_convention)]

mod errors;
mod grammar;
mod learn;
mod parser;
mod session;
mod texts;
mod tree;
mod waiting;

use pyo3::prelude::*;

/// Reading texts makes many small lists; the allocator is that of the `arsg` command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The compiled part of `arsg`.
#[pymodule]
mod _arsg {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::grammar::{PyGrammar, check, restore_grammar};
    #[pymodule_export]
    use crate::learn::{induce, parseval};
    #[pymodule_export]
    use crate::parser::{PyParser, PyPipe};
    #[pymodule_export]
    use crate::session::PySession;
    #[pymodule_export]
    use crate::texts::{PyModel, cores, embed, segment, summarize};
    #[pymodule_export]
    use crate::tree::{PyNode, PyTree, read_trees, restore_node, restore_tree, trees_from_text};

    /// Runs the `arsg` command with these words, and gives its exit code.
    #[pyfunction]
    fn run_command(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| arsg::cli::run_from(words))
    }

    /// Panics, to test that no panic crosses the border.
    #[pyfunction]
    fn _panic(py: Python<'_>) -> PyResult<()> {
        crate::errors::panic_for_a_test(py)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
