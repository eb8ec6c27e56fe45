//! The lines of a text, as block rules see them.

use super::node::Node;
use crate::schema::Schema;
use crate::text::lines::{Line, LineNumbering, Lines};
use crate::text::structure::{LineKind, LineRole};

/// The lines of a text, with what the lines above have been found to be.
#[derive(Debug)]
pub struct Page<'t> {
    lines: &'t Lines<'t>,
    schema: &'t Schema,
    /// What the lines so far are.
    roles: Vec<LineRole>,
    /// The nearest heading above: its line and level. The title does not count.
    above: Option<(usize, u8)>,
    /// A step stands above, below the nearest heading.
    step_above: bool,
}

impl<'t> Page<'t> {
    /// A text of which nothing is known yet.
    pub fn new(lines: &'t Lines<'t>, schema: &'t Schema) -> Page<'t> {
        Page {
            roles: Vec::with_capacity(lines.lines.len()),
            lines,
            schema,
            above: None,
            step_above: false,
        }
    }

    /// The line whose turn it is; nothing behind the last one.
    pub fn here(&self) -> Option<LineAt<'_>> {
        let at = self.roles.len();
        (at < self.lines.lines.len()).then_some(LineAt { page: self, at })
    }

    /// Says what the line is whose turn it is.
    pub fn decide(&mut self, role: LineRole) {
        if role.kind == LineKind::Heading {
            self.step_above = false;
            if role.level > 0 {
                self.above = Some((self.roles.len(), role.level));
            }
        } else if let Some(line) = self.lines.lines.get(self.roles.len()) {
            self.step_above |= line.numbering == LineNumbering::Bare;
        }
        self.roles.push(role);
    }

    /// What the lines are.
    pub fn into_roles(self) -> Vec<LineRole> {
        self.roles
    }
}

/// One line among the others.
#[derive(Debug, Clone, Copy)]
pub struct LineAt<'p> {
    page: &'p Page<'p>,
    pub(super) at: usize,
}

impl<'p> LineAt<'p> {
    /// The schema of the grammar that asks.
    pub fn schema(&self) -> &'p Schema {
        self.page.schema
    }

    /// The line at a place around this one, and its number.
    pub fn asked(&self, node: Node) -> Option<(&'p Line, usize)> {
        let at = match node {
            Node::Prev2 => self.at.checked_sub(2)?,
            Node::Prev => self.at.checked_sub(1)?,
            Node::Line => self.at,
            Node::Next => self.at + 1,
            Node::Next2 => self.at + 2,
            _ => return None,
        };
        Some((self.line(at)?, at))
    }

    /// All lines.
    pub(super) fn lines(&self) -> &'p Lines<'p> {
        self.page.lines
    }

    /// A line by its number.
    pub(super) fn line(&self, number: usize) -> Option<&'p Line> {
        self.page.lines.lines.get(number)
    }

    /// What a line above was found to be.
    pub(super) fn role(&self, number: usize) -> Option<LineRole> {
        self.page.roles.get(number).copied()
    }

    /// True when a step stands above, below the nearest heading.
    pub(super) fn has_step_above(&self) -> bool {
        self.page.step_above
    }

    /// The level of the nearest heading above, and the heading.
    pub(super) fn heading_above(&self) -> Option<(u8, &'p Line)> {
        let (at, level) = self.page.above?;
        Some((level, self.line(at)?))
    }
}
