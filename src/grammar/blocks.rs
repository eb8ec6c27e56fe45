//! Block rules: what the lines of a plain text are.

use super::ids;
use super::model::{BlockRule, Rule};
use super::resolve::Resolver;
use super::syntax::{RuleItem, Span, Word};
use super::typing::BLOCK;
use crate::diagnostic::Code;
use crate::text::structure::{LineKind, LineRole};

/// Headings go this deep.
const DEEPEST: u8 = 6;

impl Resolver<'_> {
    /// The block rule that a statement says.
    pub(super) fn resolve_block(
        &mut self,
        written: &RuleItem,
        (kind, level, span): (&Word, Option<&Word>, Span),
        rule: Rule,
    ) -> Option<BlockRule> {
        let role = self.resolve_role(kind, level, span);
        let reason = self.resolve_reason(written, BLOCK);
        self.no_equations(written);
        let (role, reason) = (role?, reason?);
        let id = ids::block_id(role, reason.as_ref(), self.vocabulary.schema);
        Some(BlockRule {
            rule: rule.with_reason(reason, id),
            role,
        })
    }

    /// A kind of line, with the level that headings must have.
    fn resolve_role(&mut self, kind: &Word, level: Option<&Word>, span: Span) -> Option<LineRole> {
        let kind: LineKind = self.resolve_choice(kind)?;
        let (message, place, help) = match (kind, level) {
            (LineKind::Heading, None) => (
                "a heading needs its level".to_owned(),
                span,
                "0 is the title, 1 a section: `block heading 1`",
            ),
            (LineKind::Heading, Some(word)) => match word.text.parse() {
                Ok(level) if level <= DEEPEST => return Some(LineRole { kind, level }),
                _ => (
                    format!("`{}` is not a level of headings", word.text),
                    word.span,
                    "levels are 0 (the title) to 6",
                ),
            },
            (_, Some(word)) => (
                format!("a block of kind `{kind}` has no level"),
                word.span,
                "only headings have one; leave it out",
            ),
            (kind, None) => return Some(LineRole { kind, level: 0 }),
        };
        self.problems.report(Code::G060, place, message).help = Some(help.to_owned());
        None
    }
}
