//! The statements before the rules, and which file's count where several are read.

use super::embedded::is_on_shelf;
use super::load::Module;
use super::model::{Decide, Grammar};
use super::resolve::Resolver;
use super::syntax::{ItemKind, Word};
use crate::diagnostic::{Code, Place};

/// What one file says for all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Start,
    Decide,
    Action,
    Production,
}

impl Said {
    const ALL: [Said; 4] = [Said::Start, Said::Decide, Said::Action, Said::Production];

    pub(super) fn of(kind: &ItemKind) -> Option<Said> {
        match kind {
            ItemKind::Start(_) => Some(Said::Start),
            ItemKind::Decide(_) => Some(Said::Decide),
            ItemKind::FallbackAction(_) => Some(Said::Action),
            ItemKind::FallbackProduction(_) => Some(Said::Production),
            _ => None,
        }
    }
}

/// Which file speaks for all: the grammar's own, else the last used one that says it.
pub(super) struct Speakers([Option<usize>; 4]);

impl Speakers {
    pub(super) fn of(modules: &[Module]) -> Speakers {
        let says = |module: &Module, said: Said| {
            let mut kinds = module.file.items().map(|item| Said::of(&item.kind));
            kinds.any(|kind| kind == Some(said))
        };
        Speakers(Said::ALL.map(|said| modules.iter().rposition(|module| says(module, said))))
    }

    /// The file whose statement of this kind is read.
    pub(super) fn speaker(&self, kind: &ItemKind) -> Option<usize> {
        self.0.get(Said::of(kind)? as usize).copied().flatten()
    }

    pub(super) fn speaks(&self, module: usize, kind: &ItemKind) -> bool {
        self.speaker(kind) == Some(module)
    }
}

/// The statements before the rules. What the file does not speak for all is looked at all the same, unless
/// the file is shipped: its symbols may be those of another schema.
pub(super) fn read_header(
    resolver: &mut Resolver<'_>,
    module: &Module,
    is_root: bool,
    speaks: &dyn Fn(&ItemKind) -> bool,
    grammar: &mut Grammar,
    decided: &mut Vec<(Decide, Place)>,
) {
    let mut once = Once::default();
    for item in module.file.items() {
        let speaks = speaks(&item.kind);
        let is_looked_at = speaks || !is_on_shelf(&module.path);
        match &item.kind {
            ItemKind::Grammar(name, version) => {
                once.expect_first(resolver, 0, "grammar", name);
                if is_root {
                    grammar.name = name.text.as_ref().to_owned();
                    grammar.version = version.as_ref().map(|v| v.text.as_ref().to_owned());
                }
            }
            ItemKind::Schema(word) => once.expect_first(resolver, 1, "schema", word),
            ItemKind::Start(word) if is_looked_at => {
                once.expect_first(resolver, 2, "start", word);
                let symbol = resolver.resolve_symbol(word);
                if speaks {
                    grammar.start = symbol;
                }
            }
            ItemKind::Decide(word) => {
                once.expect_first(resolver, 3, "decide", word);
                let Some(decide) = resolver.resolve_choice(word) else {
                    continue;
                };
                if speaks {
                    grammar.decide = decide;
                } else {
                    decided.push((decide, resolver.problems.place(word.span)));
                }
            }
            ItemKind::FallbackAction(word) => {
                once.expect_first(resolver, 4, "fallback", word);
                let action = resolver.resolve_action(word);
                if speaks {
                    grammar.fallback.action = action;
                }
            }
            ItemKind::FallbackProduction(production) if is_looked_at => {
                once.expect_first(resolver, 5, "fallback", &production.parent);
                let shape = resolver.resolve_shape(production);
                if speaks {
                    grammar.fallback.production = shape;
                }
            }
            _ => {}
        }
    }
}

/// Statements that a file may make once: the first of each of the six kinds.
#[derive(Default)]
struct Once<'m> {
    first: [Option<&'m Word>; 6],
}

impl<'m> Once<'m> {
    /// Reports a statement of a kind that has been made before.
    fn expect_first(
        &mut self,
        resolver: &mut Resolver<'_>,
        kind: usize,
        what: &str,
        word: &'m Word,
    ) {
        let Some(earlier) = self.first[kind] else {
            self.first[kind] = Some(word);
            return;
        };
        let place = resolver.problems.place(earlier.span);
        let message = format!("a second `{what}`");
        let diagnostic = resolver.problems.report(Code::G012, word.span, message);
        diagnostic.related.push((place, "the first one".to_owned()));
        diagnostic.help = Some("delete one of them".to_owned());
    }
}
