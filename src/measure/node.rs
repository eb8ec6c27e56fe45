//! Who can be asked about.

/// The nodes that a rule can speak of, the words around a gap, and the lines of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// The node below the top of the stack: left child of a production.
    A,
    /// The top of the stack: right child of a production.
    B,
    /// The next EDU of the input.
    C,
    /// The parent that a production makes; in equations, and in queries the node that is looked for.
    D,
    /// The node below A.
    S,
    /// The EDU after C.
    E,
    /// The second word before the gap, or the second line above.
    Prev2,
    /// The word before the gap, or the line above.
    Prev,
    /// The word after the gap, or the line below.
    Next,
    /// The second word after the gap, or the second line below.
    Next2,
    /// The line that a block rule is about.
    Line,
    /// The node above D; in queries over trees only.
    Parent,
    /// The other child of D's parent; in queries over trees only.
    Sibling,
}

impl Node {
    /// All, as they are written.
    pub const ALL: &[(&str, Node)] = &[
        ("A", Node::A),
        ("B", Node::B),
        ("C", Node::C),
        ("D", Node::D),
        ("S", Node::S),
        ("E", Node::E),
        ("prev2", Node::Prev2),
        ("prev", Node::Prev),
        ("next", Node::Next),
        ("next2", Node::Next2),
        ("line", Node::Line),
        ("parent", Node::Parent),
        ("sibling", Node::Sibling),
    ];

    /// The node of that name.
    pub fn find(name: &str) -> Option<Node> {
        let found = Node::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, node)| *node)
    }

    /// As written.
    pub fn as_str(self) -> &'static str {
        let found = Node::ALL.iter().find(|(_, node)| *node == self);
        found.map_or("", |(name, _)| *name)
    }

    /// True for words and lines, which have no attributes.
    pub fn is_word(self) -> bool {
        matches!(
            self,
            Node::Prev2 | Node::Prev | Node::Next | Node::Next2 | Node::Line
        )
    }

    /// True where it may be missing: the stack may hold no more than A and B, and the text may end.
    pub fn may_be_missing(self) -> bool {
        !matches!(self, Node::A | Node::B | Node::D | Node::Line)
    }
}
