//! From a TOML file to a [`Schema`], with every problem found on the way.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;

use super::reading::{Reading, Table, key};
use super::{
    Attribute, Concept, ConceptKind, CueClass, LeafSource, Name, Relation, RelationId, Rhetoric,
    RhetoricId, RhetoricKind, Schema, Segmentation, Synthesis, ValueType,
};
use crate::diagnostic::{Code, Diagnostic, Place, Source};
use crate::error::{Error, Result};

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
    /// Reads a schema from a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Loaded> {
        let path = path.as_ref();
        let text = crate::files::read_text(path)?;
        Ok(Schema::load(&Source::new(path.display().to_string(), text)))
    }

    /// Loads a schema from its text. Never fails: what is wrong is in the diagnostics.
    pub fn load(source: &Arc<Source>) -> Loaded {
        let mut reading = Reading::new(source);
        let text = source.text();
        let root = reading.parse(text);
        let root = root.get_ref();
        reading.known_keys(root, SECTIONS, "a schema");
        let mut schema = Schema {
            hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
            ..Schema::default()
        };
        let mut written = Vec::new();
        for table in reading.tables(root, "relation") {
            let (relation, links) = read_relation(&mut reading, &table);
            written.push(links);
            schema.relations.push(relation);
        }
        for table in reading.tables(root, "concept") {
            schema.concepts.extend(read_concept(&mut reading, &table));
        }
        let mut named_cues = Vec::new();
        for table in reading.tables(root, "rhetoric") {
            let (rhetoric, cues) = read_rhetoric(&mut reading, &table);
            schema.rhetoric.push(rhetoric);
            named_cues.extend(cues);
        }
        for table in reading.tables(root, "attribute") {
            schema
                .attributes
                .extend(read_attribute(&mut reading, &table));
        }
        for table in reading.tables(root, "cue") {
            reading.table_keys(&table, &["words", "answered-by"], "a cue class");
            let answers = reading.texts(&table, "answered-by");
            named_cues.extend(answers.iter().cloned());
            schema.cues.push(CueClass {
                name: declared(&mut reading, &table),
                words: plain(reading.texts(&table, "words")),
                answered_by: plain(answers),
                place: Some(reading.problems.place(table.span.clone())),
            });
        }
        schema.names = collect_names(&mut reading, &schema);
        settle_relations(&mut reading, &mut schema, &written);
        check_cues(&mut reading, &schema, &named_cues);
        read_domain(&mut reading, root, &mut schema);
        let mut diagnostics = reading.problems.into_vec();
        diagnostics.sort_by_key(|d| d.place.as_ref().map(|place| place.range().start));
        Loaded {
            schema,
            diagnostics,
        }
    }
}

fn read_domain(reading: &mut Reading, root: &toml::de::DeTable<'_>, schema: &mut Schema) {
    let Some(domain) = reading.table(root, "domain") else {
        if root.get("domain").is_none() {
            reading
                .problems
                .report(Code::S003, 0..0, "no `[domain]` table".to_owned())
                .help = Some("begin the schema with `[domain]` and its name".to_owned());
        }
        return;
    };
    let keys = ["name", "language", "start", "segmentation"];
    reading.table_keys(&domain, &keys, "`domain`");
    if let Some(name) = reading.required_text(&domain, "name") {
        schema.name = name.into_inner();
    }
    schema.language = match reading.text(&domain, "language") {
        Some(language) => language.into_inner(),
        None => "zh".to_owned(),
    };
    schema.segmentation = reading
        .choice::<Segmentation>(&domain, "segmentation")
        .unwrap_or_default();
    let Some(start) = reading.required_text(&domain, "start") else {
        return;
    };
    match schema.relation(start.get_ref()) {
        Some(id) => schema.start = id,
        None => undeclared(
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
struct Written {
    parent: Option<Spanned<String>>,
    triggers: Vec<Spanned<String>>,
    core: Option<bool>,
    subject: Option<ConceptKind>,
}

fn read_relation(reading: &mut Reading, table: &Table<'_>) -> (Relation, Written) {
    reading.table_keys(
        table,
        &[
            "parent", "polarity", "triggers", "forms", "core", "subject", "doc",
        ],
        "a relation",
    );
    let forms = reading
        .texts(table, "forms")
        .iter()
        .filter_map(|form| reading.chosen(form, "forms"))
        .collect();
    let written = Written {
        parent: reading.text(table, "parent"),
        triggers: reading.texts(table, "triggers"),
        core: reading.boolean(table, "core"),
        subject: reading.choice(table, "subject"),
    };
    let relation = Relation {
        name: declared(reading, table),
        parent: None,
        polarity: read_polarity(reading, table),
        triggers: plain(written.triggers.clone()),
        forms,
        core: true,
        subject: ConceptKind::Agent,
        doc: reading.text(table, "doc").map(Spanned::into_inner),
        place: Some(reading.problems.place(table.span.clone())),
    };
    (relation, written)
}

fn read_polarity(reading: &mut Reading, table: &Table<'_>) -> i8 {
    let Some(polarity) = reading.integer(table, "polarity") else {
        return 0;
    };
    match *polarity.get_ref() {
        value @ -1..=1 => value as i8,
        value => {
            reading
                .problems
                .report(
                    Code::S004,
                    polarity.span(),
                    format!("`polarity` must be -1, 0 or 1, not {value}"),
                )
                .help = Some("-1 is bad news, 1 is good news".to_owned());
            0
        }
    }
}

fn read_concept(reading: &mut Reading, table: &Table<'_>) -> Option<Concept> {
    reading.table_keys(table, &["kind", "words"], "a concept");
    reading.required_text(table, "kind")?;
    let kind = reading.choice(table, "kind")?;
    Some(Concept {
        name: declared(reading, table),
        kind,
        words: plain(reading.texts(table, "words")),
        place: Some(reading.problems.place(table.span.clone())),
    })
}

fn read_rhetoric(reading: &mut Reading, table: &Table<'_>) -> (Rhetoric, Vec<Spanned<String>>) {
    reading.table_keys(table, &["kind", "class", "cues"], "a rhetorical relation");
    let name = declared(reading, table);
    let cues = reading.texts(table, "cues");
    let rhetoric = Rhetoric {
        kind: reading.choice(table, "kind").unwrap_or(RhetoricKind::Rst),
        class: match reading.text(table, "class") {
            Some(class) => class.into_inner(),
            None => name.clone(),
        },
        cues: plain(cues.clone()),
        place: Some(reading.problems.place(table.span.clone())),
        name,
    };
    (rhetoric, cues)
}

fn read_attribute(reading: &mut Reading, table: &Table<'_>) -> Option<Attribute> {
    reading.table_keys(
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
        let (word, span) = (word.get_ref().clone(), word.span());
        let kind = value_type.as_str();
        reading
            .problems
            .report(
                Code::S012,
                span,
                format!("`{word}` does not fit an attribute of type `{kind}`"),
            )
            .help = Some(format!("`{kind}` can take {}", fitting(value_type)));
    }
    Some(Attribute {
        name: declared(reading, table),
        value_type,
        values: plain(reading.texts(table, "values")),
        leaf: reading.choice(table, "leaf").unwrap_or(LeafSource::None),
        synthesis,
        place: Some(reading.problems.place(table.span.clone())),
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
fn declared(reading: &mut Reading, table: &Table<'_>) -> String {
    if !is_name(table.name) {
        let name = table.name;
        reading
            .problems
            .report(
                Code::S008,
                table.span.clone(),
                format!("`{name}` cannot be written in a grammar"),
            )
            .help = Some(
            "a name begins with a letter or a Chinese character and goes on with letters, digits, `-` and `_`"
                .to_owned(),
        );
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
fn settle_relations(reading: &mut Reading, schema: &mut Schema, written: &[Written]) {
    link_parents(reading, schema, written);
    cut_cycles(reading, schema, written);
    inherit(schema, written);
    warn_shared_triggers(reading, schema, written);
}

fn link_parents(reading: &mut Reading, schema: &mut Schema, written: &[Written]) {
    for (at, links) in written.iter().enumerate() {
        let Some(parent) = &links.parent else {
            continue;
        };
        match schema.relation(parent.get_ref()) {
            Some(id) => schema.relations[at].parent = Some(id),
            None => undeclared(
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
fn cut_cycles(reading: &mut Reading, schema: &mut Schema, written: &[Written]) {
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
            reading
                .problems
                .report(Code::S006, parent.span(), message)
                .help = Some("a chain of parents must end".to_owned());
        }
    }
}

/// Gives every relation what it or the nearest of its ancestors says, the ancestors first.
fn inherit(schema: &mut Schema, written: &[Written]) {
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

fn warn_shared_triggers(reading: &mut Reading, schema: &Schema, written: &[Written]) {
    let mut first: HashMap<&str, (&str, Place)> = HashMap::new();
    for (relation, links) in schema.relations.iter().zip(written) {
        for word in &links.triggers {
            let place = reading.problems.place(word.span());
            let word = word.get_ref();
            let (earlier, earlier_place) = first
                .entry(word)
                .or_insert_with(|| (&relation.name, place.clone()));
            if *earlier != relation.name {
                let both = format!("`{word}` triggers both `{earlier}` and `{}`", relation.name);
                reading.problems.push(
                    Diagnostic::new(Code::S010, both)
                        .at(place)
                        .related(earlier_place.clone(), "first listed here")
                        .help(format!("`{earlier}` wins, as it comes first")),
                );
            }
        }
    }
}

fn check_cues(reading: &mut Reading, schema: &Schema, named: &[Spanned<String>]) {
    for cue in named
        .iter()
        .filter(|cue| schema.cue(cue.get_ref()).is_none())
    {
        let known = schema.cues.iter().map(|class| class.name.as_str());
        undeclared(reading, Code::S013, "cue class", cue, "cue", known);
    }
}

/// Reports a name that should be declared as `[section.NAME]`.
fn undeclared<'a>(
    reading: &mut Reading,
    code: Code,
    what: &str,
    written: &Spanned<String>,
    section: &str,
    known: impl Iterator<Item = &'a str>,
) {
    let name = written.get_ref();
    let place = reading.problems.place(written.span());
    reading.problems.push(
        Diagnostic::new(code, format!("the {what} `{name}` is not declared"))
            .at(place)
            .help(format!("declare it with `[{section}.{}]`", key(name)))
            .suggest(name, known),
    );
}

fn plain(texts: Vec<Spanned<String>>) -> Vec<String> {
    texts.into_iter().map(Spanned::into_inner).collect()
}

const SECTIONS: &[&str] = &[
    "domain",
    "relation",
    "concept",
    "rhetoric",
    "attribute",
    "cue",
];
