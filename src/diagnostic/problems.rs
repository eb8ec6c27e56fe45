//! The problems of one source, as a reader finds them.

use std::ops::Range;
use std::sync::Arc;

use super::{Code, Diagnostic, Place, Source, any_error};

/// A source that is being read, and what is wrong with it so far.
#[derive(Debug)]
pub(crate) struct Problems {
    source: Arc<Source>,
    found: Vec<Diagnostic>,
}

impl Problems {
    /// No problems yet.
    pub(crate) fn new(source: &Arc<Source>) -> Problems {
        Problems::with(source, Vec::new())
    }

    /// Goes on with what was found before.
    pub(crate) fn with(source: &Arc<Source>, found: Vec<Diagnostic>) -> Problems {
        Problems {
            source: Arc::clone(source),
            found,
        }
    }

    /// The source.
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// A stretch of the source.
    pub(crate) fn place(&self, at: impl Into<Range<usize>>) -> Place {
        Place::new(&self.source, at.into())
    }

    /// Adds a problem with a stretch of the source. The caller can say more about it: a help, a
    /// related place.
    pub(crate) fn report(
        &mut self,
        code: Code,
        at: impl Into<Range<usize>>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let place = self.place(at);
        report(&mut self.found, Diagnostic::new(code, message).at(place))
    }

    /// Adds a problem that is complete.
    pub(crate) fn push(&mut self, problem: Diagnostic) {
        self.found.push(problem);
    }

    /// True when nothing is wrong, and nobody has to look.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// True when any of the problems is an error.
    pub(crate) fn any_error(&self) -> bool {
        any_error(&self.found)
    }

    /// All problems, in the order in which they were found.
    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.found
    }
}

/// Adds a problem to a list. The caller can say more about it.
pub(crate) fn report(found: &mut Vec<Diagnostic>, problem: Diagnostic) -> &mut Diagnostic {
    let at = found.len();
    found.push(problem);
    &mut found[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_can_be_added_to_after_it_was_reported() {
        let source = Source::new("a.toml", "股价 = 上涨");
        let mut problems = Problems::new(&source);
        assert!(problems.is_empty());
        problems.report(Code::S010, 0..6, "twice");
        assert!(!problems.any_error(), "a warning is no error");
        problems.report(Code::S004, 9..15, "no value").help = Some("use quotes".to_owned());
        assert!(problems.any_error());
        let found = problems.into_vec();
        assert_eq!(found[0].help, None);
        assert_eq!(found[1].help.as_deref(), Some("use quotes"));
        let place = found[1].place.as_ref();
        assert_eq!(place.map(Place::text), Some("上涨"));
    }
}
