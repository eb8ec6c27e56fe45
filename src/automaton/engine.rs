//! The engine: a compiled grammar with everything it needs to read a text.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::decide::{Counting, Workspace};
use super::program::{Outcome, Program};
use super::run::{Arena, Decider, State, Step};
use super::search::{Search, count, run};
use super::segment::BoundaryRules;
use super::structure::BlockRules;
use super::{Text, trees};
use crate::error::Result;
use crate::grammar::{Equation, Grammar};
use crate::measure::ParsedSpan;
use crate::schema::Schema;
use crate::setters::setters;
use crate::stopwatch::Stopwatch;
use crate::text::structure::Structure;
use crate::text::{Analyzer, Document};
use crate::tree::{self, Tree};

/// How to parse.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct ParseOptions {
    /// How to choose among what is possible.
    pub search: Search,
    /// How counts of several levels make one probability.
    pub counting: Counting,
    /// How many derivations to give back at most, the most probable first; only a beam finds
    /// more than one. 0 counts as 1.
    pub derivations: usize,
}

setters! {
    ParseOptions {
        search: Search,
        counting: Counting,
        derivations: usize,
    }
}

/// A grammar ready to parse. Built once, shared by threads.
///
/// [`Engine::parse`] does all at once: it [reads](Engine::read) the document (words, EDUs, what formulas
/// ask about) and runs the automaton over the [`Text`]. [`Engine::parse_with`] takes [`ParseOptions`]. A
/// [`Session`](super::Session) goes the same way step by step, an
/// [`Explainer`](super::explain::Explainer) says why each step was taken, and [`Coverage`](super::Coverage)
/// counts which rules speak.
///
/// ```
/// use arsg::automaton::Engine;
/// use arsg::{Document, grammar::embedded_grammar};
///
/// let engine = Engine::new(embedded_grammar("finance")?);
/// let document = Document::from_text("cpi", "8月份CPI同比上涨2.4%，主要是因为猪肉价格上涨。");
/// let parse = engine.parse(&document);
/// assert_eq!(parse.tree().map(|tree| tree.edus.len()), Some(2));
/// # Ok::<(), arsg::Error>(())
/// ```
pub struct Engine {
    pub(super) program: Arc<Program>,
    analyzer: Analyzer,
    blocks: Option<Arc<BlockRules>>,
    hash: Arc<str>,
    /// Workspaces that no thread is using.
    idle: Mutex<Vec<Workspace>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.program.grammar.name)
    }
}

/// What parsing a text gave: a [`Tree`], or several, each with the steps that made it.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The text, measured.
    pub text: Arc<Text>,
    /// The derivations, the most probable first; none for a text without EDUs.
    pub derivations: Vec<Derivation>,
}

impl Parse {
    /// The tree of the most probable derivation.
    pub fn tree(&self) -> Option<&Tree> {
        self.derivations.first().map(|derivation| &derivation.tree)
    }

    /// The tree of the most probable derivation, to keep.
    pub fn into_tree(self) -> Option<Tree> {
        self.derivations.into_iter().next().map(|d| d.tree)
    }
}

/// One way to a complete tree.
#[derive(Debug, Clone)]
pub struct Derivation {
    /// The tree.
    pub tree: Tree,
    /// What was done.
    pub steps: Vec<Step>,
    /// The natural logarithm of the product of the steps' probabilities.
    pub log_probability: f64,
}

impl Derivation {
    /// How sure the grammar was: the mean probability of the steps where there was a choice, as a geometric
    /// mean.
    pub fn confidence(&self) -> f64 {
        let steps = self.steps.iter().filter(|step| !step.forced);
        let choices = steps.count().max(1);
        (self.log_probability / choices as f64).exp()
    }

    /// How many steps no rule covered.
    pub fn fallbacks(&self) -> usize {
        self.steps.iter().filter(|step| step.is_fallback()).count()
    }
}

impl Engine {
    /// Compiles a grammar. Its `block` rules, if it has any, tell what the lines of plain texts are; otherwise
    /// each is a paragraph. Its `boundary` rules, if it has any, segment texts; otherwise the
    /// profile of its schema does.
    pub fn new(grammar: Grammar) -> Engine {
        let watch = Stopwatch::start();
        let rules = grammar.rules().count();
        let grammar = Arc::new(grammar);
        let hash = hash(&grammar);
        let analyzer = match BoundaryRules::new(&grammar) {
            Some(rules) => Analyzer::with_segmenter(&grammar.schema, Box::new(rules)),
            None => Analyzer::new(&grammar.schema),
        };
        let blocks = BlockRules::new(&grammar).map(Arc::new);
        let analyzer = match &blocks {
            Some(rules) => analyzer.with_structurer(Box::new(Arc::clone(rules))),
            None => analyzer,
        };
        let program = Arc::new(Program::new(grammar));
        tracing::info!(rules, took = %watch, "compiled a grammar");
        Engine {
            program,
            analyzer,
            blocks,
            hash,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The same engine, with another way to tell the structure of plain texts.
    pub fn with_structure(mut self, structure: Structure) -> Engine {
        self.analyzer = self.analyzer.with_structure(structure);
        self
    }

    /// The grammar it was made of.
    pub fn grammar(&self) -> &Grammar {
        &self.program.grammar
    }

    /// The grammar's schema.
    pub fn schema(&self) -> &Schema {
        &self.program.grammar.schema
    }

    /// What tells this grammar, with its schema, from any other: the start of a BLAKE3 hash of what
    /// it says, whatever its layout.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The grammar's block rules, which tell what the lines of plain texts are.
    pub fn block_rules(&self) -> Option<&BlockRules> {
        self.blocks.as_deref()
    }

    /// What reads texts into words and EDUs, to keep.
    pub fn into_analyzer(self) -> Analyzer {
        self.analyzer
    }

    /// What reads words and EDUs.
    pub fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// What reductions the grammar knows, in the order of the file.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.program.outcomes
    }

    /// What two nodes become where no production fits.
    pub fn fallback_outcome(&self) -> Outcome {
        self.program.fallback_outcome
    }

    /// Reads and measures a document.
    pub fn read(&self, document: &Document) -> Text {
        let document = &*self.analyzer.structured(document);
        let analysis = self.analyzer.analyze(document);
        Text::new(document, &analysis, self.schema())
    }

    /// Parses a document into its most probable tree.
    pub fn parse(&self, document: &Document) -> Parse {
        self.parse_text(Arc::new(self.read(document)), &ParseOptions::default())
    }

    /// Parses a document.
    pub fn parse_with(&self, document: &Document, options: &ParseOptions) -> Parse {
        self.parse_text(Arc::new(self.read(document)), options)
    }

    /// Parses a measured text. No input, no output, no clock: the same text, grammar and options
    /// give the same trees.
    pub fn parse_text(&self, text: Arc<Text>, options: &ParseOptions) -> Parse {
        let mut decider = self.decider(&text, options.counting);
        let mut arena = Arena::new(&text);
        let states = run(options.search, &mut decider, &mut arena);
        self.give_back(decider.workspace);
        let wanted = options.derivations.max(1);
        let derivations = states.iter().take(wanted).filter_map(|state| {
            let mut tree = match self.build_tree(&text, &arena, state) {
                Ok(tree) => tree,
                // A finished run has its whole tree; anything else is a mistake of ours.
                Err(error) => {
                    tracing::error!(%error, "a finished parse has no tree");
                    debug_assert!(false, "{error}");
                    return None;
                }
            };
            tree.annotations.origin = self.origin(options);
            Some(Derivation {
                tree,
                steps: arena.steps(state),
                log_probability: state.log_probability,
            })
        });
        let derivations = derivations.collect();
        Parse { text, derivations }
    }

    /// What to say where no rule covers a step: which EDUs it joined, and the largest spans that
    /// rules made alone. Nothing when rules made the whole tree.
    pub fn describe_uncovered(&self, parse: &Parse) -> Option<String> {
        let derivation = parse.derivations.first()?;
        let tree = &derivation.tree;
        let steps = derivation.fallbacks();
        let (_, first) = tree.post_order().find(|(_, node)| node.fallback)?;
        // Children stand before their parents.
        let mut covered = vec![false; tree.len()];
        for (id, node) in tree.post_order() {
            let children = node
                .pair()
                .map_or([None; 2], |pair| [Some(pair.left), Some(pair.right)]);
            let below = children
                .iter()
                .flatten()
                .all(|child| covered[child.index()]);
            covered[id.index()] = below && !node.fallback;
        }
        let mut fragments: Vec<tree::EduSpan> = tree
            .post_order()
            .filter(|(id, node)| {
                let parent = node.parent().map(|parent| covered[parent.index()]);
                covered[id.index()] && parent == Some(false)
            })
            .map(|(_, node)| node.span())
            .collect();
        fragments.sort_by_key(|span| (std::cmp::Reverse(span.edus()), *span));
        let shown: Vec<String> = fragments
            .iter()
            .take(SHOWN_FRAGMENTS)
            .map(|s| s.to_string())
            .collect();
        Some(format!(
            "`{}`: no rule covers {steps} of {} steps, the first at EDUs {}; the largest parts that rules made are EDUs {}",
            parse.text.id,
            derivation.steps.len(),
            first.span(),
            shown.join(", ")
        ))
    }

    /// The steps of the most probable derivation, without building a tree: what a program that
    /// counts or scores needs.
    pub fn steps(&self, text: &Text, options: &ParseOptions) -> Vec<Step> {
        let mut decider = self.decider(text, options.counting);
        let mut arena = Arena::new(text);
        let states = run(options.search, &mut decider, &mut arena);
        self.give_back(decider.workspace);
        states
            .first()
            .map_or_else(Vec::new, |state| arena.steps(state))
    }

    /// The equations by which a step made its node.
    pub fn equations(&self, step: &Step) -> &[Equation] {
        self.program
            .equations(step.label.and_then(|label| label.rule))
    }

    /// How many trees are possible at all, whatever their probability; nothing when there are more
    /// than `limit`.
    pub fn count_parses(&self, text: &Text, counting: Counting, limit: usize) -> Option<usize> {
        let mut decider = self.decider(text, counting);
        let found = count(limit, &mut decider, &mut Arena::new(text));
        self.give_back(decider.workspace);
        found
    }

    /// What a result carries of how it was made.
    fn origin(&self, options: &ParseOptions) -> BTreeMap<Arc<str>, Arc<str>> {
        let grammar = self.grammar();
        let version = grammar
            .version
            .as_deref()
            .map_or(String::new(), |v| format!(" {v}"));
        let entries = [
            ("arsg", env!("CARGO_PKG_VERSION").to_owned()),
            ("grammar", format!("{}{version}", grammar.name)),
            ("hash", self.hash.to_string()),
            ("search", options.search.to_string()),
        ];
        entries
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect()
    }

    pub(super) fn decider<'e>(&'e self, text: &'e Text, counting: Counting) -> Decider<'e> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut workspace = idle.unwrap_or_default();
        workspace.names_rows = false;
        Decider {
            program: &self.program,
            text,
            counting,
            workspace,
        }
    }

    /// A decider that names the rows of tables that speak among the rules that fire.
    pub(super) fn naming_decider<'e>(&'e self, text: &'e Text, counting: Counting) -> Decider<'e> {
        let mut decider = self.decider(text, counting);
        decider.workspace.names_rows = true;
        decider
    }

    pub(super) fn give_back(&self, workspace: Workspace) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(workspace);
        }
    }

    /// The tree of a state whose stack holds one node.
    pub(super) fn build_tree(&self, text: &Text, arena: &Arena, state: &State) -> Result<Tree> {
        let steps = arena.steps(state);
        let spans: &[ParsedSpan] = &arena.nodes;
        trees::build_tree(text, spans, &steps, &self.program)
    }
}

/// How many parts of a text are named where rules do not cover it.
const SHOWN_FRAGMENTS: usize = 5;

/// How many hexadecimal digits of a hash are shown.
const HASH_DIGITS: usize = 16;

fn hash(grammar: &Grammar) -> Arc<str> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(grammar.to_text().as_bytes());
    hasher.update(grammar.schema.hash.as_bytes());
    let hex = hasher.finalize().to_hex();
    hex.get(..HASH_DIGITS).unwrap_or_default().into()
}
