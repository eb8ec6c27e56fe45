//! The stable codes. A code never changes its meaning and is never used again.

use crate::named::named_enum;

named_enum! {
    /// Whether a problem stops the work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Severity {
        /// The input does not validate.
        Error = "error",
        /// The input can be used; somebody should look.
        Warning = "warning",
    }
}

macro_rules! codes {
    ($($code:ident $severity:ident $meaning:literal)*) => {
        named_enum! {
            /// A stable code: a letter for the room (S schema, T text, R trees, G grammar,
            /// A automaton, L labels and learning, E embedding, C cases, P projects), and a number.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[non_exhaustive]
            pub enum Code {
                $(#[doc = $meaning] $code = stringify!($code),)*
            }
        }

        impl Code {
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
    S014 Error   "a base that cannot be read"
    S015 Error   "a schema that stands on itself"
    S016 Warning "the same word in two cue classes"
    S017 Warning "a word to drop that is not there"
    // Grammars: reading them.
    G001 Error   "something is missing or out of place"
    G002 Error   "nested too deep"
    G003 Error   "`==` for `=`"
    G004 Error   "comparisons that chain"
    G005 Error   "a count that is no whole number from 1 on"
    G006 Error   "a weight that is no number"
    G007 Error   "a statement that the language does not have"
    G008 Error   "a full-width mark where a plain one is needed"
    G009 Error   "a text without its closing quote"
    G010 Error   "a number that is too large"
    G011 Error   "a word of the language used as a name"
    // Grammars: the header and modules.
    G012 Error   "a statement of the header given twice"
    G013 Error   "no schema"
    G014 Error   "a file that cannot be read"
    G015 Error   "a file outside the project"
    G016 Error   "a module that uses itself"
    G035 Error   "modules of different schemas or ways to decide"
    // Grammars: names and types.
    G017 Error   "an unknown symbol"
    G018 Error   "an unknown rhetorical relation"
    G019 Error   "an unknown attribute"
    G020 Error   "an unknown function"
    G021 Error   "an unknown node or variable, or one that is not there"
    G022 Error   "a value that the other side can never have"
    G023 Error   "a value of the wrong type"
    G024 Error   "a reason that is neither true nor false"
    G025 Error   "a wrong number of arguments"
    // Grammars: rules.
    G026 Error   "two rules with the same id"
    G027 Error   "an attribute set twice"
    G028 Error   "equations that need each other's values"
    G029 Error   "a production without its rhetorical relation"
    G030 Error   "two satellites"
    G031 Error   "a role that is neither N nor S"
    G032 Error   "a word that is none of the few that fit"
    G033 Error   "an equation for another node than D"
    G034 Error   "an equation for something that is measured"
    G036 Error   "equations where there is nothing to set"
    // Grammars: what somebody should look at.
    G040 Warning "roles that do not fit the relation"
    G041 Warning "the same rule twice"
    G042 Warning "a formula that can never be true"
    G043 Warning "a formula that is always true"
    G044 Warning "a rule that others always win against"
    G045 Warning "a symbol that nothing makes"
    G046 Warning "relations that no production makes"
    G047 Warning "pairs of symbols without a production"
    G048 Warning "something that nothing uses"
    G049 Warning "an attribute that nothing sets"
    G050 Warning "a weight that nobody reads, or none where one is needed"
    G051 Warning "a doc comment that documents nothing"
    G052 Warning "a division by zero"
    G053 Warning "a start symbol that nothing makes"
    G054 Warning "an attribute with the name of a function"
    G055 Warning "a statement that only the grammar's own file may make"
    G056 Error "a strength where none can stand"
    G057 Error "a row that does not fit its table"
    G058 Error "two rows of a table about the same answer"
    G059 Warning "a table that leaves out numbers between its rows"
    G060 Error "a level that a block cannot have"
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
    // Regression cases.
    C001 Error   "a case of which a part is missing or out of place"
    C002 Error   "an attribute that cases do not have"
    C003 Error   "a value that does not fit its attribute"
    C004 Error   "two cases of the same name"
    C005 Error   "a tree that is not one of its text"
    C006 Error   "a relation that the schema does not have"
    // Labels.
    L001 Error   "the file is no label"
    L002 Error   "a line that is no action"
    L003 Warning "a last line that was cut off"
    L004 Error   "an action that cannot be done there"
    L005 Error   "a name that the schema does not have"
    L006 Error   "a reason or an equation that is wrong"
    L007 Warning "a label made with another schema"
    L008 Error   "a label or a tree of another text"
    L009 Warning "a recorded context that is not what is found now"
    // Embeddings.
    E001 Error   "a file of vectors that is damaged"
    E002 Error   "a file of vectors that is cut short"
    E003 Error   "a file that holds something else"
    E004 Error   "a file of vectors of another version"
    E005 Error   "a checkpoint of another training"
    // Projects.
    P001 Error   "the file is not a project's"
    P002 Error   "a key that projects do not have"
    P003 Error   "a path that leads out of the project"
}
