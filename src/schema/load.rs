//! From a TOML file to a [`Schema`], with every problem found on the way.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::embedded::{embedded_source, is_shipped_name};
use super::reading::{Layer, Reading, Section, Table, Written, giving, key};
use super::{
    Attribute, Concept, ConceptKind, CueClass, LeafSource, Name, Relation, RelationId, Rhetoric,
    RhetoricId, RhetoricKind, Schema, Segmentation, Synthesis, ValueType,
};
use crate::diagnostic::{Code, Diagnostic, Place, Source};
use crate::error::{Error, Result};
use crate::files::sources::{normalize, path_beside};
use crate::files::{Disk, Files, Memory};

/// A schema as far as it could be built, and everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What could be built.
    pub schema: Schema,
    /// All problems, in file order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// The schema, unless it has errors.
    pub fn into_result(self) -> Result<Schema> {
        if crate::diagnostic::any_error(&self.diagnostics) {
            return Err(Error::Invalid(self.diagnostics));
        }
        Ok(self.schema)
    }
}

impl Schema {
    /// Reads a schema from a file on disk.
    pub fn read(path: impl AsRef<Path>) -> Result<Loaded> {
        Schema::open(path, &Disk::default())
    }

    /// Reads a schema, and what it stands on, from any files.
    pub fn open(path: impl AsRef<Path>, files: &dyn Files) -> Result<Loaded> {
        let path = path.as_ref();
        let source = Source::new(path.display().to_string(), files.read(path)?);
        Ok(Schema::load_from(&source, path, files))
    }

    /// Loads a schema from its text. Never fails: what is wrong is in the diagnostics. It may stand on
    /// a shipped schema, on files it cannot: see [`Schema::load_from`].
    pub fn load(source: &Arc<Source>) -> Loaded {
        Schema::load_from(source, Path::new(source.name()), &Memory::new())
    }

    /// Loads a schema from its text, and what it stands on from files. The name of the source is its
    /// path; `root` is the first file of the grammar that asks for it, or else the schema itself: see
    /// [`Files::may_read`].
    pub fn load_from(source: &Arc<Source>, root: &Path, files: &dyn Files) -> Loaded {
        let mut reading = Reading::default();
        let schema = stack(&mut reading, &[], source, &Bases { root, files });
        let mut diagnostics = reading.problems;
        let layer = |place: &Place| {
            let name = place.source().name();
            schema.sources.iter().position(|own| own.name() == name)
        };
        diagnostics.sort_by_key(|d| {
            let place = d.place.as_ref();
            place.map(|place| (layer(place), place.range().start))
        });
        Loaded {
            schema,
            diagnostics,
        }
    }
}

/// How many schemas may stand on each other.
const MAX_LAYERS: usize = 16;

/// Where the files are that schemas stand on.
struct Bases<'f> {
    root: &'f Path,
    files: &'f dyn Files,
}

/// Reads a file on top of those that led to it, then what it stands on, and builds the schema when
/// there is nothing more.
fn stack(
    reading: &mut Reading,
    above: &[Layer<'_>],
    source: &Arc<Source>,
    bases: &Bases<'_>,
) -> Schema {
    let parsed = reading.parse(source);
    let mut layers = above.to_vec();
    layers.push(reading.layer(source, parsed.get_ref()));
    match bases.below(reading, &layers) {
        Some(base) => stack(reading, &layers, &base, bases),
        None => build(reading, &layers),
    }
}

impl Bases<'_> {
    /// The file that the last layer stands on.
    fn below(&self, reading: &mut Reading, layers: &[Layer<'_>]) -> Option<Arc<Source>> {
        let domain = layers.last()?.domain.as_ref()?;
        let base = reading.text(domain, "base")?;
        let found = self.find(reading, &base)?;
        let same = |name: &str| normalize(Path::new(name)) == Path::new(found.name());
        let from = layers.iter().position(|layer| same(layer.source.name()));
        if from.is_none() && layers.len() < MAX_LAYERS {
            return Some(found);
        }
        let (message, help) = match from {
            Some(from) => {
                let circle = layers.iter().skip(from).map(|layer| layer.source.name());
                let circle: Vec<String> = circle
                    .chain([found.name()])
                    .map(|name| format!("`{name}`"))
                    .collect();
                let help = format!("the circle is {}; break it", circle.join(" -> "));
                (format!("`{}` stands on itself", found.name()), help)
            }
            None => (
                format!("schemas stand on each other more than {MAX_LAYERS} deep"),
                "join some of them".to_owned(),
            ),
        };
        reading.report(Code::S015, base.place, message).help = Some(help);
        None
    }

    /// The text of a shipped schema by its name, or of a file by its path from the file that names it.
    fn find(&self, reading: &mut Reading, base: &Written<String>) -> Option<Arc<Source>> {
        let written = &base.value;
        if is_shipped_name(written) {
            let found = embedded_source(written);
            if let Err(error) = &found {
                let message = error.to_string();
                reading.report(Code::S014, base.place.clone(), message).help =
                    Some("a file has an ending: `general.toml`".to_owned());
            }
            return found.ok();
        }
        let path = path_beside(Path::new(base.place.source().name()), written);
        if !self.files.may_read(self.root, &path) {
            let message = format!("`{written}` lies outside the project");
            reading.report(Code::S014, base.place.clone(), message).help =
                Some("move it into the project".to_owned());
            return None;
        }
        match self.files.read(&path) {
            Ok(text) => Some(Source::new(path.display().to_string(), text)),
            Err(error) => {
                let paths = "a path is taken from the folder of the schema that names it; \
                             `general`, without an ending, is the shipped schema";
                reading
                    .report(Code::S014, base.place.clone(), error.to_string())
                    .help = error.help().or(Some(paths.to_owned()));
                None
            }
        }
    }
}

/// The schema that some layers make, the nearest first.
fn build(reading: &mut Reading, layers: &[Layer<'_>]) -> Schema {
    let sections: Vec<&str> = ["domain"].into_iter().chain(Section::NAMES).collect();
    for layer in layers {
        reading.sections(layer, &sections);
    }
    let mut schema = Schema {
        hash: hash(layers),
        sources: layers.iter().map(|l| Arc::clone(l.source)).collect(),
        ..Schema::default()
    };
    let mut written = Vec::new();
    for table in reading.tables(layers, Section::Relation) {
        let (relation, links) = read_relation(reading, &table);
        written.push(links);
        schema.relations.push(relation);
    }
    for table in reading.tables(layers, Section::Concept) {
        schema.concepts.extend(read_concept(reading, &table));
    }
    let mut named_cues = Vec::new();
    for table in reading.tables(layers, Section::Rhetoric) {
        let (rhetoric, cues) = read_rhetoric(reading, &table);
        schema.rhetoric.push(rhetoric);
        named_cues.extend(cues);
    }
    for table in reading.tables(layers, Section::Attribute) {
        schema.attributes.extend(read_attribute(reading, &table));
    }
    let mut cue_words = Vec::new();
    for table in reading.tables(layers, Section::Cue) {
        let (class, answers, words) = read_cue(reading, &table);
        cue_words.extend(words.into_iter().map(|word| (class.name.clone(), word)));
        named_cues.extend(answers);
        schema.cues.push(class);
    }
    schema.names = collect_names(reading, &schema);
    settle_relations(reading, &mut schema, &written);
    check_cues(reading, &schema, &named_cues);
    warn_shared_cues(reading, &cue_words);
    read_domain(reading, layers, &mut schema);
    schema
}

/// The hash of a schema's text; of several files, that of the first and the hash of the others.
fn hash(layers: &[Layer<'_>]) -> String {
    let mut texts = layers.iter().rev().map(|layer| layer.source.text());
    let first = texts.next().unwrap_or_default();
    let start = blake3::hash(first.as_bytes());
    let hash = texts.fold(start, |below, text| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(text.as_bytes());
        hasher.update(below.as_bytes());
        hasher.finalize()
    });
    hash.to_hex().to_string()
}

fn read_domain(reading: &mut Reading, layers: &[Layer<'_>], schema: &mut Schema) {
    let Some(own) = layers.first() else {
        return;
    };
    let Some(domain) = &own.domain else {
        if own.root.get("domain").is_none() {
            let start = Place::new(own.source, 0..0);
            reading
                .report(Code::S003, start, "no `[domain]` table")
                .help = Some("begin the schema with `[domain]` and its name".to_owned());
        }
        return;
    };
    let all = Table::domain(layers);
    let keys = [
        "name",
        "language",
        "start",
        "segmentation",
        "base",
        "inherit",
    ];
    reading.check_table_keys(&all, &keys, "`domain`");
    if let Some(name) = reading.required_text(domain, "name") {
        schema.name = name.value;
    }
    schema.language = match reading.text(&all, "language") {
        Some(language) => language.value,
        None => "zh".to_owned(),
    };
    schema.segmentation = reading
        .choice::<Segmentation>(&all, "segmentation")
        .unwrap_or_default();
    // A start symbol comes with the relations that it is one of.
    let giving = giving(layers, Section::Relation);
    let with_relations = Table::domain(giving);
    let wants_more = |layer: &Layer<'_>| {
        let has_base = layer.domain.as_ref().is_some_and(|own| own.has("base"));
        has_base && layer.takes(Section::Relation)
    };
    if !with_relations.has("start") && giving.last().is_some_and(wants_more) {
        // It may stand in a base that could not be read.
        return;
    }
    let Some(start) = reading.required_text(&with_relations, "start") else {
        return;
    };
    match schema.relation(&start.value) {
        Some(id) => schema.start = id,
        None => report_undeclared(
            reading,
            Code::S009,
            "start symbol",
            &start,
            "relation",
            schema.relations.iter().map(|r| r.name.as_str()),
        ),
    }
}

/// What a relation says that concerns others, as written: parent and triggers with their places,
/// and what it leaves to its parent when it does not say.
struct Links {
    parent: Option<Written<String>>,
    triggers: Vec<Written<String>>,
    core: Option<bool>,
    subject: Option<ConceptKind>,
}

fn read_relation(reading: &mut Reading, table: &Table<'_>) -> (Relation, Links) {
    reading.check_table_keys(
        table,
        &[
            "parent",
            "polarity",
            "triggers",
            "drop-triggers",
            "forms",
            "core",
            "subject",
            "doc",
        ],
        "a relation",
    );
    let forms = reading
        .texts(table, "forms")
        .iter()
        .filter_map(|form| reading.chosen(form, "forms"))
        .collect();
    let links = Links {
        parent: reading.text(table, "parent"),
        triggers: words(reading, table, "triggers", "drop-triggers"),
        core: reading.boolean(table, "core"),
        subject: reading.choice(table, "subject"),
    };
    let relation = Relation {
        name: read_name(reading, table),
        parent: None,
        polarity: read_polarity(reading, table),
        triggers: plain(&links.triggers),
        forms,
        core: true,
        subject: ConceptKind::Agent,
        doc: reading.text(table, "doc").map(|doc| doc.value),
        place: table.place(),
    };
    (relation, links)
}

fn read_polarity(reading: &mut Reading, table: &Table<'_>) -> i8 {
    let Some(polarity) = reading.integer(table, "polarity") else {
        return 0;
    };
    match polarity.value {
        value @ -1..=1 => value as i8,
        value => {
            let message = format!("`polarity` must be -1, 0 or 1, not {value}");
            reading.report(Code::S004, polarity.place, message).help =
                Some("-1 is bad news, 1 is good news".to_owned());
            0
        }
    }
}

fn read_concept(reading: &mut Reading, table: &Table<'_>) -> Option<Concept> {
    reading.check_table_keys(table, &["kind", "words", "drop-words"], "a concept");
    reading.required_text(table, "kind")?;
    let kind = reading.choice(table, "kind")?;
    Some(Concept {
        name: read_name(reading, table),
        kind,
        words: plain(&words(reading, table, "words", "drop-words")),
        place: table.place(),
    })
}

fn read_rhetoric(reading: &mut Reading, table: &Table<'_>) -> (Rhetoric, Vec<Written<String>>) {
    reading.check_table_keys(table, &["kind", "class", "cues"], "a rhetorical relation");
    let name = read_name(reading, table);
    let cues = reading.texts(table, "cues");
    let rhetoric = Rhetoric {
        kind: reading.choice(table, "kind").unwrap_or(RhetoricKind::Rst),
        class: match reading.text(table, "class") {
            Some(class) => class.value,
            None => name.clone(),
        },
        cues: plain(&cues),
        place: table.place(),
        name,
    };
    (rhetoric, cues)
}

/// A cue class, the classes that it names as answers, and its words.
fn read_cue(
    reading: &mut Reading,
    table: &Table<'_>,
) -> (CueClass, Vec<Written<String>>, Vec<Written<String>>) {
    const KEYS: [&str; 2] = ["words", "after-subject"];
    let known = [KEYS[0], KEYS[1], "drop-words", "answered-by"];
    reading.check_table_keys(table, &known, "a cue class");
    let answers = reading.texts(table, "answered-by");
    let listed = reading.words(table, &KEYS, "drop-words");
    let movable = listed.iter().filter(|(key, _)| *key == 1);
    let after_subject = movable.map(|(_, word)| word.value.clone()).collect();
    let words: Vec<Written<String>> = listed.into_iter().map(|(_, word)| word).collect();
    let class = CueClass {
        name: read_name(reading, table),
        words: plain(&words),
        after_subject,
        answered_by: plain(&answers),
        place: table.place(),
    };
    (class, answers, words)
}

fn read_attribute(reading: &mut Reading, table: &Table<'_>) -> Option<Attribute> {
    reading.check_table_keys(
        table,
        &["type", "values", "leaf", "synthesis"],
        "an attribute",
    );
    reading.required_text(table, "type")?;
    let value_type = reading.choice(table, "type")?;
    let default = match value_type {
        ValueType::Set => Synthesis::Union,
        _ => Synthesis::Nucleus,
    };
    let synthesis = reading.choice(table, "synthesis").unwrap_or(default);
    if !synthesis.fits(value_type)
        && let Some(word) = reading.text(table, "synthesis")
    {
        let (word, place) = (word.value, word.place);
        let kind = value_type.as_str();
        let message = format!("`{word}` does not fit an attribute of type `{kind}`");
        reading.report(Code::S012, place, message).help =
            Some(format!("`{kind}` can take {}", fitting(value_type)));
    }
    Some(Attribute {
        name: read_name(reading, table),
        value_type,
        values: plain(&reading.texts(table, "values")),
        leaf: reading.choice(table, "leaf").unwrap_or(LeafSource::None),
        synthesis,
        place: table.place(),
    })
}

impl Synthesis {
    fn fits(self, value_type: ValueType) -> bool {
        let number = matches!(value_type, ValueType::Int | ValueType::Float);
        match self {
            Synthesis::Nucleus | Synthesis::None => true,
            Synthesis::Sum => number,
            Synthesis::Max | Synthesis::Min => number || value_type == ValueType::Time,
            Synthesis::Union => value_type == ValueType::Set,
        }
    }
}

fn fitting(value_type: ValueType) -> String {
    let all = Synthesis::ALL.into_iter();
    let fitting: Vec<String> = all
        .filter(|synthesis| synthesis.fits(value_type))
        .map(|synthesis| format!("`{synthesis}`"))
        .collect();
    fitting.join(", ")
}

/// The table's name, checked to be one that a grammar can write.
fn read_name(reading: &mut Reading, table: &Table<'_>) -> String {
    if !is_name(table.name) {
        let message = format!("`{}` cannot be written in a grammar", table.name);
        let mut problem = Diagnostic::new(Code::S008, message).help(
            "a name begins with a letter or a Chinese character and goes on with letters, digits, `-` and `_`",
        );
        problem.place = table.place();
        reading.problems.push(problem);
    }
    table.name.to_owned()
}

/// True for what the grammar language reads as one name.
pub(crate) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        && !text.ends_with('-')
}

fn collect_names(reading: &mut Reading, schema: &Schema) -> HashMap<String, Name> {
    let relations = schema.relations.iter().enumerate();
    let relations =
        relations.map(|(i, r)| (&r.name, &r.place, Name::Relation(RelationId(i as u32))));
    let concepts = schema.concepts.iter().enumerate();
    let concepts = concepts.map(|(i, c)| (&c.name, &c.place, Name::Concept(i)));
    let rhetoric = schema.rhetoric.iter().enumerate();
    let rhetoric = rhetoric.map(|(i, r)| (&r.name, &r.place, Name::Rhetoric(RhetoricId::new(i))));
    let attributes = schema.attributes.iter().enumerate();
    let attributes = attributes.map(|(i, a)| (&a.name, &a.place, Name::Attribute(i)));

    let mut names: HashMap<String, Name> = HashMap::new();
    let mut first: HashMap<&str, &Option<Place>> = HashMap::new();
    for (name, place, meaning) in relations.chain(concepts).chain(rhetoric).chain(attributes) {
        if let Some(earlier) = first.get(name.as_str()) {
            let mut diagnostic = Diagnostic::new(Code::S007, format!("`{name}` is declared twice"))
                .help("rename one of them: a grammar could not tell them apart");
            diagnostic.place = place.clone();
            if let Some(earlier) = earlier {
                diagnostic = diagnostic.related(earlier.clone(), "first declared here");
            }
            reading.problems.push(diagnostic);
            continue;
        }
        first.insert(name, place);
        names.insert(name.clone(), meaning);
    }
    names
}

/// Finds the parents of the relations and gives each what it leaves to them.
fn settle_relations(reading: &mut Reading, schema: &mut Schema, written: &[Links]) {
    link_parents(reading, schema, written);
    cut_cycles(reading, schema, written);
    inherit(schema, written);
    warn_shared_triggers(reading, schema, written);
}

fn link_parents(reading: &mut Reading, schema: &mut Schema, written: &[Links]) {
    for (at, links) in written.iter().enumerate() {
        let Some(parent) = &links.parent else {
            continue;
        };
        match schema.relation(&parent.value) {
            Some(id) => schema.relations[at].parent = Some(id),
            None => report_undeclared(
                reading,
                Code::S005,
                "parent",
                parent,
                "relation",
                schema.relations.iter().map(|r| r.name.as_str()),
            ),
        }
    }
}

/// Takes the parent from the first relation of every cycle, in time linear in the number of
/// relations: each walk upwards ends where an earlier one has been.
fn cut_cycles(reading: &mut Reading, schema: &mut Schema, written: &[Links]) {
    let mut walked_from: Vec<Option<usize>> = vec![None; schema.relations.len()];
    for start in 0..schema.relations.len() {
        let mut at = start;
        while walked_from[at].is_none() {
            walked_from[at] = Some(start);
            match schema.relations[at].parent {
                Some(above) => at = above.0 as usize,
                None => break,
            }
        }
        if walked_from[at] != Some(start) || schema.relations[at].parent.is_none() {
            continue;
        }
        let meeting = RelationId(at as u32);
        let mut first = at;
        for id in schema.ancestors(meeting).skip(1) {
            if id == meeting {
                break;
            }
            first = first.min(id.0 as usize);
        }
        let name = schema.relations[first].name.clone();
        schema.relations[first].parent = None;
        if let Some(parent) = &written[first].parent {
            let message = format!("`{name}` is a kind of itself");
            let place = parent.place.clone();
            reading.report(Code::S006, place, message).help =
                Some("a chain of parents must end".to_owned());
        }
    }
}

/// Gives every relation what it or the nearest of its ancestors says, the ancestors first.
fn inherit(schema: &mut Schema, written: &[Links]) {
    let mut settled = vec![false; schema.relations.len()];
    for at in 0..schema.relations.len() {
        let line: Vec<usize> = schema
            .ancestors(RelationId(at as u32))
            .map(|id| id.0 as usize)
            .take_while(|&id| !settled[id])
            .collect();
        for &id in line.iter().rev() {
            let parent = schema.relations[id].parent;
            let above = parent.map(|parent| &schema.relations[parent.0 as usize]);
            let (core, subject) = above.map_or((true, ConceptKind::Agent), |r| (r.core, r.subject));
            schema.relations[id].core = written[id].core.unwrap_or(core);
            schema.relations[id].subject = written[id].subject.unwrap_or(subject);
            settled[id] = true;
        }
    }
}

fn warn_shared_triggers(reading: &mut Reading, schema: &Schema, written: &[Links]) {
    let relations = schema.relations.iter().zip(written);
    let words = relations.flat_map(|(relation, links)| {
        let words = links.triggers.iter();
        words.map(move |word| (relation.name.as_str(), word))
    });
    warn_shared(reading, words, |word, first, second| {
        Diagnostic::new(
            Code::S010,
            format!("`{word}` triggers both `{first}` and `{second}`"),
        )
        .help(format!("`{first}` wins, as it comes first"))
    });
}

fn warn_shared_cues(reading: &mut Reading, words: &[(String, Written<String>)]) {
    let words = words.iter().map(|(class, word)| (class.as_str(), word));
    warn_shared(reading, words, |word, first, second| {
        Diagnostic::new(
            Code::S016,
            format!("`{word}` is a cue of both `{first}` and `{second}`"),
        )
        .help(format!(
            "`{first}` wins, as it comes first; to move the word, take it out there (`drop-words` \
             where the class comes from another file)"
        ))
    });
}

/// Reports the words that two names list, each with the first of them.
fn warn_shared<'w>(
    reading: &mut Reading,
    words: impl Iterator<Item = (&'w str, &'w Written<String>)>,
    problem: impl Fn(&str, &str, &str) -> Diagnostic,
) {
    let mut first: HashMap<&str, (&str, &Place)> = HashMap::new();
    for (name, Written { value, place }) in words {
        let (earlier, earlier_place) = *first.entry(value).or_insert((name, place));
        if earlier != name {
            let problem = problem(value, earlier, name).at(place.clone());
            reading
                .problems
                .push(problem.related(earlier_place.clone(), "first listed here"));
        }
    }
}

fn check_cues(reading: &mut Reading, schema: &Schema, named: &[Written<String>]) {
    for cue in named.iter().filter(|cue| schema.cue(&cue.value).is_none()) {
        let known = schema.cues.iter().map(|class| class.name.as_str());
        report_undeclared(reading, Code::S013, "cue class", cue, "cue", known);
    }
}

/// Reports a name that should be declared as `[section.NAME]`.
fn report_undeclared<'a>(
    reading: &mut Reading,
    code: Code,
    what: &str,
    written: &Written<String>,
    section: &str,
    known: impl Iterator<Item = &'a str>,
) {
    let name = &written.value;
    reading.problems.push(
        Diagnostic::new(code, format!("the {what} `{name}` is not declared"))
            .at(written.place.clone())
            .help(format!("declare it with `[{section}.{}]`", key(name)))
            .suggest(name, known),
    );
}

/// The words under a key, without those that are dropped.
fn words(reading: &mut Reading, table: &Table<'_>, key: &str, drop: &str) -> Vec<Written<String>> {
    let words = reading.words(table, &[key], drop);
    words.into_iter().map(|(_, word)| word).collect()
}

fn plain(texts: &[Written<String>]) -> Vec<String> {
    texts.iter().map(|text| text.value.clone()).collect()
}
