//! What editors ask about grammars, schemas and cases while they are being written.
//!
//! A [`Workspace`] holds the unsaved texts of open files over those on the disk (or in memory) and answers:
//! what is wrong and how to mend it, what can stand at the cursor, what a word means, where it is declared and
//! used, how it gets another name, how the text is laid out and coloured. Places are byte offsets; nothing is
//! written, edits are handed back. A half-typed statement spoils no answer about the rest of its file.
//!
//! ```
//! use std::path::Path;
//! use arsg::edit::Workspace;
//! use arsg::grammar::Memory;
//!
//! let mut workspace = Workspace::new(Box::new(Memory::new()));
//! let path = Path::new("news.arsg");
//! workspace.open(path, "schema \"general\"\n_[causal-cuase] <- _:S _:N  when A.cue = because\n");
//! let problems = workspace.problems(path);
//! assert_eq!(problems[0].help.as_deref(), Some("did you mean `causal-cause`?"));
//! let fixes = workspace.fixes(path, problems[0].spot.range.clone());
//! assert_eq!(fixes[0].title, "write `causal-cause`");
//! ```

mod cases;
mod colours;
mod complete;
mod declared;
mod fixes;
mod formulas;
mod hints;
mod hover;
mod jump;
mod layout;
mod names;
mod outline;
mod problems;
mod scan;
mod slots;
mod snippets;
mod spoken;
mod workspace;

pub use cases::{CaseRun, ParsedText};
pub use colours::{Colour, Coloured};
pub use complete::Completion;
pub use fixes::{Fix, by_file};
pub use hints::{Does, Hint, Lens};
pub use hover::Hover;
pub use jump::{Edit, Spot, apply};
pub use names::Thing;
pub use outline::Outlined;
pub use problems::{Problem, Weight};
pub use spoken::{RuleSpoken, Spoken};
pub use workspace::{FileKind, Workspace, files_below};
