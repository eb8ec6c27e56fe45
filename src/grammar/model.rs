//! What a grammar means: resolved rules, ready to be compiled.
//!
//! The paper's seven-tuple: RS is `start`, DRE, KCP, RRE and AT are in the schema, PPR(AT) are the
//! productions, PF(AT) the preferences. Boundary rules say where an EDU begins,
//! block rules what the lines of a plain text are.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

use super::formula::Formula;
use super::ids;
use super::tables::{Decision, Table};
use crate::diagnostic::Place;
use crate::named::named_enum;
use crate::schema::{RelationId, Rhetoric, RhetoricId, Schema};
use crate::text::structure::LineRole;
use crate::tree::Roles;

/// A grammar with all its modules. Rules keep the order of the files, used files first.
///
/// Read it with [`Grammar::read`], [`Grammar::load`] or [`str::parse`], ask [`Grammar::stats`] about it, write
/// it with [`Grammar::to_text`], and give it to an [`Engine`](crate::Engine).
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    /// `finance`
    pub name: String,
    /// `1.0`
    pub version: Option<String>,
    /// The vocabulary that the rules speak of.
    pub schema: Arc<Schema>,
    /// The schema's path as the file that names it says it.
    pub schema_path: String,
    /// The schema's path from where the grammar was loaded; see [`Grammar::move_to`].
    pub schema_file: std::path::PathBuf,
    /// The start symbol RS; nothing in modules.
    pub start: Option<RelationId>,
    /// How rules decide.
    pub decide: Decide,
    /// What happens where no rule speaks.
    pub fallback: Fallback,
    /// PPR(AT).
    pub productions: Vec<Production>,
    /// PF(AT).
    pub preferences: Vec<Preference>,
    /// Where EDUs begin.
    pub boundaries: Vec<Boundary>,
    /// What the lines of plain texts are.
    pub blocks: Vec<BlockRule>,
    /// Weights by questions and their answers, where weights decide.
    pub tables: Vec<Table>,
    /// The files it was read from, in the order of reading.
    pub modules: Vec<String>,
}

named_enum! {
    /// How rules decide.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Decide {
        /// The most specific pattern whose reason holds; within it, instances add up.
        #[default]
        Counts = "counts",
        /// Every rule whose pattern and reason hold adds its weight.
        Weights = "weights",
    }
}

/// What happens where no rule speaks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fallback {
    /// Shift or reduce, where no preference does.
    pub action: Option<Action>,
    /// The production, where no production fits.
    pub production: Option<Shape>,
}

named_enum! {
    /// What the parser does next.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Action {
        /// Take the next EDU on the stack.
        Shift = "shift",
        /// Join the two topmost nodes.
        Reduce = "reduce",
    }
}

/// How often something was seen: once at least.
pub type Count = NonZero<u64>;

/// A learned log-odds weight: a finite number, so that weights can be ordered and added. Minus zero is
/// zero: one value, one way to write it.
#[derive(Clone, Copy, Default)]
pub struct Weight(f64);

impl Weight {
    /// The number as a weight; nothing for infinity and for what is no number.
    pub fn new(value: f64) -> Option<Weight> {
        value.is_finite().then_some(Weight(value + 0.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Weight {
    fn eq(&self, other: &Weight) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Weight {}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Weight) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Weight) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Debug for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weight({self})")
    }
}

/// As a rule writes it after `w`: `+0.83`.
impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+?}", self.0)
    }
}

named_enum! {
    /// How strongly a written rule speaks where weights decide.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Strength {
        /// Nothing that is learned outvotes it.
        Always = "always",
        /// Outvotes what is learned unless nearly everything else disagrees.
        Strong = "strong",
        /// Tips a close decision.
        Mild = "mild",
        /// The opposite of `always`.
        Never = "never",
    }
}

impl Strength {
    /// The weight it stands for: log-odds, so that `strong` makes something 55 times as likely.
    pub fn weight(self) -> f64 {
        match self {
            Strength::Always => 8.0,
            Strength::Strong => 4.0,
            Strength::Mild => 1.5,
            Strength::Never => -8.0,
        }
    }
}

/// What all rules have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    /// Unique in its grammar; see [`super::ids`].
    pub id: Arc<str>,
    /// True when the id was given with `rule NAME`, false when it was derived.
    pub named: bool,
    /// What its doc comment says.
    pub doc: Option<Arc<str>>,
    /// Where its head is written.
    pub place: Option<Place>,
    /// The number of instances, if it is given; see [`Rule::count`].
    pub count: Option<Count>,
    /// The learned log-odds weight.
    pub weight: Option<Weight>,
    /// How strongly a written rule speaks where weights decide, in words.
    pub strength: Option<Strength>,
    /// The reason Lf, slf or rlf; none is always true.
    pub reason: Option<Formula>,
    /// Where its name is written.
    pub(super) name_place: Option<Place>,
    /// Which statement of which file it was read from.
    pub(super) origin: Option<Origin>,
    /// The modules it was read from, each with the instances it gives: merging counts them once.
    pub(super) shares: Vec<(Arc<str>, Count)>,
}

impl Rule {
    fn derived(id: Arc<str>, reason: Option<Formula>) -> Rule {
        Rule {
            id,
            reason,
            ..Rule::default()
        }
    }

    /// What it adds where weights decide: its weight, or what its strength stands for.
    pub fn pull(&self) -> Option<f64> {
        let weight = self.weight.map(Weight::get);
        weight.or_else(|| self.strength.map(Strength::weight))
    }

    /// Which of the loaded files it was read from, from 0.
    pub fn file(&self) -> Option<usize> {
        self.origin.map(|origin| origin.file)
    }

    /// Where its name is written, or else its head.
    pub(super) fn named_place(&self) -> Option<Place> {
        self.name_place.as_ref().or(self.place.as_ref()).cloned()
    }

    /// The number of instances; a rule without a count has been seen once.
    pub fn count(&self) -> Count {
        self.count.unwrap_or(Count::MIN)
    }
}

/// Where a rule's syntax is: indices into the loaded files and their elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) file: usize,
    pub(super) element: usize,
}

/// A symbol of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// `_`: any symbol. As a parent: the symbol of the nucleus, of two nuclei the left one's.
    Any,
    /// The symbol or a kind of it.
    Symbol(RelationId),
}

impl Pattern {
    /// True when the symbol fits the pattern.
    pub fn matches(self, symbol: RelationId, schema: &Schema) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Symbol(wanted) => schema.is_a(symbol, wanted),
        }
    }

    /// How specific it is: 0 for any, then the depth in the hierarchy. A pattern that matches
    /// only part of what another matches is the more specific one.
    pub fn specificity(self, schema: &Schema) -> u32 {
        match self {
            Pattern::Any => 0,
            Pattern::Symbol(symbol) => schema.ancestors(symbol).count() as u32,
        }
    }

    /// As written.
    pub fn name(self, schema: &Schema) -> &str {
        match self {
            Pattern::Any => "_",
            Pattern::Symbol(symbol) => schema.relation_name(symbol),
        }
    }
}

/// What a production makes of what: `Rise[cause] <- Rise:N Fall:S`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// D; `_` takes the symbol of the nucleus.
    pub parent: Pattern,
    /// The rhetorical relation.
    pub relation: RhetoricId,
    /// A and B.
    pub children: [Pattern; 2],
    /// Their roles.
    pub roles: Roles,
}

/// A production `(ae): D(Lf) <- A(X), B(Y)  n`.
#[derive(Debug, Clone, PartialEq)]
pub struct Production {
    /// Id, count, weight, reason.
    pub rule: Rule,
    /// D, A, B and their roles.
    pub shape: Shape,
    /// The attribute equations ae, in an order in which they can be computed.
    pub equations: Vec<Equation>,
}

impl Production {
    /// A production with the id that its meaning gives it; count and weight are the caller's.
    pub fn new(
        shape: Shape,
        reason: Option<Formula>,
        equations: Vec<Equation>,
        schema: &Schema,
    ) -> Production {
        let id = ids::production_id(&shape, reason.as_ref(), schema);
        Production {
            rule: Rule::derived(id, reason),
            shape,
            equations,
        }
    }

    /// The rhetorical relation it makes.
    pub fn rhetoric<'s>(&self, schema: &'s Schema) -> Option<&'s Rhetoric> {
        schema.rhetoric_of(self.shape.relation)
    }
}

/// `D.time = max(A.time, B.time)`
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The attribute of D, by its index in the schema.
    pub attribute: u32,
    /// Its value.
    pub value: Formula,
}

/// A precedence tuple `(A, B, C, <, slf, p)` or `(A, B, C, >, rlf, p)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// Id, count, weight, reason.
    pub rule: Rule,
    /// Shift or reduce.
    pub action: Action,
    /// A, B and C.
    pub pattern: [Pattern; 3],
}

impl Preference {
    /// A preference with the id that its meaning gives it; count and weight are the caller's.
    pub fn new(
        action: Action,
        pattern: [Pattern; 3],
        reason: Option<Formula>,
        schema: &Schema,
    ) -> Preference {
        let id = ids::preference_id(action, &pattern, reason.as_ref(), schema);
        Preference {
            rule: Rule::derived(id, reason),
            action,
            pattern,
        }
    }
}

/// A rule about where an EDU begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    /// Id, count, weight, reason.
    pub rule: Rule,
    /// True for `boundary`, false for `no boundary`.
    pub cut: bool,
}

impl Boundary {
    /// A boundary rule with the id that its meaning gives it; count and weight are the caller's.
    pub fn new(cut: bool, reason: Option<Formula>, schema: &Schema) -> Boundary {
        let id = ids::boundary_id(cut, reason.as_ref(), schema);
        Boundary {
            rule: Rule::derived(id, reason),
            cut,
        }
    }
}

/// A rule about what a line of a plain text is.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRule {
    /// Id, count, weight, reason.
    pub rule: Rule,
    /// What it speaks for.
    pub role: LineRole,
}

/// Any rule of a grammar.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum AnyRule<'g> {
    /// A production.
    Production(&'g Production),
    /// A preference.
    Preference(&'g Preference),
    /// A boundary rule.
    Boundary(&'g Boundary),
    /// A block rule.
    Block(&'g BlockRule),
}

impl<'g> AnyRule<'g> {
    /// What all rules have.
    pub fn rule(self) -> &'g Rule {
        match self {
            AnyRule::Production(production) => &production.rule,
            AnyRule::Preference(preference) => &preference.rule,
            AnyRule::Boundary(boundary) => &boundary.rule,
            AnyRule::Block(block) => &block.rule,
        }
    }
}

impl Grammar {
    /// All rules: productions, preferences, boundary rules, block rules.
    pub fn rules(&self) -> impl Iterator<Item = AnyRule<'_>> {
        let productions = self.productions.iter().map(AnyRule::Production);
        let preferences = self.preferences.iter().map(AnyRule::Preference);
        let boundaries = self.boundaries.iter().map(AnyRule::Boundary);
        let blocks = self.blocks.iter().map(AnyRule::Block);
        productions
            .chain(preferences)
            .chain(boundaries)
            .chain(blocks)
    }

    /// How boundary rules decide: by weights where any of them has one or there are tables of them, else
    /// by counts, whatever the other rules do. So the rules of one grammar can be carried into another.
    pub fn decides_boundaries(&self) -> Decide {
        let mut tables = self.tables.iter();
        let has_tables = tables.any(|table| table.decision == Decision::Boundary);
        let mut rules = self.boundaries.iter();
        if has_tables || rules.any(|boundary| boundary.rule.pull().is_some()) {
            Decide::Weights
        } else {
            Decide::Counts
        }
    }

    /// How block rules decide: by weights where any of them has one, else by counts, as boundary rules do.
    pub fn decides_blocks(&self) -> Decide {
        let mut rules = self.blocks.iter();
        if rules.any(|block| block.rule.pull().is_some()) {
            Decide::Weights
        } else {
            Decide::Counts
        }
    }

    /// How many rules and rows of tables it has.
    pub fn size(&self) -> usize {
        let rows = self.tables.iter().map(|table| table.rows.len());
        self.rules().count() + rows.sum::<usize>()
    }

    /// The rule of that id.
    pub fn rule(&self, id: &str) -> Option<AnyRule<'_>> {
        self.rules().find(|any| &*any.rule().id == id)
    }

    /// The start symbol: the grammar's own, else the schema's.
    pub fn start(&self) -> RelationId {
        self.start.unwrap_or(self.schema.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_finite_and_has_one_zero() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Weight::new(value), None);
        }
        let [zero, minus_zero, more] = [0.0, -0.0, 0.83].map(|value| Weight::new(value).unwrap());
        assert_eq!(
            (zero, minus_zero.to_string()),
            (minus_zero, "+0.0".to_owned())
        );
        assert!(more > zero && more.get() == 0.83 && more.to_string() == "+0.83");
    }
}
