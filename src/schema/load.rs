//! From a TOML file to a [`Schema`], with every problem found on the way.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;

use super::reading::{Reading, Table};
use super::{
    Attribute, Concept, ConceptKind, CueClass, Form, LeafSource, Name, Relation, RelationId,
    Rhetoric, RhetoricKind, Schema, Synthesis, ValueType,
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
        reading.known_keys(
            root,
            &[
                "domain",
                "relation",
                "concept",
                "rhetoric",
                "attribute",
                "cue",
            ],
            "a schema",
        );
        let mut schema = Schema {
            hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
            ..Schema::default()
        };
        let mut inherited = Vec::new();
        for table in reading.tables(root, "relation") {
            let (relation, said) = read_relation(&mut reading, &table);
            inherited.push(said);
            schema.relations.push(relation);
        }
        for table in reading.tables(root, "concept") {
            schema.concepts.extend(read_concept(&mut reading, &table));
        }
        for table in reading.tables(root, "rhetoric") {
            schema.rhetoric.push(read_rhetoric(&mut reading, &table));
        }
        for table in reading.tables(root, "attribute") {
            schema
                .attributes
                .extend(read_attribute(&mut reading, &table));
        }
        for table in reading.tables(root, "cue") {
            reading.table_keys(&table, &["words"], "a cue class");
            schema.cues.push(CueClass {
                name: declared(&mut reading, &table),
                words: plain(reading.texts(&table, "words")),
                place: Some(reading.place(table.span.clone())),
            });
        }
        schema.names = collect_names(&mut reading, &schema);
        link_parents(&mut reading, &mut schema, &inherited);
        inherit(&mut schema, &inherited);
        warn_shared_triggers(&mut reading, &schema);
        read_domain(&mut reading, root, &mut schema);
        reading
            .diagnostics
            .sort_by_key(|d| d.place.as_ref().map(|place| place.range().start));
        Loaded {
            schema,
            diagnostics: reading.diagnostics,
        }
    }
}

fn read_domain(reading: &mut Reading, root: &toml::de::DeTable<'_>, schema: &mut Schema) {
    let Some(domain) = reading.table(root, "domain") else {
        if root.get("domain").is_none() {
            reading
                .report(Code::S003, 0..0, "no `[domain]` table".to_owned())
                .help = Some("begin the schema with `[domain]` and its name".to_owned());
        }
        return;
    };
    reading.table_keys(&domain, &["name", "language", "start"], "`domain`");
    if let Some(name) = reading.required_text(&domain, "name") {
        schema.name = name.into_inner();
    }
    schema.language = match reading.text(&domain, "language") {
        Some(language) => language.into_inner(),
        None => "zh".to_owned(),
    };
    let Some(start) = reading.required_text(&domain, "start") else {
        return;
    };
    match schema.relation(start.get_ref()) {
        Some(id) => schema.start = id,
        None => {
            let name = start.get_ref();
            let place = reading.place(start.span());
            reading.diagnostics.push(
                Diagnostic::new(
                    Code::S009,
                    format!("the start symbol `{name}` is not declared"),
                )
                .at(place)
                .help(format!("declare it with `[relation.{name}]`"))
                .suggest(name, schema.relations.iter().map(|r| r.name.as_str())),
            );
        }
    }
}

/// What a relation says of its parent, or leaves to it.
struct Inherited {
    parent: Option<Spanned<String>>,
    core: Option<bool>,
    subject: Option<ConceptKind>,
}

fn read_relation(reading: &mut Reading, table: &Table<'_>) -> (Relation, Inherited) {
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
        .filter_map(|form| reading.chosen(form, "forms", FORMS))
        .collect();
    let relation = Relation {
        name: declared(reading, table),
        parent: None,
        polarity: read_polarity(reading, table),
        triggers: plain(reading.texts(table, "triggers")),
        forms,
        core: true,
        subject: ConceptKind::Agent,
        doc: reading.text(table, "doc").map(Spanned::into_inner),
        place: Some(reading.place(table.span.clone())),
    };
    let inherited = Inherited {
        parent: reading.text(table, "parent"),
        core: reading.boolean(table, "core"),
        subject: reading.choice(table, "subject", CONCEPT_KINDS),
    };
    (relation, inherited)
}

/// Gives every relation what it or the nearest of its ancestors says.
fn inherit(schema: &mut Schema, declared: &[Inherited]) {
    for at in 0..schema.relations.len() {
        let line: Vec<RelationId> = schema.ancestors(RelationId(at as u32)).collect();
        let mut said = line.iter().filter_map(|id| declared.get(id.0 as usize));
        let core = said.clone().find_map(|relation| relation.core);
        let subject = said.find_map(|relation| relation.subject);
        schema.relations[at].core = core.unwrap_or(true);
        schema.relations[at].subject = subject.unwrap_or(ConceptKind::Agent);
    }
}

fn read_polarity(reading: &mut Reading, table: &Table<'_>) -> i8 {
    let Some(polarity) = reading.integer(table, "polarity") else {
        return 0;
    };
    match *polarity.get_ref() {
        value @ -1..=1 => value as i8,
        value => {
            reading
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
    let kind = reading.choice(table, "kind", CONCEPT_KINDS)?;
    Some(Concept {
        name: declared(reading, table),
        kind,
        words: plain(reading.texts(table, "words")),
        place: Some(reading.place(table.span.clone())),
    })
}

fn read_rhetoric(reading: &mut Reading, table: &Table<'_>) -> Rhetoric {
    reading.table_keys(table, &["kind", "class", "cues"], "a rhetorical relation");
    let name = declared(reading, table);
    Rhetoric {
        kind: reading
            .choice(table, "kind", RHETORIC_KINDS)
            .unwrap_or(RhetoricKind::Rst),
        class: match reading.text(table, "class") {
            Some(class) => class.into_inner(),
            None => name.clone(),
        },
        cues: plain(reading.texts(table, "cues")),
        place: Some(reading.place(table.span.clone())),
        name,
    }
}

fn read_attribute(reading: &mut Reading, table: &Table<'_>) -> Option<Attribute> {
    reading.table_keys(
        table,
        &["type", "values", "leaf", "synthesis"],
        "an attribute",
    );
    reading.required_text(table, "type")?;
    let value_type = reading.choice(table, "type", VALUE_TYPES)?;
    let default = match value_type {
        ValueType::Set => Synthesis::Union,
        _ => Synthesis::Nucleus,
    };
    let synthesis = reading
        .choice(table, "synthesis", SYNTHESES)
        .unwrap_or(default);
    if !synthesis.fits(value_type) {
        if let Some(word) = reading.text(table, "synthesis") {
            let (word, span) = (word.get_ref().clone(), word.span());
            let kind = value_type.as_str();
            reading
                .report(
                    Code::S012,
                    span,
                    format!("`{word}` does not fit an attribute of type `{kind}`"),
                )
                .help = Some(format!("`{kind}` can take {}", fitting(value_type)));
        }
    }
    Some(Attribute {
        name: declared(reading, table),
        value_type,
        values: plain(reading.texts(table, "values")),
        leaf: reading
            .choice(table, "leaf", LEAF_SOURCES)
            .unwrap_or(LeafSource::None),
        synthesis,
        place: Some(reading.place(table.span.clone())),
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
    let fitting: Vec<String> = SYNTHESES
        .iter()
        .filter(|(_, synthesis)| synthesis.fits(value_type))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    fitting.join(", ")
}

/// The table's name, checked to be one that a grammar can write.
fn declared(reading: &mut Reading, table: &Table<'_>) -> String {
    if !is_name(table.name) {
        let name = table.name;
        reading
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
}

fn collect_names(reading: &mut Reading, schema: &Schema) -> HashMap<String, Name> {
    let relations = schema.relations.iter().enumerate();
    let relations =
        relations.map(|(i, r)| (&r.name, &r.place, Name::Relation(RelationId(i as u32))));
    let concepts = schema.concepts.iter().enumerate();
    let concepts = concepts.map(|(i, c)| (&c.name, &c.place, Name::Concept(i)));
    let rhetoric = schema.rhetoric.iter().enumerate();
    let rhetoric = rhetoric.map(|(i, r)| (&r.name, &r.place, Name::Rhetoric(i)));
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
            reading.diagnostics.push(diagnostic);
            continue;
        }
        first.insert(name, place);
        names.insert(name.clone(), meaning);
    }
    names
}

fn link_parents(reading: &mut Reading, schema: &mut Schema, declared: &[Inherited]) {
    for (at, relation) in declared.iter().enumerate() {
        let Some(parent) = &relation.parent else {
            continue;
        };
        match schema.relation(parent.get_ref()) {
            Some(id) => schema.relations[at].parent = Some(id),
            None => {
                let name = parent.get_ref();
                let place = reading.place(parent.span());
                reading.diagnostics.push(
                    Diagnostic::new(Code::S005, format!("the parent `{name}` is not declared"))
                        .at(place)
                        .help(format!("declare it with `[relation.{name}]`"))
                        .suggest(name, schema.relations.iter().map(|r| r.name.as_str())),
                );
            }
        }
    }
    for at in 0..schema.relations.len() {
        let mut above = schema.relations[at].parent;
        let mut steps = 0;
        while let Some(id) = above {
            steps += 1;
            if id.0 as usize == at || steps > schema.relations.len() {
                let name = schema.relations[at].name.clone();
                schema.relations[at].parent = None;
                if let Some(parent) = &declared[at].parent {
                    reading
                        .report(
                            Code::S006,
                            parent.span(),
                            format!("`{name}` is a kind of itself"),
                        )
                        .help = Some("a chain of parents must end".to_owned());
                }
                break;
            }
            above = schema.relations[id.0 as usize].parent;
        }
    }
}

fn warn_shared_triggers(reading: &mut Reading, schema: &Schema) {
    let mut first: HashMap<&str, &Relation> = HashMap::new();
    for relation in &schema.relations {
        for word in &relation.triggers {
            let earlier = *first.entry(word).or_insert(relation);
            if earlier.name != relation.name {
                let mut diagnostic = Diagnostic::new(
                    Code::S010,
                    format!(
                        "`{word}` triggers both `{}` and `{}`",
                        earlier.name, relation.name
                    ),
                )
                .help(format!("`{}` wins, as it comes first", earlier.name));
                diagnostic.place = relation.place.clone();
                reading.diagnostics.push(diagnostic);
            }
        }
    }
}

fn plain(texts: Vec<Spanned<String>>) -> Vec<String> {
    texts.into_iter().map(Spanned::into_inner).collect()
}

const FORMS: &[(&str, Form)] = &[
    ("heading", Form::Heading),
    ("list-item", Form::ListItem),
    ("quote", Form::Quote),
    ("question", Form::Question),
    ("speech", Form::Speech),
    ("colon", Form::Colon),
    ("fragment", Form::Fragment),
    ("clause", Form::Clause),
];

const CONCEPT_KINDS: &[(&str, ConceptKind)] = &[
    ("agent", ConceptKind::Agent),
    ("object", ConceptKind::Object),
];

const RHETORIC_KINDS: &[(&str, RhetoricKind)] = &[
    ("rst", RhetoricKind::Rst),
    ("multinuc", RhetoricKind::Multinuc),
];

const VALUE_TYPES: &[(&str, ValueType)] = &[
    ("bool", ValueType::Bool),
    ("int", ValueType::Int),
    ("float", ValueType::Float),
    ("symbol", ValueType::Symbol),
    ("text", ValueType::Text),
    ("time", ValueType::Time),
    ("set", ValueType::Set),
];

const LEAF_SOURCES: &[(&str, LeafSource)] = &[
    ("none", LeafSource::None),
    ("polarity", LeafSource::Polarity),
    ("time", LeafSource::Time),
    ("agent", LeafSource::Agent),
    ("object", LeafSource::Object),
    ("state", LeafSource::State),
    ("concepts", LeafSource::Concepts),
    ("cue", LeafSource::Cue),
    ("text", LeafSource::Text),
];

const SYNTHESES: &[(&str, Synthesis)] = &[
    ("nucleus", Synthesis::Nucleus),
    ("max", Synthesis::Max),
    ("min", Synthesis::Min),
    ("sum", Synthesis::Sum),
    ("union", Synthesis::Union),
    ("none", Synthesis::None),
];
