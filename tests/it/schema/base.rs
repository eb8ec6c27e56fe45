//! A schema that stands on another says only what is its own.

use std::fs;
use std::path::Path;

use arsg::diagnostic::{Code, Renderer, Source};
use arsg::files::{Disk, Memory};
use arsg::grammar::{Grammar, check_paths};
use arsg::schema::{Loaded, Schema, embedded_schema};

/// What others stand on.
const BASE: &str = r#"
[domain]
name = "基础"
start = "Report"
segmentation = "predicates"

[relation.Report]

[relation.Rise]
polarity = 1
triggers = ["上涨", "走高"]
doc = "more"

[concept.grain]
kind = "object"
words = ["小麦", "玉米"]

[rhetoric.causal-cause]
class = "causal"
cues = ["because"]

[attribute.polarity]
type = "int"
leaf = "polarity"
synthesis = "sum"

[cue.because]
words = ["因为", "由于", "难怪"]
after-subject = ["因为"]

[cue.so]
words = ["因此"]
"#;

/// A schema in `schemas/own.toml` that stands on `schemas/base.toml`.
fn load(own: &str) -> Loaded {
    let files = Memory::new()
        .with("schemas/base.toml", BASE)
        .with("schemas/own.toml", own);
    Schema::open("schemas/own.toml", &files).unwrap()
}

#[track_caller]
fn sound(loaded: Loaded) -> Schema {
    let complaints = Renderer::default().render(&loaded.diagnostics);
    assert!(loaded.diagnostics.is_empty(), "{complaints}");
    loaded.schema
}

fn names<'n>(names: impl Iterator<Item = &'n String>) -> Vec<&'n str> {
    names.map(String::as_str).collect()
}

#[test]
fn what_a_schema_does_not_say_its_base_says() {
    let own = sound(load("[domain]\nname = \"粮价\"\nbase = \"base.toml\"\n"));
    let base = sound(Schema::load(&Source::new("base.toml", BASE)));
    assert_eq!(own.name, "粮价");
    assert_eq!(own.relation_name(own.start), "Report");
    assert_eq!(own.segmentation, base.segmentation);
    assert_eq!(
        names(own.relations.iter().map(|r| &r.name)),
        ["Report", "Rise"]
    );
    assert_eq!(own.concepts[0].words, base.concepts[0].words);
    assert_eq!(own.rhetoric[0].class, "causal");
    assert_eq!(own.attributes[0].synthesis, base.attributes[0].synthesis);
    assert_eq!(own.cues[0].words, base.cues[0].words);
    assert_ne!(own.hash, base.hash);
}

#[test]
fn words_add_and_other_keys_replace() {
    let own = sound(load(
        r#"
[domain]
name = "粮价"
base = "base.toml"

[relation.Rise]
polarity = 0
triggers = ["回升"]

[relation.Fall]
triggers = ["下跌"]

[concept.grain]
words = ["大豆"]
drop-words = ["玉米"]

[rhetoric.causal-cause]
class = "cause"

[cue.because]
words = ["鉴于"]
after-subject = ["由于"]
drop-words = ["难怪"]

[cue.no-wonder]
words = ["难怪"]
"#,
    ));
    assert_eq!(
        names(own.relations.iter().map(|r| &r.name)),
        ["Report", "Rise", "Fall"],
        "what is new comes last"
    );
    let rise = &own.relations[1];
    assert_eq!(rise.triggers, ["上涨", "走高", "回升"]);
    assert_eq!((rise.polarity, rise.doc.as_deref()), (0, Some("more")));
    assert_eq!(own.concepts[0].words, ["小麦", "大豆"]);
    assert_eq!(own.rhetoric[0].class, "cause");
    assert_eq!(own.rhetoric[0].cues, ["because"]);
    let because = own.cue("because").unwrap();
    assert_eq!(because.words, ["因为", "由于", "鉴于"]);
    assert_eq!(because.after_subject, ["因为", "由于"]);
    let place = because.place.as_ref().unwrap();
    assert_eq!(place.source().name(), "schemas/own.toml");
    let so = own.cue("so").unwrap().place.as_ref().unwrap();
    assert_eq!(so.source().name(), "schemas/base.toml");
    let files = own.sources.iter().map(|source| source.name());
    assert_eq!(
        files.collect::<Vec<_>>(),
        ["schemas/own.toml", "schemas/base.toml"]
    );
}

#[test]
fn a_schema_may_inherit_some_sections_only() {
    let own = sound(load(
        "[domain]\nname = \"粮价\"\nbase = \"base.toml\"\ninherit = [\"cue\", \"rhetoric\"]\n\
         start = \"Text\"\n[relation.Text]\n",
    ));
    assert_eq!(names(own.relations.iter().map(|r| &r.name)), ["Text"]);
    assert!(own.concepts.is_empty() && own.attributes.is_empty());
    assert_eq!((own.cues.len(), own.rhetoric.len()), (2, 1));
}

#[test]
fn schemas_stand_on_each_other_in_a_row() {
    let files = Memory::new()
        .with(
            "a.toml",
            "[domain]\nname = \"a\"\nbase = \"b.toml\"\n[cue.so]\nwords = [\"于是\"]\n",
        )
        .with(
            "b.toml",
            "[domain]\nname = \"b\"\nbase = \"c/c.toml\"\ninherit = [\"relation\", \"cue\"]\n",
        )
        .with("c/c.toml", BASE);
    let own = sound(Schema::open("a.toml", &files).unwrap());
    assert_eq!(own.cue("so").unwrap().words, ["因此", "于是"]);
    assert_eq!(own.relations.len(), 2);
    // What the one in the middle does not take does not come through.
    assert!(own.concepts.is_empty() && own.rhetoric.is_empty());
}

#[test]
fn a_shipped_schema_is_known_by_its_name() {
    let text =
        "[domain]\nname = \"天气\"\nbase = \"general\"\n[cue.because]\nwords = [\"受降温影响\"]\n";
    let own = sound(Schema::load(&Source::new("weather.toml", text)));
    let general = embedded_schema("general").unwrap();
    assert_eq!(own.cues.len(), general.cues.len());
    let words = |schema: &Schema| schema.cue("because").unwrap().words.clone();
    let mut longer = words(&general);
    longer.push("受降温影响".to_owned());
    assert_eq!(words(&own), longer);
}

#[test]
fn a_problem_is_told_where_it_is_written() {
    let files = Memory::new()
        .with("base.toml", BASE.replace("[\"because\"]", "[\"becuase\"]"))
        .with(
            "own.toml",
            "[domain]\nname = \"a\"\nbase = \"base.toml\"\n[relation.Fall]\nparent = \"Down\"\n",
        );
    let found = Schema::open("own.toml", &files).unwrap().diagnostics;
    let told: Vec<String> = found
        .iter()
        .map(|found| format!("{} {}", found.code, found.place.as_ref().unwrap()))
        .collect();
    assert_eq!(told, ["S005 own.toml:5:10", "S013 base.toml:20:9"]);
}

#[test]
fn a_base_that_is_not_there_is_told_and_the_rest_is_read() {
    let loaded =
        load("[domain]\nname = \"a\"\nbase = \"bass.toml\"\nstart = \"Text\"\n[relation.Text]\n");
    let codes: Vec<Code> = loaded.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::S014]);
    assert_eq!(loaded.schema.relations.len(), 1);
}

#[test]
fn a_base_lies_in_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p/schemas");
    fs::create_dir_all(&project).unwrap();
    fs::write(folder.path().join("base.toml"), BASE).unwrap();
    let own = project.join("own.toml");
    fs::write(&own, "[domain]\nname = \"a\"\nbase = \"../../base.toml\"\n").unwrap();
    let found = Schema::read(&own).unwrap().diagnostics;
    assert_eq!(found[0].code, Code::S014);
    assert!(found[0].message.contains("outside the project"));
    let anywhere = Disk { anywhere: true };
    sound(Schema::open(&own, &anywhere).unwrap());
}

#[test]
fn inheriting_needs_a_base() {
    let loaded = load("[domain]\nname = \"a\"\ninherit = [\"cue\"]\nstart = \"T\"\n[relation.T]\n");
    let said = &loaded.diagnostics[0];
    assert_eq!(said.code, Code::S003);
    assert_eq!(said.message, "`domain` needs the key `base`");
}

#[test]
fn a_row_of_bases_has_an_end() {
    let files = (0..100).fold(Memory::new(), |files, at| {
        let text = format!("[domain]\nname = \"a\"\nbase = \"{}.toml\"\n", at + 1);
        files.with(format!("{at}.toml"), text)
    });
    let found = Schema::open("0.toml", &files).unwrap().diagnostics;
    assert!(found.iter().any(|found| found.code == Code::S015));
}

#[test]
fn a_grammar_speaks_of_what_its_schema_inherits() {
    let files = Memory::new()
        .with("schemas/base.toml", BASE)
        .with(
            "schemas/own.toml",
            "[domain]\nname = \"粮价\"\nbase = \"base.toml\"\n[cue.to]\nwords = [\"为了\"]\n",
        )
        .with(
            "grammars/a.arsg",
            "schema \"../schemas/own.toml\"\nstart Report\n\
             Rise[causal-cause] <- Rise:N Rise:S when B.cue in {because, to}\n",
        );
    let loaded = Grammar::load("grammars/a.arsg", &files, None).unwrap();
    let complaints = Renderer::default().render(&loaded.diagnostics);
    assert!(loaded.diagnostics.is_empty(), "{complaints}");
    assert_eq!(loaded.grammar.schema.cues.len(), 3);
}

#[test]
fn shipped_schemas_check_by_themselves() {
    let paths = ["schemas/general.toml", "schemas/finance.toml"].map(|path| Path::new(path).into());
    let checked = check_paths(&paths, &Disk::default(), None).unwrap();
    let complaints = Renderer::default().render(&checked.diagnostics);
    assert!(checked.diagnostics.is_empty(), "{complaints}");
}
