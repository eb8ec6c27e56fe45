//! The domain's vocabulary: what a grammar may speak of.
//!
//! A schema declares the sets of the paper's grammar tuple: domain relations (DRE, the
//! non-terminals), domain concepts (KCP), rhetorical relations (RRE) and attributes (AT), with the
//! start symbol (RS). It also holds the domain's cue words by class. Schemas are TOML files; see
//! `docs/formats.md`. Names may be Latin or Chinese. A schema may stand on another, of which it takes
//! over what it does not say itself.

mod embedded;
mod listing;
mod load;
mod reading;

use std::collections::HashMap;
use std::sync::Arc;

pub use embedded::{embedded_schema, embedded_schema_names};
pub(crate) use embedded::{is_shipped_name, unknown_name};
pub use listing::Listing;
pub use load::Loaded;
pub(crate) use load::is_name;
pub(crate) use reading::key;

use crate::diagnostic::{Place, Source};
use crate::named::named_enum;

/// A loaded schema. Everything keeps the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// The domain's name, `finance`.
    pub name: String,
    /// The language of its texts, `zh`.
    pub language: String,
    /// The start symbol RS: an index into `relations`.
    pub start: RelationId,
    /// How its texts are cut into EDUs where no grammar has rules for it.
    pub segmentation: Segmentation,
    /// Domain relations (DRE): the symbols that stand on nodes.
    pub relations: Vec<Relation>,
    /// Domain concepts (KCP).
    pub concepts: Vec<Concept>,
    /// Rhetorical relations (RRE).
    pub rhetoric: Vec<Rhetoric>,
    /// Attributes (AT).
    pub attributes: Vec<Attribute>,
    /// Cue words by class.
    pub cues: Vec<CueClass>,
    /// The content hash of the files it was read from.
    pub hash: String,
    /// The files it was read from: its own first, then those it stands on.
    pub sources: Vec<Arc<Source>>,
    names: HashMap<String, Name>,
}

named_enum! {
    /// How texts are cut into EDUs where no grammar has rules for it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Segmentation {
        /// Every mark between clauses cuts, but for one word or two of introduction (但是，).
        #[default]
        Clauses = "clauses",
        /// The paper's scan by components: every EDU carries a predicate. What carries none goes with
        /// the clause it introduces (2019年9月1日，) or ends (，共12人。).
        Predicates = "predicates",
    }
}

/// Index of a domain relation in its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RelationId(pub u32);

/// Index of a rhetorical relation in its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RhetoricId(pub u32);

impl RhetoricId {
    /// The relation at that place of the schema's list.
    pub fn new(index: usize) -> RhetoricId {
        RhetoricId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its place in the schema's list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A domain relation: a state or a change of domain concepts. The non-terminals of the grammar.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Its name in grammars.
    pub name: String,
    /// The more general relation it is a kind of.
    pub parent: Option<RelationId>,
    /// -1 bad, 0 neutral, 1 good.
    pub polarity: i8,
    /// Words and phrases that make an EDU's leaf this symbol.
    pub triggers: Vec<String>,
    /// Forms of an EDU that make its leaf this symbol, whatever its words.
    pub forms: Vec<Form>,
    /// Whether its triggers are states of lexical cores; its kinds follow it unless they say.
    pub core: bool,
    /// Which component of a core its grammatical subject fills; its kinds follow it unless they
    /// say. 股价上涨: what rises is the object.
    pub subject: ConceptKind,
    /// A line for people.
    pub doc: Option<String>,
    /// Where it is declared.
    pub place: Option<Place>,
}

named_enum! {
    /// What an EDU looks like, for leaf symbols that do not depend on words.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Form {
        /// The text of a heading.
        Heading = "heading",
        /// An item of a list.
        ListItem = "list-item",
        /// A quoted block.
        Quote = "quote",
        /// Ends in a question mark.
        Question = "question",
        /// Ends in a speech verb, with or without a comma or colon: 他表示，
        Speech = "speech",
        /// Ends in a colon.
        Colon = "colon",
        /// Has no verb.
        Fragment = "fragment",
        /// Anything else.
        Clause = "clause",
    }
}

/// A domain concept: who or what the relations are about.
#[derive(Debug, Clone)]
pub struct Concept {
    /// Its name in grammars.
    pub name: String,
    /// Whether it acts or is acted upon.
    pub kind: ConceptKind,
    /// The words that name it.
    pub words: Vec<String>,
    /// Where it is declared.
    pub place: Option<Place>,
}

named_enum! {
    /// The component of a lexical core that a concept's words can fill.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ConceptKind {
        /// Who acts, or owns what changes: 央行, 美国, 公司.
        Agent = "agent",
        /// What changes: 利率, 出口, 营业收入.
        Object = "object",
    }
}

/// A rhetorical relation.
#[derive(Debug, Clone)]
pub struct Rhetoric {
    /// Its name: `causal-cause`.
    pub name: String,
    /// Nucleus and satellite, or several nuclei.
    pub kind: RhetoricKind,
    /// The coarse class it belongs to: `causal`.
    pub class: String,
    /// Cue classes that speak for it.
    pub cues: Vec<String>,
    /// Where it is declared.
    pub place: Option<Place>,
}

named_enum! {
    /// Whether a rhetorical relation joins a nucleus with a satellite or nuclei with each other.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum RhetoricKind {
        /// A nucleus and a satellite.
        Rst = "rst",
        /// Nuclei only.
        Multinuc = "multinuc",
    }
}

/// An attribute of nodes.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name in grammars.
    pub name: String,
    /// The type of its values.
    pub value_type: ValueType,
    /// The values a symbol or a set of symbols may take; empty when open.
    pub values: Vec<String>,
    /// Where a leaf gets it from.
    pub leaf: LeafSource,
    /// How an inner node gets it when no equation says so.
    pub synthesis: Synthesis,
    /// Where it is declared.
    pub place: Option<Place>,
}

named_enum! {
    /// The type of an attribute, and of every expression of the grammar language.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum ValueType {
        /// true or false.
        Bool = "bool",
        /// A whole number.
        Int = "int",
        /// A number.
        Float = "float",
        /// A name from a fixed set.
        Symbol = "symbol",
        /// Any text.
        Text = "text",
        /// A point or stretch of time.
        Time = "time",
        /// A set of symbols.
        Set = "set",
    }
}

named_enum! {
    /// Where a leaf gets an attribute from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum LeafSource {
        /// Leaves do not have it; equations make it.
        None = "none",
        /// The polarity of the relation that its trigger names.
        Polarity = "polarity",
        /// The time of its first lexical core.
        Time = "time",
        /// The agents of its cores.
        Agent = "agent",
        /// The objects of its cores.
        Object = "object",
        /// The states of its cores.
        State = "state",
        /// The concepts its words name.
        Concepts = "concepts",
        /// The class of the cue it opens with.
        Cue = "cue",
        /// Its text.
        Text = "text",
    }
}

named_enum! {
    /// How an inner node gets an attribute that no equation sets ("straight forward").
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Synthesis {
        /// From the nucleus, of two nuclei from the left one; from the other where that has none.
        Nucleus = "nucleus",
        /// The greater of both.
        Max = "max",
        /// The smaller of both.
        Min = "min",
        /// The sum of both.
        Sum = "sum",
        /// The union of both sets.
        Union = "union",
        /// It has none.
        None = "none",
    }
}

/// A class of cue words: `because` with 因为, 由于, 鉴于.
#[derive(Debug, Clone)]
pub struct CueClass {
    /// Its name in grammars.
    pub name: String,
    /// The words.
    pub words: Vec<String>,
    /// Those of the words that count behind the subject as well: 公司因此……
    pub after_subject: Vec<String>,
    /// The classes that answer it in the next clause: `but` answers `although`.
    pub answered_by: Vec<String>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// What a declared name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Name {
    /// A domain relation.
    Relation(RelationId),
    /// A concept, by index.
    Concept(usize),
    /// A rhetorical relation.
    Rhetoric(RhetoricId),
    /// An attribute, by index.
    Attribute(usize),
}

impl Schema {
    /// The domain relation of that name.
    pub fn relation(&self, name: &str) -> Option<RelationId> {
        match self.names.get(name) {
            Some(&Name::Relation(id)) => Some(id),
            _ => None,
        }
    }

    /// What a name stands for, if it is declared (relations, concepts, rhetoric and attributes
    /// share one name space; cue classes have their own).
    pub fn lookup(&self, name: &str) -> Option<Name> {
        self.names.get(name).copied()
    }

    /// The rhetorical relation of that name.
    pub fn rhetoric(&self, name: &str) -> Option<&Rhetoric> {
        match self.names.get(name) {
            Some(&Name::Rhetoric(id)) => self.rhetoric_of(id),
            _ => None,
        }
    }

    /// The rhetorical relation of an id.
    pub fn rhetoric_of(&self, id: RhetoricId) -> Option<&Rhetoric> {
        self.rhetoric.get(id.index())
    }

    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        match self.names.get(name) {
            Some(&Name::Attribute(at)) => self.attributes.get(at),
            _ => None,
        }
    }

    /// The cue class of that name.
    pub fn cue(&self, name: &str) -> Option<&CueClass> {
        self.cues.iter().find(|class| class.name == name)
    }

    /// The relation itself and all it is a kind of, nearest first.
    pub fn ancestors(&self, relation: RelationId) -> impl Iterator<Item = RelationId> + '_ {
        std::iter::successors(Some(relation), |id| {
            self.relations.get(id.0 as usize).and_then(|r| r.parent)
        })
    }

    /// True when `relation` is `ancestor` or a kind of it.
    pub fn is_a(&self, relation: RelationId, ancestor: RelationId) -> bool {
        self.ancestors(relation).any(|id| id == ancestor)
    }

    /// The name of a relation.
    pub fn relation_name(&self, relation: RelationId) -> &str {
        self.relations
            .get(relation.0 as usize)
            .map_or("", |r| r.name.as_str())
    }

    /// The same schema with rhetorical relations that it lacks: those of others' trees. What it knows, and
    /// what cannot be added because something else has the name, stays as it is.
    pub fn with_relations(
        mut self,
        names: impl IntoIterator<Item = (Arc<str>, RhetoricKind)>,
    ) -> Schema {
        for (name, kind) in names {
            if self.names.contains_key(&*name) {
                continue;
            }
            let class = self.rhetoric_class(&name).to_owned();
            let id = RhetoricId::new(self.rhetoric.len());
            self.names.insert(name.to_string(), Name::Rhetoric(id));
            self.rhetoric.push(Rhetoric {
                name: name.to_string(),
                kind,
                class,
                cues: Vec::new(),
                place: None,
            });
        }
        self
    }

    /// The coarse class of a rhetorical relation, declared or not: what stands before the first
    /// hyphen or underscore when the schema does not know it.
    pub fn rhetoric_class<'a>(&'a self, name: &'a str) -> &'a str {
        match self.rhetoric(name) {
            Some(rhetoric) => &rhetoric.class,
            None => name.split(['-', '_']).next().unwrap_or(name),
        }
    }
}
