//! The stable codes. A code never changes its meaning and is never used again.

/// Whether a problem stops the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input does not validate.
    Error,
    /// The input can be used; somebody should look.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! codes {
    ($($code:ident $severity:ident $meaning:literal)*) => {
        /// A stable code: a letter for the room (S schema, T text, R trees, G grammar, A automaton,
        /// L labels and learning, E embedding, C cases), and a number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $code,)*
        }

        impl Code {
            /// All codes, in order.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// The code as printed.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code),)* }
            }

            /// Error or warning.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity,)* }
            }

            /// What the code stands for, in one line.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$code => $meaning,)* }
            }
        }
    };
}

codes! {
    // Schemas.
    S001 Error   "the file is not valid TOML"
    S002 Error   "a key that schemas do not have"
    S003 Error   "a required key is missing"
    S004 Error   "a value of the wrong type or out of its range"
    S005 Error   "a parent that is not declared"
    S006 Error   "a cycle in the hierarchy of relations"
    S007 Error   "the same name is declared as two different things"
    S008 Error   "a name that cannot be written in a grammar"
    S009 Error   "a start symbol that is not declared"
    S010 Warning "the same word triggers two symbols"
    S011 Warning "an empty word or phrase"
    S012 Error   "a default that does not fit the attribute's type"
    S013 Error   "a cue class that is not declared"
    // Texts.
    T001 Error   "a record that cannot be read"
    T002 Warning "bytes that are not text in the file's encoding"
    T003 Warning "a record longer than the limit"
    T004 Warning "a record without its end"
    T005 Error   "a document without text"
    T006 Error   "a date that is no date"
    // Trees.
    R001 Error   "the file is not in the format it is read as"
    R002 Error   "bytes that are not text in the file's encoding"
    R003 Error   "nested deeper than can be read"
    R004 Error   "a format that cannot be read or written"
    R005 Error   "a tree without EDUs"
    R006 Error   "an element without an id, or two with the same"
    R007 Error   "a node that cannot be made of its children"
    R008 Warning "a parent that is not there"
    R009 Error   "a node that stands under itself"
    R010 Warning "a group with too few or too many nuclei"
    R011 Warning "a relation or group of unknown type"
    R012 Error   "spans that cross"
    R013 Warning "a span, depth or satellite that does not fit where it stands"
    R014 Warning "a tree without a single root"
    R015 Warning "EDUs without a tree"
    R016 Warning "an EDU without text"
    R017 Warning "nuclei of one node with different relations"
    R018 Warning "an annotation that is not understood"
    R019 Warning "a node without a nucleus"
    R020 Error   "a head that is not there"
    R021 Error   "two trees that cannot be compared"
    R022 Warning "a tree without its partner, or of a different text"
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
