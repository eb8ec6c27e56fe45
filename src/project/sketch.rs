//! A grammar of one's own, begun from a handful of trees or from none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::begin::{Begun, write_all};
use super::overlay::Language;
use crate::automaton::cases::{Verdict, read_cases};
use crate::automaton::{Engine, ParseOptions};
use crate::diagnostic::{Source, any_error};
use crate::error::{Error, Result};
use crate::files::Memory;
use crate::grammar::formula::Formula;
use crate::grammar::{Grammar, embedded_files, format, load_tree_value};
use crate::named::named_enum;
use crate::query::{Bank, Hit, Treebank, group, load_asked};
use crate::schema::{RhetoricKind, Segmentation, is_name};
use crate::tree::{Attributes, Edu, Format, NodeId, Roles, Tree, WriteOptions, write};

named_enum! {
    /// What texts a grammar is for: which rules it begins with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Genre {
        /// News: a lead, and paragraphs that add to it.
        News = "news",
        /// Instructions: steps, purposes, warnings.
        Guide = "guide",
        /// Anything else.
        Plain = "plain",
    }
}

/// What a sketch is made by.
#[derive(Debug, Clone)]
pub struct SketchOptions {
    /// The grammar's name.
    pub name: String,
    /// Which rules it begins with.
    pub genre: Genre,
    /// How its texts are cut.
    pub edus: Segmentation,
    /// Relations of its own, besides those of `general`.
    pub relations: Vec<OwnRelation>,
    /// The language of comments.
    pub language: Language,
}

/// A relation that `general` lacks, with the words that open its second part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRelation {
    /// Its name.
    pub name: String,
    /// Whether it joins nuclei.
    pub kind: RhetoricKind,
    /// The words.
    pub words: Vec<String>,
}

impl OwnRelation {
    /// The class of its words.
    fn cue(&self) -> String {
        format!("opens-{}", self.name)
    }

    /// The rule that makes it.
    fn rule(&self) -> String {
        let [left, right] = Roles::usual(self.kind).letters();
        let words = self.words.join("、");
        format!(
            "## {words}……\nrule make-{}\n  _[{}] <- _:{left} _:{right} strong\n  when B.cue = {} and level(A, B) <= sentence\n",
            self.name,
            self.name,
            self.cue()
        )
    }
}

/// A project that was sketched.
#[derive(Debug, Clone)]
pub struct Sketched {
    /// Its folder and files.
    pub begun: Begun,
    /// Rules that the trees gave.
    pub rules: usize,
    /// Relations that the trees have and `general` does not.
    pub relations: Vec<String>,
    /// Trees that became cases, because the sketch gives them at once.
    pub cases: usize,
    /// All trees.
    pub trees: usize,
}

macro_rules! own {
    ($path:literal) => {
        include_str!(concat!("../../examples/sketch/", $path))
    };
}

/// A cue class says something about a relation when trees have it so often ...
const LEAST: usize = 3;
/// ... and in so great a share.
const SHARE: f64 = 0.75;
/// A longer list of rules is no sketch.
const MOST_RULES: usize = 24;

/// Writes a project with a schema, a grammar on top of `general`, cases and a README. Nothing is overwritten.
pub fn sketch(
    folder: &Path,
    options: &SketchOptions,
    trees: Option<&Treebank>,
) -> Result<Sketched> {
    if !is_name(&options.name) {
        return Err(Error::Usage(format!(
            "`{}` cannot be the name of a grammar: begin with a letter, then letters, digits, `-` and `_`",
            options.name
        )));
    }
    let new = trees.map_or_else(Vec::new, new_relations);
    let rules = trees.map_or_else(Vec::new, rules_of_trees);
    let schema = schema_text(options, &new)?;
    let grammar = grammar_text(options, &rules)?;
    let name = &options.name;
    let paths = [
        format!("schemas/{name}.toml"),
        format!("grammars/{name}.arsg"),
    ];
    let engine = engine_of(&paths, &schema, &grammar)?;
    let mut files = vec![
        (
            "arsg.toml".to_owned(),
            own!("arsg.toml").replace("NAME", name),
        ),
        ("texts/today.txt".to_owned(), own!("today.txt").to_owned()),
        (
            format!("cases/{name}.case"),
            first_case(options.genre).to_owned(),
        ),
    ];
    let mut cases = String::new();
    let mut passed = 0;
    for bank in trees.iter().flat_map(|trees| &trees.banks) {
        let file = crate::files::name_for_id(bank.id(), "rs3");
        let text = write(bank.asked.tree(), Format::Rs3, &WriteOptions::default());
        files.push((format!("trees/{file}"), text));
        if let Some(case) = passing_case(bank, &engine) {
            cases.push_str(&case);
            passed += 1;
        }
    }
    if passed > 0 {
        files.push(("cases/from-trees.case".to_owned(), cases));
    }
    let of_trees = trees.map(|trees| (passed, trees.banks.len()));
    files.push(("README.md".to_owned(), readme(options, of_trees)));
    let [schema_path, grammar_path] = paths;
    files.extend([(schema_path, schema), (grammar_path, grammar)]);
    Ok(Sketched {
        begun: write_all(folder, files)?,
        rules: rules.len(),
        relations: new.into_iter().map(|(name, _)| name).collect(),
        cases: passed,
        trees: trees.map_or(0, |trees| trees.banks.len()),
    })
}

fn first_case(genre: Genre) -> &'static str {
    match genre {
        Genre::News => own!("news.case"),
        Genre::Guide => own!("guide.case"),
        Genre::Plain => own!("plain.case"),
    }
}

fn schema_text(options: &SketchOptions, of_trees: &[(String, RhetoricKind)]) -> Result<String> {
    let mut own = String::new();
    let known = crate::schema::embedded_schema("general")?;
    let declared = options
        .relations
        .iter()
        .map(|own| (own.name.as_str(), own.kind));
    let of_trees = of_trees.iter().map(|(name, kind)| (name.as_str(), *kind));
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (name, kind) in declared.chain(of_trees) {
        if known.lookup(name).is_some() || !seen.insert(name) {
            continue;
        }
        let class = known.rhetoric_class(name);
        let _ = write!(
            own,
            "\n[rhetoric.{}]\nkind = \"{}\"\nclass = {class:?}\n",
            key(name),
            kind.as_str()
        );
    }
    for relation in &options.relations {
        let cue = relation.cue();
        let _ = write!(own, "\n[cue.{}]\nwords = {:?}\n", key(&cue), relation.words);
    }
    let text = own!("schema.toml").replace("NAME", &options.name);
    let text = text.replace("\"EDUS\"", &format!("{:?}", options.edus.as_str()));
    Ok(text.replace("RELATIONS\n", &own_or_blank(&own)))
}

/// A name as a part of a heading in TOML.
fn key(name: &str) -> String {
    if name.is_ascii() && is_name(name) {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

fn own_or_blank(own: &str) -> String {
    format!("{own}\n").trim_start_matches('\n').to_owned() + if own.is_empty() { "\n" } else { "" }
}

fn grammar_text(options: &SketchOptions, rules: &[String]) -> Result<String> {
    let name = &options.name;
    let (head, genre, longer, from_trees) = match options.language {
        Language::English => (
            own!("en/head.txt"),
            match options.genre {
                Genre::News => own!("en/news.arsg"),
                Genre::Guide => own!("en/guide.arsg"),
                Genre::Plain => own!("en/plain.arsg"),
            },
            own!("en/predicates.arsg"),
            own!("en/from-trees.txt"),
        ),
        Language::Chinese => (
            own!("zh/head.txt"),
            match options.genre {
                Genre::News => own!("zh/news.arsg"),
                Genre::Guide => own!("zh/guide.arsg"),
                Genre::Plain => own!("zh/plain.arsg"),
            },
            own!("zh/predicates.arsg"),
            own!("zh/from-trees.txt"),
        ),
    };
    let mut text = head.replace("NAME", name);
    let _ = write!(
        text,
        "\ngrammar {name} 1.0\nschema \"../schemas/{name}.toml\"\n"
    );
    text.push_str("use \"general\"\ndecide weights\n\n");
    text.push_str(genre);
    if options.edus == Segmentation::Predicates {
        let _ = write!(text, "\n{longer}");
    }
    for own in &options.relations {
        let _ = write!(text, "\n{}", own.rule());
    }
    if !rules.is_empty() {
        let _ = write!(text, "\n{from_trees}");
        for rule in rules {
            let _ = write!(text, "\n{rule}");
        }
    }
    format(&Source::new(format!("{name}.arsg"), text))
}

/// The sketch as it will stand on disk, ready to parse.
fn engine_of(
    [schema_path, grammar_path]: &[String; 2],
    schema: &str,
    grammar: &str,
) -> Result<Engine> {
    let shipped = embedded_files();
    let files = Memory::over(&shipped)
        .with(schema_path.as_str(), schema)
        .with(grammar_path.as_str(), grammar);
    let loaded = Grammar::load(grammar_path, &files, None)?;
    let found = loaded.check();
    if any_error(&found) {
        return Err(Error::Invalid(found));
    }
    Ok(Engine::new(loaded.into_result()?))
}

/// The relations of trees that `general` lacks.
fn new_relations(trees: &Treebank) -> Vec<(String, RhetoricKind)> {
    // Those that were only found in trees are declared nowhere.
    let new = trees
        .schema
        .rhetoric
        .iter()
        .filter(|known| known.place.is_none());
    new.filter(|known| known.name != crate::tree::UNLABELLED)
        .map(|known| (known.name.clone(), known.kind))
        .collect()
}

/// What a cue goes with: where it stands, its class, and how far apart A and B are.
type Sign = (&'static str, String, bool);

/// Rules that trees bear out: connectives that nearly always go with one relation and its roles.
fn rules_of_trees(trees: &Treebank) -> Vec<String> {
    let mut counts: BTreeMap<Sign, BTreeMap<(String, Roles), usize>> = BTreeMap::new();
    let asked = ["A.cue", "B.cue", "level(A, B)"]
        .map(|asked| load_tree_value(&Source::new("asked", asked), &trees.schema).ok());
    let [Some(cue_of_a), Some(cue_of_b), Some(level)] = asked else {
        return Vec::new();
    };
    for bank in &trees.banks {
        for node in bank.asked.nodes(false) {
            let Some(pair) = bank.asked.tree().node(node).pair() else {
                continue;
            };
            let Some(relation) = &pair.relation else {
                continue;
            };
            let answer = |formula: &Formula| told(bank, node, formula);
            let inside = match answer(&level).as_str() {
                "none" | "enumeration" | "comma" | "semicolon" => true,
                "sentence" => false,
                _ => continue,
            };
            let (a, b) = (answer(&cue_of_a), answer(&cue_of_b));
            let sign: Sign = match (a.as_str(), b.as_str()) {
                ("none", "none") => continue,
                (_, "none") => ("A", a, inside),
                _ => ("B", b, inside),
            };
            let outcome = (relation.to_string(), pair.roles);
            *counts.entry(sign).or_default().entry(outcome).or_default() += 1;
        }
    }
    let new: BTreeSet<String> = new_relations(trees)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let signs = counts.into_iter().filter(|(_, outcomes)| {
        // Relations that `general` lacks have a rule of their own, below.
        !outcomes.keys().any(|(relation, _)| new.contains(relation))
    });
    let mut found: Vec<(usize, String)> = signs.filter_map(rule_of_sign).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(MOST_RULES);
    let rules = found.into_iter().map(|(_, rule)| rule);
    rules
        .chain(new.iter().filter_map(|name| rule_of_relation(trees, name)))
        .collect()
}

/// The rule of a relation that only trees have: where it stands most often there.
fn rule_of_relation(trees: &Treebank, name: &str) -> Option<String> {
    let asked = ["A.cue", "B.cue", "level(A, B)", "roles"];
    let asked = asked.map(|asked| load_asked(asked, trees).ok());
    let [Some(a), Some(b), Some(level), Some(roles)] = asked else {
        return None;
    };
    let mut hits: Vec<Hit> = Vec::new();
    for (tree, bank) in trees.banks.iter().enumerate() {
        for node in bank.asked.nodes(false) {
            if bank
                .asked
                .tree()
                .node(node)
                .relation()
                .is_some_and(|known| **known == *name)
            {
                hits.push(Hit { tree, node });
            }
        }
    }
    let groups = group(trees, &hits, &[a, b, level, roles]);
    let most = groups.first()?;
    let [a, b, level, roles] = most.answers.as_slice() else {
        return None;
    };
    let (left, right) = (roles.get(..1)?, roles.get(1..)?);
    Some(format!(
        "## {} / {}\n_[{name}] <- _:{left} _:{right} mild\n  when A.cue = {a} and B.cue = {b} and level(A, B) = {level}\n",
        most.count,
        hits.len()
    ))
}

fn told(bank: &Bank, node: NodeId, formula: &Formula) -> String {
    let value = formula.evaluate(&bank.asked.facts(node));
    value.map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

fn rule_of_sign(
    ((place, cue, inside), outcomes): (Sign, BTreeMap<(String, Roles), usize>),
) -> Option<(usize, String)> {
    let all: usize = outcomes.values().sum();
    let ((relation, roles), count) = outcomes.iter().max_by_key(|(_, count)| **count)?;
    if *count < LEAST || (*count as f64) < SHARE * all as f64 {
        return None;
    }
    let [left, right] = roles.letters();
    let other = if place == "A" {
        " and B.cue = none"
    } else {
        ""
    };
    let level = if inside {
        "level(A, B) < sentence"
    } else {
        "level(A, B) = sentence"
    };
    let rule = format!(
        "## {count} / {all}\n_[{relation}] <- _:{left} _:{right} mild\n  when {place}.cue = {cue}{other} and {level}\n"
    );
    Some((*count, rule))
}

/// A text as a regression case, where the sketch gives it the tree that it has.
fn passing_case(bank: &Bank, engine: &Engine) -> Option<String> {
    let tree = bank.asked.tree();
    let mut case = format!("===\n{}\n===\n", bank.id());
    let mut block = tree.edus.first()?.block;
    for edu in &tree.edus {
        if edu.block != block {
            case.push('\n');
            block = edu.block;
        }
        let _ = writeln!(case, "{}", edu.text.trim());
    }
    let drawn = write(
        &bare(tree),
        Format::Sexp,
        &WriteOptions::default().binary(true),
    );
    let _ = write!(case, "---\n{drawn}\n");
    let read = read_cases(&Source::new("case", case.as_str()))
        .into_result()
        .ok()?;
    let [one] = read.as_slice() else {
        return None;
    };
    let fits = one.document.edus().count() == tree.edus.len();
    let passes = || matches!(one.run(engine, &ParseOptions::default()), Verdict::Passed);
    (fits && passes()).then_some(case)
}

/// The tree as cases write it: numbers, relations and roles alone.
fn bare(tree: &Tree) -> Tree {
    let mut bare = tree.clone();
    bare.id = None;
    for edu in &mut bare.edus {
        *edu = Edu::default();
    }
    let nodes: Vec<NodeId> = bare.post_order().map(|(id, _)| id).collect();
    for id in nodes {
        let node = bare.node_mut(id);
        node.symbol = None;
        node.attributes = Attributes::default();
        node.decision = None;
        node.fallback = false;
        node.name = None;
    }
    bare
}

fn readme(options: &SketchOptions, trees: Option<(usize, usize)>) -> String {
    let (text, line) = match options.language {
        Language::English => (own!("en/README.md"), "`trees/`"),
        Language::Chinese => (own!("zh/README.md"), "`trees/`"),
    };
    let of_trees = trees.map_or(String::new(), |(passed, all)| match options.language {
        Language::English => format!(
            "| {line} | the {all} trees it was sketched from; {passed} of them are cases already |\n"
        ),
        Language::Chinese => format!("| {line} | {passed} / {all} |\n"),
    });
    text.replace("NAME", &options.name)
        .replace("GENRE", options.genre.as_str())
        .replace("EDUS", options.edus.as_str())
        .replace("TREES\n", &format!("{of_trees}\n"))
}
