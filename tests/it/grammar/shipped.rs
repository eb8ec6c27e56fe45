//! Shipped grammars by name, and grammars that stand on them.

use arsg::automaton::{Engine, ParseOptions};
use arsg::diagnostic::{Code, Diagnostic};
use arsg::grammar::{
    Decide, Disk, Grammar, Loaded, Memory, embedded_grammar, embedded_path, embedded_texts,
};
use arsg::{Document, Error};

fn load(text: &str) -> Loaded {
    let files = Memory::new().with("grammars/mine.arsg", text);
    Grammar::load("grammars/mine.arsg", &files, None).unwrap()
}

fn only(loaded: &Loaded) -> &Diagnostic {
    match loaded.diagnostics.as_slice() {
        [one] => one,
        several => panic!("{several:?}"),
    }
}

const OVERLAY: &str = r#"
grammar  mine 1.0
use      "general"

rule which-shows
  _[explanation-evidence] <- _:S _:N             always
  when B.cue = which-shows
"#;

#[test]
fn one_rule_over_general_just_works() {
    let loaded = load(OVERLAY);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let general = embedded_grammar("general").unwrap();
    let grammar = loaded.grammar;
    assert_eq!(grammar.name, "mine");
    assert_eq!(grammar.schema_path, "general");
    assert_eq!(grammar.schema.hash, general.schema.hash);
    assert_eq!(grammar.start, general.start);
    assert_eq!(
        (grammar.decide, general.decide),
        (Decide::Weights, Decide::Weights)
    );
    assert_eq!(grammar.fallback, general.fallback);
    assert_eq!(grammar.size(), general.size() + 1);
    let engine = Engine::new(grammar);
    let document = Document::from_edus("t", [["街上空无一人，", "可见天气有多冷。"]]);
    let text = engine.read(&document);
    let steps = engine.steps(&text, &ParseOptions::default());
    let explainer =
        arsg::automaton::explain::Explainer::new(&engine, &text, &steps, &ParseOptions::default());
    let row = explainer.row(explainer.step_of(1, 2).unwrap()).unwrap();
    assert_eq!(row.made.relation.as_deref(), Some("explanation-evidence"));
    assert_eq!(row.by.last().map(String::as_str), Some("which-shows"));
}

#[test]
fn what_the_grammar_says_itself_goes_before_what_it_uses() {
    let loaded =
        load("use \"seed\"\nstart Passage\nfallback shift\nfallback _[joint-list] <- _:N _:N\n");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let grammar = loaded.grammar;
    assert_eq!(grammar.start, grammar.schema.relation("Passage"));
    assert_eq!(
        grammar.fallback.action.map(|action| action.as_str()),
        Some("shift")
    );
    let seed = embedded_grammar("seed").unwrap();
    assert_eq!(grammar.decide, seed.decide);
    assert_eq!(grammar.size(), seed.size());
}

#[test]
fn a_schema_that_stands_on_another_takes_its_rules() {
    let module = "schema \"general\"\n_[causal-cause] <- _:S _:N  x 3  when A.cue = because\n";
    let files = Memory::new()
        .with(
            "grammars/mine.arsg",
            "schema \"finance\"\nuse \"other.arsg\"\n",
        )
        .with("grammars/other.arsg", module);
    let loaded = Grammar::load("grammars/mine.arsg", &files, None).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(loaded.grammar.schema.name, "finance");
    assert_eq!(loaded.grammar.size(), 1);
    // The other way round, rules would speak of what the schema does not know.
    let files = Memory::new()
        .with(
            "grammars/mine.arsg",
            "schema \"general\"\nuse \"other.arsg\"\n",
        )
        .with("grammars/other.arsg", "schema \"finance\"\n");
    let loaded = Grammar::load("grammars/mine.arsg", &files, None).unwrap();
    assert_eq!(only(&loaded).code, Code::G035);
}

#[test]
fn a_name_that_nothing_shipped_has_is_told_with_the_nearest() {
    let loaded = load("schema \"general\"\nuse \"genral\"\n");
    let problem = only(&loaded);
    assert_eq!(problem.code, Code::G014);
    assert_eq!(problem.message, "no grammar `genral` is shipped");
    let help = problem.help.as_deref().unwrap();
    assert!(help.starts_with("did you mean `general`? "), "{help}");
    assert!(
        help.ends_with("a file is named with its ending: `genral.arsg`"),
        "{help}"
    );
    let error = embedded_path("genral").unwrap_err();
    assert!(matches!(&error, Error::Usage(said) if said.ends_with("did you mean `general`?")));
}

#[test]
fn a_name_is_never_a_file_and_a_file_never_a_name() {
    let own = "_[joint-list] <- _:N _:N  x 3";
    let files = Memory::new()
        .with(
            "grammars/mine.arsg",
            "schema \"general\"\nuse \"general.arsg\"\n",
        )
        .with("grammars/general.arsg", own)
        .with("grammars/general", own);
    let loaded = Grammar::load("grammars/mine.arsg", &files, None).unwrap();
    assert_eq!(loaded.grammar.size(), 1);
    let files = files.with("grammars/mine.arsg", "use \"general\"\n");
    let loaded = Grammar::load("grammars/mine.arsg", &files, None).unwrap();
    assert_eq!(
        loaded.grammar.size(),
        embedded_grammar("general").unwrap().size()
    );
}

/// A module that `seed` uses and that uses no other: its path and its text.
fn module() -> (&'static str, &'static str) {
    let used = embedded_grammar("seed").unwrap().modules;
    let is_used = |path: &str| used.iter().any(|module| module.ends_with(path));
    let mut texts = embedded_texts().iter().copied();
    let module = texts.find(|(path, text)| {
        *path != "grammars/seed.arsg"
            && is_used(path)
            && text.contains("\nrule ")
            && !text.contains("\nuse ")
    });
    module.unwrap()
}

#[test]
fn a_copy_of_a_shipped_module_is_read_once() {
    let (path, text) = module();
    let name = path.strip_prefix("grammars/").unwrap();
    let mut files = Memory::new().with(
        "grammars/mine.arsg",
        format!("use \"{name}\"\nuse \"seed\"\n"),
    );
    for (path, text) in embedded_texts()
        .iter()
        .filter(|(path, _)| path.starts_with("schemas/"))
    {
        files = files.with(path, *text);
    }
    let files = files.with(path, text);
    let loaded = Grammar::load("grammars/mine.arsg", &files, None).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(
        loaded.grammar.size(),
        embedded_grammar("seed").unwrap().size()
    );
}

#[test]
fn a_problem_with_a_shipped_rule_names_the_shipped_file() {
    let (path, text) = module();
    let rule = text.lines().find(|line| line.starts_with("rule ")).unwrap();
    let loaded = load(&format!(
        "use \"seed\"\n{rule}\n  _[joint-list] <- _:N _:N  x 3\n"
    ));
    let problem = only(&loaded);
    let (place, _) = problem.related.first().unwrap();
    assert_eq!(place.source().name(), format!("<embedded>/{path}"));
}

#[test]
fn shipped_grammars_load_by_path_whatever_the_files_are() {
    let path = embedded_path("finance").unwrap();
    let loaded = Grammar::load(path, &Disk::default(), None).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(loaded.grammar.schema_path, "finance");
    let text = loaded.grammar.to_text();
    assert!(load(&text).diagnostics.is_empty());
}
