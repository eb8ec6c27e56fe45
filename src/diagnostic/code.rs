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
    // Texts.
    T001 Error   "a record that cannot be read"
    T002 Warning "bytes that are not text in the file's encoding"
    T003 Warning "a record longer than the limit"
    T004 Warning "a record without its end"
    T005 Error   "a document without text"
    T006 Error   "a date that is no date"
    // Embeddings.
    E001 Error   "a file of vectors that is damaged"
    E002 Error   "a file of vectors that is cut short"
    E003 Error   "a file that holds something else"
    E004 Error   "a file of vectors of another version"
    E005 Error   "a checkpoint of another training"
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
