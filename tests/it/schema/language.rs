//! What a schema may say, and what is reported when it says something else.

use arsg::diagnostic::{Code, Diagnostic, Renderer, Severity, Source};
use arsg::schema::{
    ConceptKind, Form, LeafSource, Loaded, Name, RhetoricId, RhetoricKind, Schema, Segmentation,
    Synthesis,
};
use proptest::prelude::*;

/// A schema without fault, to which tests add one.
const SOUND: &str = r#"
[domain]
name = "粮价"
start = "Report"

[relation.Report]

[relation.Change]

[relation.Rise]
parent = "Change"
polarity = 1
triggers = ["上涨", "走高"]
doc = "more"

[relation."大涨"]
parent = "Rise"
polarity = 1
triggers = ["飙升"]

[relation.Title]
forms = ["heading", "question"]

[concept.mill]
kind = "agent"
words = ["面粉厂", "油厂"]

[concept.grain]
kind = "object"
words = ["小麦", "玉米"]

[rhetoric.causal-cause]
class = "causal"
cues = ["because"]

[rhetoric.joint-list]
kind = "multinuc"

[attribute.polarity]
type = "int"
leaf = "polarity"
synthesis = "sum"

[attribute.concepts]
type = "set"
leaf = "concepts"

[cue.because]
words = ["因为", "由于"]
"#;

fn load(text: &str) -> Loaded {
    Schema::load(&Source::new("粮价.toml", text))
}

fn load_with(fault: &str) -> Loaded {
    load(&format!("{SOUND}\n{fault}\n"))
}

fn complaints(loaded: &Loaded) -> String {
    Renderer::default().render(&loaded.diagnostics)
}

/// The only diagnostic of a schema must have this code, message, underlined text and help.
#[track_caller]
fn assert_only(loaded: &Loaded, code: Code, message: &str, underlined: &str, help: Option<&str>) {
    assert_eq!(loaded.diagnostics.len(), 1, "{}", complaints(loaded));
    let diagnostic = &loaded.diagnostics[0];
    assert_says(diagnostic, code, message, underlined, help);
}

#[track_caller]
fn assert_says(
    diagnostic: &Diagnostic,
    code: Code,
    message: &str,
    underlined: &str,
    help: Option<&str>,
) {
    assert_eq!(diagnostic.code, code);
    assert_eq!(diagnostic.message, message);
    let place = diagnostic.place.as_ref();
    assert_eq!(place.map(|place| place.text()), Some(underlined));
    assert_eq!(diagnostic.help.as_deref(), help);
}

#[test]
fn a_sound_schema_is_read_whole_and_in_order() {
    let loaded = load(SOUND);
    assert!(loaded.diagnostics.is_empty(), "{}", complaints(&loaded));
    let schema = loaded.schema;
    assert_eq!(
        (schema.name.as_str(), schema.language.as_str()),
        ("粮价", "zh")
    );
    let names: Vec<&str> = schema.relations.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["Report", "Change", "Rise", "大涨", "Title"]);
    assert_eq!(schema.relation_name(schema.start), "Report");
    assert_eq!(schema.relations[2].triggers, ["上涨", "走高"]);
    assert_eq!(schema.relations[2].polarity, 1);
    assert_eq!(schema.relations[2].doc.as_deref(), Some("more"));
    assert_eq!(schema.relations[4].forms, [Form::Heading, Form::Question]);
    assert_eq!(schema.concepts[0].kind, ConceptKind::Agent);
    assert_eq!(schema.concepts[1].words, ["小麦", "玉米"]);
}

#[test]
fn what_is_left_out_has_a_default() {
    let schema = load(SOUND).schema;
    assert_eq!(schema.segmentation, Segmentation::Clauses);
    let cause = schema.rhetoric("causal-cause").expect("it is declared");
    assert_eq!(cause.kind, RhetoricKind::Rst);
    let list = schema.rhetoric("joint-list").expect("it is declared");
    assert_eq!(
        (list.kind, list.class.as_str()),
        (RhetoricKind::Multinuc, "joint-list")
    );
    let concepts = schema.attribute("concepts").expect("it is declared");
    assert_eq!(concepts.synthesis, Synthesis::Union, "sets are united");
    let polarity = schema.attribute("polarity").expect("it is declared");
    assert_eq!(polarity.synthesis, Synthesis::Sum);
    let schema = load_with("[attribute.price]\ntype = \"float\"").schema;
    let price = schema.attribute("price").expect("it is declared");
    assert_eq!(price.leaf, LeafSource::None);
    assert_eq!(price.synthesis, Synthesis::Nucleus);
}

#[test]
fn a_relation_is_a_kind_of_all_its_ancestors() {
    let schema = load(SOUND).schema;
    let id = |name| schema.relation(name).expect("it is declared");
    assert!(schema.is_a(id("大涨"), id("大涨")));
    assert!(schema.is_a(id("大涨"), id("Change")));
    assert!(!schema.is_a(id("Change"), id("大涨")));
    assert!(!schema.is_a(id("Report"), id("Change")));
    let above: Vec<&str> = schema
        .ancestors(id("大涨"))
        .map(|id| schema.relation_name(id))
        .collect();
    assert_eq!(above, ["大涨", "Rise", "Change"]);
}

#[test]
fn a_relation_follows_its_parent_in_what_it_leaves_open() {
    let schema = load_with(
        "[relation.Talk]\ncore = false\n[relation.Hope]\nparent = \"Talk\"\n\
         [relation.Vow]\nparent = \"Hope\"\ncore = true\nsubject = \"object\"",
    )
    .schema;
    let of = |name| {
        let id = schema.relation(name).expect("it is declared");
        let relation = &schema.relations[id.0 as usize];
        (relation.core, relation.subject)
    };
    assert_eq!(of("Rise"), (true, ConceptKind::Agent));
    assert_eq!(of("Hope"), (false, ConceptKind::Agent));
    assert_eq!(of("Vow"), (true, ConceptKind::Object));
}

#[test]
fn a_name_is_looked_up_in_one_space_and_cue_classes_in_their_own() {
    let schema = load(SOUND).schema;
    let rise = schema.relation("Rise").expect("it is declared");
    assert_eq!(schema.lookup("Rise"), Some(Name::Relation(rise)));
    assert_eq!(schema.lookup("grain"), Some(Name::Concept(1)));
    assert_eq!(
        schema.lookup("joint-list"),
        Some(Name::Rhetoric(RhetoricId(1)))
    );
    assert_eq!(schema.lookup("polarity"), Some(Name::Attribute(0)));
    assert_eq!(schema.lookup("because"), None);
    assert_eq!(schema.lookup("rise"), None, "case matters");
    assert!(schema.relation("grain").is_none());
    assert!(schema.rhetoric("Rise").is_none());
    assert!(schema.attribute("Rise").is_none());
    let because = schema.cue("because").expect("it is declared");
    assert_eq!(because.words, ["因为", "由于"]);
}

#[test]
fn a_relation_unknown_to_the_schema_still_has_a_class() {
    let schema = load(SOUND).schema;
    assert_eq!(schema.rhetoric_class("causal-cause"), "causal");
    assert_eq!(schema.rhetoric_class("causal-result"), "causal");
    assert_eq!(schema.rhetoric_class("joint_other_m"), "joint");
    assert_eq!(schema.rhetoric_class("span"), "span");
}

#[test]
fn s001_not_toml() {
    let loaded = load_with("[cue.so]\nwords = [\"所以\" \"因此\"]");
    let first = loaded.diagnostics.first().expect("it is reported");
    assert_eq!(first.code, Code::S001);
    assert!(
        first.message.starts_with("not valid TOML: "),
        "{}",
        first.message
    );
    assert!(loaded.schema.relation("Rise").is_some(), "the rest is read");
    assert!(loaded.into_result().is_err());
}

#[test]
fn s001_a_table_written_twice() {
    let loaded = load_with("[relation.Rise]\ntriggers = [\"增长\"]");
    let first = loaded.diagnostics.first().expect("it is reported");
    assert_eq!(first.code, Code::S001);
    assert_eq!(first.place.as_ref().map(|place| place.text()), Some("Rise"));
}

#[test]
fn s001_a_chinese_name_without_quotes() {
    let loaded = load_with("[relation.回落]\nparent = \"Change\"");
    let first = loaded.diagnostics.first().expect("it is reported");
    assert_says(
        first,
        Code::S001,
        "not valid TOML: invalid unquoted key, expected letters, numbers, `-`, `_`",
        "回落",
        Some("put it in quotes: \"回落\""),
    );
}

#[test]
fn s002_a_key_that_is_almost_one() {
    assert_only(
        &load_with("[relation.Fall]\ntrigers = [\"下跌\"]"),
        Code::S002,
        "unknown key `trigers` in a relation",
        "trigers",
        Some("did you mean `triggers`?"),
    );
}

#[test]
fn s002_a_key_that_is_like_none() {
    assert_only(
        &load_with("[concept.\"港口\"]\nkind = \"agent\"\n\"别名\" = [\"码头\"]"),
        Code::S002,
        "unknown key `别名` in a concept",
        "\"别名\"",
        Some("known keys are `kind`, `words`, `drop-words`"),
    );
}

#[test]
fn s003_a_concept_without_its_kind() {
    assert_only(
        &load_with("[concept.\"港口\"]\nwords = [\"青岛港\"]"),
        Code::S003,
        "`港口` needs the key `kind`",
        "\"港口\"",
        Some("add `kind = \"...\"` below it"),
    );
}

#[test]
fn s003_no_domain_at_all() {
    assert_only(
        &load("[relation.Rise]"),
        Code::S003,
        "no `[domain]` table",
        "",
        Some("begin the schema with `[domain]` and its name"),
    );
}

#[test]
fn s004_a_list_that_is_a_text() {
    assert_only(
        &load_with("[cue.so]\nwords = \"所以\""),
        Code::S004,
        "`words` must be a list of texts, not string",
        "\"所以\"",
        None,
    );
}

#[test]
fn s004_a_word_that_is_a_number() {
    assert_only(
        &load_with("[cue.so]\nwords = [\"所以\", 1]"),
        Code::S004,
        "`words` must be texts in quotes, not integer",
        "1",
        None,
    );
}

#[test]
fn s004_a_polarity_out_of_range() {
    assert_only(
        &load_with("[relation.\"暴跌\"]\npolarity = -2"),
        Code::S004,
        "`polarity` must be -1, 0 or 1, not -2",
        "-2",
        Some("-1 is bad news, 1 is good news"),
    );
}

#[test]
fn s004_a_value_that_is_almost_one() {
    assert_only(
        &load_with("[relation.\"题目\"]\nforms = [\"headin\"]"),
        Code::S004,
        "`headin` is no value of `forms`",
        "\"headin\"",
        Some("did you mean `heading`?"),
    );
}

#[test]
fn s004_a_way_to_cut_that_nobody_knows() {
    let text = SOUND.replace(
        "start = \"Report\"",
        "start = \"Report\"\nsegmentation = \"finance\"",
    );
    let loaded = load(&text);
    assert_only(
        &loaded,
        Code::S004,
        "`finance` is no value of `segmentation`",
        "\"finance\"",
        Some("use one of `clauses`, `predicates`"),
    );
    assert_eq!(loaded.schema.segmentation, Segmentation::Clauses);
}

#[test]
fn s004_a_section_that_holds_no_tables() {
    assert_only(
        &load(&format!(
            "cue = 3\n{}",
            SOUND.split("[rhetoric.").next().unwrap_or_default()
        )),
        Code::S004,
        "`cue` must hold tables, not integer",
        "3",
        Some("write `[cue.NAME]` before its keys"),
    );
}

#[test]
fn s005_a_parent_that_is_misspelt() {
    let loaded = load_with("[relation.Growth]\nparent = \"Rize\"");
    assert_only(
        &loaded,
        Code::S005,
        "the parent `Rize` is not declared",
        "\"Rize\"",
        Some("did you mean `Rise`?"),
    );
    let growth = loaded.schema.relation("Growth").expect("it is kept");
    assert_eq!(loaded.schema.ancestors(growth).count(), 1);
}

#[test]
fn s005_a_chinese_parent_is_offered_in_quotes() {
    assert_only(
        &load_with("[relation.Growth]\nparent = \"变化之变化\""),
        Code::S005,
        "the parent `变化之变化` is not declared",
        "\"变化之变化\"",
        Some("declare it with `[relation.\"变化之变化\"]`"),
    );
}

#[track_caller]
fn assert_cycle(loaded: &Loaded, blamed: &str, underlined: &str) {
    let message = format!("`{blamed}` is a kind of itself");
    let help = Some("a chain of parents must end");
    assert_only(loaded, Code::S006, &message, underlined, help);
}

#[test]
fn s006_its_own_parent() {
    let loaded = load_with("[relation.\"甲\"]\nparent = \"甲\"");
    assert_cycle(&loaded, "甲", "\"甲\"");
}

#[test]
fn s006_a_cycle_is_cut_at_its_first_member() {
    let cycle = "[relation.\"甲\"]\nparent = \"乙\"\n[relation.\"乙\"]\nparent = \"甲\"";
    let loaded = load_with(cycle);
    assert_cycle(&loaded, "甲", "\"乙\"");
    let id = |name| loaded.schema.relation(name).expect("it is kept");
    assert!(loaded.schema.is_a(id("乙"), id("甲")));
}

#[test]
fn s006_a_relation_below_a_cycle_is_not_blamed() {
    let below = "[relation.\"丙\"]\nparent = \"甲\"\n";
    let cycle = "[relation.\"甲\"]\nparent = \"乙\"\n[relation.\"乙\"]\nparent = \"甲\"";
    let loaded = load_with(&format!("{below}{cycle}"));
    assert_cycle(&loaded, "甲", "\"乙\"");
    let id = |name| loaded.schema.relation(name).expect("it is kept");
    assert!(loaded.schema.is_a(id("丙"), id("甲")));
}

#[test]
fn s007_one_name_for_a_relation_and_a_concept() {
    let loaded = load_with("[concept.Rise]\nkind = \"object\"\nwords = [\"涨幅\"]");
    assert_only(
        &loaded,
        Code::S007,
        "`Rise` is declared twice",
        "Rise",
        Some("rename one of them: a grammar could not tell them apart"),
    );
    let related = &loaded.diagnostics[0].related;
    assert_eq!(related.len(), 1);
    assert_eq!(
        (related[0].0.text(), related[0].1.as_str()),
        ("Rise", "first declared here")
    );
    assert!(
        loaded.schema.relation("Rise").is_some(),
        "the first one keeps it"
    );
}

#[test]
fn s008_a_name_with_a_space() {
    assert_only(
        &load_with("[relation.\"sharp rise\"]"),
        Code::S008,
        "`sharp rise` cannot be written in a grammar",
        "\"sharp rise\"",
        Some(
            "a name begins with a letter or a Chinese character and goes on with letters, digits, `-` and `_`",
        ),
    );
}

#[test]
fn s009_a_start_symbol_that_is_misspelt() {
    assert_only(
        &load(&SOUND.replace("start = \"Report\"", "start = \"Reprot\"")),
        Code::S009,
        "the start symbol `Reprot` is not declared",
        "\"Reprot\"",
        Some("did you mean `Report`?"),
    );
}

#[test]
fn s010_a_word_that_triggers_two_relations() {
    let loaded = load_with("[relation.Growth]\ntriggers = [\"增长\", \"走高\"]");
    assert_only(
        &loaded,
        Code::S010,
        "`走高` triggers both `Rise` and `Growth`",
        "\"走高\"",
        Some("`Rise` wins, as it comes first"),
    );
    let related = &loaded.diagnostics[0].related;
    assert_eq!(
        (related[0].0.text(), related[0].1.as_str()),
        ("\"走高\"", "first listed here")
    );
    assert_eq!(related[0].0.line_column().0, 13);
    assert_eq!(loaded.diagnostics[0].severity(), Severity::Warning);
    assert!(loaded.into_result().is_ok(), "a warning stops nothing");
}

#[test]
fn s011_an_empty_word() {
    let loaded = load_with("[cue.so]\nwords = [\"所以\", \" \"]");
    assert_only(
        &loaded,
        Code::S011,
        "empty word in `words`",
        "\" \"",
        Some("delete it"),
    );
    assert_eq!(loaded.schema.cue("so").map(|so| so.words.len()), Some(1));
}

#[test]
fn s012_a_sum_of_times() {
    assert_only(
        &load_with("[attribute.time]\ntype = \"time\"\nsynthesis = \"sum\""),
        Code::S012,
        "`sum` does not fit an attribute of type `time`",
        "\"sum\"",
        Some("`time` can take `nucleus`, `max`, `min`, `none`"),
    );
}

#[test]
fn s013_a_cue_class_that_is_misspelt() {
    assert_only(
        &load_with("[rhetoric.causal-result]\ncues = [\"becuase\"]"),
        Code::S013,
        "the cue class `becuase` is not declared",
        "\"becuase\"",
        Some("did you mean `because`?"),
    );
}

#[test]
fn s013_a_class_that_should_answer_another_is_misspelt() {
    assert_only(
        &load_with("[cue.although]\nanswered-by = [\"becuase\"]\nwords = [\"虽然\"]"),
        Code::S013,
        "the cue class `becuase` is not declared",
        "\"becuase\"",
        Some("did you mean `because`?"),
    );
}

#[test]
fn all_faults_are_reported_at_once_and_in_file_order() {
    let loaded = load_with(
        "[relation.Fall]\nparent = \"Chang\"\npolarity = 7\n[cue.so]\nwords = [\"\"]\nwrods = []",
    );
    let codes: Vec<Code> = loaded.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::S005, Code::S004, Code::S011, Code::S002]);
}

#[test]
fn a_hundred_thousand_generations_are_no_burden() {
    let mut text = SOUND.to_owned();
    for at in 0..100_000 {
        text.push_str(&format!("[relation.r{at}]\nparent = \"r{}\"\n", at + 1));
    }
    text.push_str("[relation.r100000]\nparent = \"Rise\"\n");
    let loaded = load(&text);
    assert!(loaded.diagnostics.is_empty(), "{}", complaints(&loaded));
    let youngest = loaded.schema.relation("r0").expect("it is declared");
    let change = loaded.schema.relation("Change").expect("it is declared");
    assert!(loaded.schema.is_a(youngest, change));
}

#[test]
fn nesting_without_end_is_an_error_and_no_crash() {
    let deep = 100_000;
    let arrays = format!("a = {}{}", "[".repeat(deep), "]".repeat(deep));
    let tables = format!("a = {}", "{a=".repeat(deep));
    let dotted = format!("{}a = 1", "a.".repeat(deep));
    for text in [arrays, tables, dotted] {
        let loaded = load(&text);
        assert!(loaded.diagnostics.iter().any(|d| d.code == Code::S001));
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_loader_panic(text in any::<String>()) {
        let _ = load(&text);
    }

    #[test]
    fn no_schema_like_text_makes_the_loader_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "[relation.", "[concept.", "[rhetoric.", "[attribute.", "[cue.", "[domain", "]\n",
                "甲", "乙", "\"", "parent = ", "\"甲\"\n", "\"乙\"\n", "polarity = ", "-1\n",
                "99999999999999999999\n", "0x1\n", "triggers = ", "words = ", "[", "]", "\"涨\"",
                ",", "\n", "kind = ", "type = ", "\"set\"\n", "synthesis = ", "\"max\"\n", "forms = ",
                "start = ", "name = ", "#", "=", ".", "{", "}", "'", "\"\"\"", "\u{feff}", "\0",
            ]),
            0..60,
        )
    ) {
        let _ = load(&pieces.concat());
    }

    #[test]
    fn a_schema_with_a_piece_cut_out_is_still_answered(
        from in 0..SOUND.len(),
        length in 0..40_usize,
    ) {
        let chars: Vec<char> = SOUND.chars().collect();
        let from = from.min(chars.len());
        let until = (from + length).min(chars.len());
        let text: String = chars[..from].iter().chain(&chars[until..]).collect();
        let loaded = load(&text);
        for diagnostic in &loaded.diagnostics {
            prop_assert!(diagnostic.place.is_some());
        }
        for id in 0..loaded.schema.relations.len() {
            let id = arsg::schema::RelationId(id as u32);
            prop_assert!(loaded.schema.ancestors(id).count() <= loaded.schema.relations.len());
        }
    }
}
