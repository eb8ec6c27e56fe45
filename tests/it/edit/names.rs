//! Names in several files: jumping, finding, renaming.

use std::path::{Path, PathBuf};

use arsg::edit::{Edit, Workspace, apply};
use arsg::grammar::Memory;

/// A small project: a grammar, a module of it, their schema, and a case.
pub(crate) const FILES: [(&str, &str); 5] = [
    (
        "arsg.toml",
        "grammar = \"grammars/news.arsg\"\ncases = \"cases\"\n",
    ),
    (
        "grammars/news.arsg",
        "grammar  news 1.0\nschema   \"../schemas/news.toml\"\nuse      \"causes.arsg\"\nstart    新闻\nfallback 新闻[并列] <- _:N _:N\n\n## 油价上涨，出口下降。\nrule 并列\n  新闻[并列] <- 上涨:N 下跌:N  x 3\n_[因果] <- 上涨:S 下跌:N  x 1\n",
    ),
    (
        "grammars/causes.arsg",
        "schema   \"../schemas/news.toml\"\n\n## 因为需求疲软，油价下跌。\nrule 因果在前\n  新闻[因果] <- _:S 下跌:N  x 12\n  when A.cue = 因为 and is(B, 下跌)\n  set  D.时间 = B.时间\n",
    ),
    (
        "schemas/news.toml",
        "[domain]\nname = \"news\"\nstart = \"新闻\"\n\n[relation.\"新闻\"]\n\n[relation.\"上涨\"]\ntriggers = [\"上涨\", \"增长\"]\n\n# 数量变少，价格变低。\n[relation.\"下跌\"]\nparent = \"新闻\"\ntriggers = [\"下跌\", \"下降\"]\n\n[rhetoric.\"因果\"]\nkind = \"rst\"\nclass = \"因果类\"\ncues = [\"因为\"]\n\n[rhetoric.\"并列\"]\nkind = \"multinuc\"\nclass = \"并列类\"\n\n[attribute.\"时间\"]\ntype = \"time\"\nleaf = \"time\"\n\n[cue.\"因为\"]\nwords = [\"因为\", \"由于\"]\n",
    ),
    (
        "cases/causes.case",
        "===\n需求与油价\n===\n因为需求疲软，\n油价下跌。\n---\n(因果 SN 1 2)\n",
    ),
];

pub(super) fn project() -> Workspace {
    let files = FILES
        .iter()
        .fold(Memory::new(), |files, (path, text)| files.with(path, *text));
    let mut workspace = Workspace::new(Box::new(files));
    workspace.know(FILES.iter().map(|(path, _)| PathBuf::from(path)));
    workspace
}

/// The byte where a text stands in a file, and a bit more.
pub(super) fn at(workspace: &mut Workspace, path: &str, near: &str, more: usize) -> usize {
    let source = workspace.text(Path::new(path)).unwrap();
    let found = source
        .text()
        .find(near)
        .unwrap_or_else(|| panic!("{near} is not in {path}"));
    found + more
}

fn after(workspace: &mut Workspace, path: &str, edits: &[Edit]) -> String {
    let own: Vec<Edit> = edits
        .iter()
        .filter(|edit| edit.spot.path == Path::new(path))
        .cloned()
        .collect();
    apply(workspace.text(Path::new(path)).unwrap().text(), &own)
}

#[test]
fn a_module_belongs_to_the_grammar_that_uses_it() {
    let mut workspace = project();
    let root = workspace.root_of(Path::new("grammars/causes.arsg"));
    assert_eq!(root, Path::new("grammars/news.arsg"));
    for (path, _) in &FILES[1..] {
        assert_eq!(workspace.problems(Path::new(path)), [], "{path}");
    }
}

#[test]
fn a_use_leads_to_the_schema_and_a_path_to_its_file() {
    let mut workspace = project();
    let path = "grammars/causes.arsg";
    let byte = at(&mut workspace, path, "因果]", 3);
    let spot = workspace.definition(Path::new(path), byte).unwrap();
    assert_eq!(spot.path, Path::new("schemas/news.toml"));
    let schema = workspace.text(&spot.path).unwrap();
    assert_eq!(
        &schema.text()[spot.range.start - 11..spot.range.end + 2],
        "[rhetoric.\"因果\"]"
    );
    let byte = at(&mut workspace, "grammars/news.arsg", "causes", 2);
    let spot = workspace
        .definition(Path::new("grammars/news.arsg"), byte)
        .unwrap();
    assert_eq!(spot.path, Path::new("grammars/causes.arsg"));
}

#[test]
fn a_symbol_is_renamed_in_three_files() {
    let mut workspace = project();
    let path = "grammars/causes.arsg";
    let byte = at(&mut workspace, path, "下跌:N", 0);
    let edits = workspace.rename(Path::new(path), byte, "Fall").unwrap();
    let files: std::collections::BTreeSet<&Path> =
        edits.iter().map(|edit| edit.spot.path.as_path()).collect();
    assert_eq!(files.len(), 3, "{edits:?}");
    let causes = after(&mut workspace, path, &edits);
    assert!(
        causes.contains("<- _:S Fall:N") && causes.contains("is(B, Fall)"),
        "{causes}"
    );
    // The words of the text are no names.
    assert!(causes.contains("油价下跌。"), "{causes}");
    let schema = after(&mut workspace, "schemas/news.toml", &edits);
    assert!(schema.contains("[relation.\"Fall\"]"), "{schema}");
    assert!(
        schema.contains("triggers = [\"下跌\", \"下降\"]"),
        "{schema}"
    );
    for path in [
        "grammars/causes.arsg",
        "grammars/news.arsg",
        "schemas/news.toml",
    ] {
        let text = after(&mut workspace, path, &edits);
        workspace.open(Path::new(path), text);
    }
    for path in [
        "grammars/causes.arsg",
        "grammars/news.arsg",
        "schemas/news.toml",
    ] {
        assert_eq!(workspace.problems(Path::new(path)), [], "{path}");
    }
}

#[test]
fn a_relation_is_renamed_in_cases_too() {
    let mut workspace = project();
    let byte = at(&mut workspace, "schemas/news.toml", "rhetoric.\"因果", 10);
    let edits = workspace
        .rename(Path::new("schemas/news.toml"), byte, "原因")
        .unwrap();
    let case = after(&mut workspace, "cases/causes.case", &edits);
    assert!(case.ends_with("(原因 SN 1 2)\n"), "{case}");
    assert_eq!(edits.len(), 4, "{edits:?}");
}

#[test]
fn a_name_that_clashes_or_cannot_be_written_is_refused() {
    let mut workspace = project();
    let path = Path::new("grammars/causes.arsg");
    let symbol = at(&mut workspace, "grammars/causes.arsg", "下跌:N", 0);
    let rule = at(&mut workspace, "grammars/causes.arsg", "因果在前", 0);
    let function = at(&mut workspace, "grammars/causes.arsg", "is(B", 1);
    let cue = at(&mut workspace, "grammars/causes.arsg", "因为 and", 1);
    let mut said = |byte: usize, name: &str| match workspace.rename(path, byte, name) {
        Ok(edits) => format!("{} edits", edits.len()),
        Err(error) => error.to_string(),
    };
    assert!(said(symbol, "上涨").contains("has a domain relation `上涨` already"));
    assert!(said(symbol, "a b").contains("cannot be a name"));
    assert!(said(symbol, "when").contains("word of the language"));
    assert!(said(rule, "并列").contains("another rule is called `并列`"));
    assert_eq!(said(rule, "在前"), "1 edits");
    assert!(said(function, "kind").contains("it cannot be renamed"));
    // Cue classes have names of their own.
    assert_eq!(said(cue, "下跌"), "3 edits");
}

#[test]
fn what_ships_with_arsg_keeps_its_names() {
    let mut workspace = Workspace::new(Box::new(Memory::new()));
    let path = Path::new("mine.arsg");
    workspace.open(
        path,
        "schema \"general\"\n_[causal-cause] <- _:S _:N  x 2\n",
    );
    let byte = at(&mut workspace, "mine.arsg", "causal", 2);
    let error = workspace
        .rename(path, byte, "cause")
        .unwrap_err()
        .to_string();
    assert!(error.contains("ships with arsg"), "{error}");
    let spot = workspace.definition(path, byte).unwrap();
    assert!(Workspace::is_shipped(&spot.path));
    assert!(workspace.text(&spot.path).is_some());
}
