//! One test for each thing an editor can ask.

use std::fs;

use serde_json::{Value, json};

use super::client::Client;
use crate::edit::names::FILES;

const CAUSES: &str = "grammars/causes.arsg";
const NEWS: &str = "grammars/news.arsg";
const SCHEMA: &str = "schemas/news.toml";
const CASES: &str = "cases/causes.case";

fn project() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let client = Client::start(folder.path());
    (folder, client)
}

macro_rules! snapshot {
    ($client:expr, $value:expr) => {
        insta::assert_snapshot!($client.plain(&$value))
    };
}

#[test]
fn the_server_says_what_it_can() {
    let (_folder, client) = project();
    snapshot!(client, client.greeting["capabilities"]);
    client.stop();
}

#[test]
fn problems_come_with_code_help_and_a_page() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    assert_eq!(client.problems_of(CAUSES), Vec::<Value>::new());
    client.retype(CAUSES, "因果]", "因]");
    client.retype(CAUSES, "rule 因果在前", "rule 并列");
    let problems = client.problems_of(CAUSES);
    snapshot!(client, json!(problems));
    // The page is there, and has the code.
    let page = fs::read_to_string(client.folder.join(".shelf/codes.md")).unwrap();
    assert!(page.contains("## G018"));
    client.stop();
}

#[test]
fn problems_of_a_module_come_and_go_with_the_grammar_that_uses_it() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    client.open(NEWS);
    client.retype(NEWS, "rule 并列", "rule 因果在前");
    let told = client.problems_of(NEWS);
    assert_eq!(told[0]["code"], "G026", "{told:?}");
    client.retype(CAUSES, "rule 因果在前", "rule 另一条");
    assert_eq!(client.problems_of(NEWS), Vec::<Value>::new());
    client.stop();
}

#[test]
fn a_problem_has_ways_out() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    client.retype(CAUSES, "A.cue = 因为", "A.cue == 因");
    client.retype(CAUSES, "新闻[因果]", "新闻[转折]");
    let problems = client.problems_of(CAUSES);
    let end = client.position(CAUSES, client.text(CAUSES).len());
    let asked = json!({
        "textDocument": {"uri": client.uri(CAUSES)},
        "range": {"start": {"line": 0, "character": 0}, "end": end},
        "context": {"diagnostics": problems},
    });
    let actions = client.ask("textDocument/codeAction", asked);
    snapshot!(client, actions);
    client.stop();
}

#[test]
fn completion_knows_what_can_stand_there() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    client.retype(CAUSES, "A.cue = 因为 and is(B, 下跌)", "A.cue = ");
    let asked = client.place(CAUSES, "A.cue = ", "A.cue = ".len());
    let items = client.ask("textDocument/completion", asked);
    snapshot!(client, items);
    client.stop();
}

#[test]
fn hover_tells_a_relation_in_markdown() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    let asked = client.place(CAUSES, "因果]", 0);
    let hover = client.ask("textDocument/hover", asked);
    snapshot!(client, hover);
    client.stop();
}

#[test]
fn definition_references_and_highlights() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    let mut asked = client.place(CAUSES, "下跌:N", 0);
    let definition = client.ask("textDocument/definition", asked.clone());
    let highlights = client.ask("textDocument/documentHighlight", asked.clone());
    asked["context"] = json!({"includeDeclaration": true});
    let references = client.ask("textDocument/references", asked);
    snapshot!(
        client,
        json!({"definition": definition, "references": references, "highlights": highlights})
    );
    client.stop();
}

#[test]
fn a_shipped_name_leads_to_a_file_that_any_editor_can_open() {
    let (_folder, mut client) = project();
    client.open_with(
        "own.arsg",
        "schema \"general\"\n_[causal-cause] <- _:S _:N\n",
    );
    let asked = client.place("own.arsg", "causal-cause", 3);
    let found = client.ask("textDocument/definition", asked);
    let uri = found["uri"].as_str().unwrap();
    let path = uri.strip_prefix("file://").unwrap();
    let text = fs::read_to_string(path).unwrap();
    let line = found["range"]["start"]["line"].as_u64().unwrap() as usize;
    assert_eq!(text.lines().nth(line), Some("[rhetoric.causal-cause]"));
    client.stop();
}

#[test]
fn rename_changes_three_files_and_is_refused_where_it_clashes() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    let mut asked = client.place(CAUSES, "下跌:N", 0);
    let prepared = client.ask("textDocument/prepareRename", asked.clone());
    asked["newName"] = json!("上涨");
    let refused = client.ask("textDocument/rename", asked.clone());
    asked["newName"] = json!("降低");
    let edit = client.ask("textDocument/rename", asked);
    snapshot!(
        client,
        json!({"prepared": prepared, "refused": refused, "edit": edit})
    );
    client.stop();
}

#[test]
fn outline_symbols_and_folds() {
    let (_folder, mut client) = project();
    client.open(NEWS);
    client.open(SCHEMA);
    let asked = client.document(NEWS);
    let outline = client.ask("textDocument/documentSymbol", asked.clone());
    let folds = client.ask("textDocument/foldingRange", asked);
    let symbols = client.ask("workspace/symbol", json!({"query": "并"}));
    snapshot!(
        client,
        json!({"outline": outline, "folds": folds, "symbols": symbols})
    );
    client.stop();
}

#[test]
fn layout_of_a_file_a_part_and_what_is_typed() {
    let (_folder, mut client) = project();
    let text =
        "schema \"../schemas/news.toml\"\n新闻[因果]<-_:S 下跌:N x 2\n_[因果] <- _:S _:N x 3\n";
    client.open_with("grammars/b.arsg", text);
    let asked = client.document("grammars/b.arsg");
    let whole = client.ask("textDocument/formatting", asked.clone());
    let mut part = asked.clone();
    part["range"] =
        json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}});
    let part = client.ask("textDocument/rangeFormatting", part);
    client.retype("grammars/b.arsg", "_:S 下跌", "_：S 下跌");
    let mut typed = client.place("grammars/b.arsg", "：", "：".len());
    typed["ch"] = json!("：");
    typed["options"] = asked["options"].clone();
    let typed = client.ask("textDocument/onTypeFormatting", typed);
    snapshot!(
        client,
        json!({"whole": whole, "part": part, "typed": typed})
    );
    client.stop();
}

#[test]
fn words_are_coloured_by_what_they_are() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    let asked = client.document(CAUSES);
    let found = client.ask("textDocument/semanticTokens/full", asked);
    let data: Vec<u64> = found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    let legend = &client.greeting["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let (mut line, mut column) = (0, 0);
    let mut told = String::new();
    for token in data.chunks(5) {
        line += token[0];
        column = if token[0] > 0 {
            token[1]
        } else {
            column + token[1]
        };
        let start = json!({"line": line, "character": column});
        let end = json!({"line": line, "character": column + token[2]});
        let stretch = client.stretch(CAUSES, &json!({"start": start, "end": end}));
        let word = &client.text(CAUSES)[stretch];
        told.push_str(&format!(
            "{word}  {} {}\n",
            legend[token[3] as usize].as_str().unwrap(),
            token[4]
        ));
    }
    insta::assert_snapshot!(told);
    client.stop();
}

#[test]
fn hints_lenses_and_commands() {
    let (_folder, mut client) = project();
    client.open(NEWS);
    client.open(CAUSES);
    client.open(CASES);
    let end = client.position(NEWS, client.text(NEWS).len());
    let mut asked = client.document(NEWS);
    asked["range"] = json!({"start": {"line": 0, "character": 0}, "end": end});
    let hints = client.ask("textDocument/inlayHint", asked);
    let asked = client.document(CAUSES);
    let before = client.ask("textDocument/codeLens", asked.clone());
    let uri = client.uri(CAUSES);
    let counted = client.ask(
        "workspace/executeCommand",
        json!({"command": "arsg.count", "arguments": [uri]}),
    );
    let after = client.ask("textDocument/codeLens", asked);
    let of_cases = client.document(CASES);
    let cases = client.ask("textDocument/codeLens", of_cases);
    snapshot!(
        client,
        json!({"hints": hints, "before": before, "counted": counted, "after": after, "cases": cases})
    );
    client.stop();
}

#[test]
fn a_case_is_run_and_takes_the_found_tree() {
    let (_folder, mut client) = project();
    client.open(CASES);
    client.retype(CASES, "SN", "NS");
    let uri = client.uri(CASES);
    let run = json!({"command": "arsg.runCase", "arguments": [uri, "需求与油价"]});
    let runs = client.ask("workspace/executeCommand", run.clone());
    assert_eq!(runs[0]["outcome"], "failed");
    let (method, shown) = client.heard.pop().unwrap();
    assert_eq!(method, "window/showMessage");
    assert!(
        shown["message"]
            .as_str()
            .unwrap()
            .starts_with("需求与油价: failed")
    );
    let take = json!({"command": "arsg.takeTree", "arguments": [uri, "需求与油价"]});
    assert_eq!(
        client.ask("workspace/executeCommand", take),
        json!({"changes": 1})
    );
    let (method, asked) = client.heard.pop().unwrap();
    assert_eq!(method, "workspace/applyEdit");
    client.apply_all(&asked["edit"]);
    let runs = client.ask("workspace/executeCommand", run);
    assert_eq!(runs[0]["outcome"], "passed", "{runs}");
    client.stop();
}

#[test]
fn a_text_is_parsed_with_the_grammar_as_it_is_typed() {
    let (_folder, mut client) = project();
    client.open(CAUSES);
    let uri = client.uri(CAUSES);
    let parse = json!({"command": "arsg.parse", "arguments": [uri, "因为需求疲软，油价下跌。"]});
    let parsed = client.ask("workspace/executeCommand", parse.clone());
    assert!(
        parsed["drawn"].as_str().unwrap().contains("因果"),
        "{parsed}"
    );
    assert!(parsed["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(parsed["explained"].as_str().unwrap().contains("因果在前"));
    client.retype(CAUSES, "因果]", "因]");
    let refused = client.ask("workspace/executeCommand", parse);
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("unknown rhetorical relation"),
        "{refused}"
    );
    client.stop();
}

#[test]
fn a_client_that_counts_bytes_is_answered_in_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let offer = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    let mut client = Client::start_with(folder.path(), offer);
    assert_eq!(client.greeting["capabilities"]["positionEncoding"], "utf-8");
    client.open_with("a.arsg", "schema \"general\"\n# 注：\n_[causal-cause] <- _:S _:N when A.begins = \"因\" and A.cue == so\n");
    let problems = client.problems_of("a.arsg");
    let range = client.stretch("a.arsg", &problems[0]["range"]);
    assert_eq!(&client.text("a.arsg")[range], "==");
    client.stop();
}

#[test]
fn what_is_not_understood_is_refused_and_nothing_breaks() {
    let (_folder, mut client) = project();
    let unknown = client.ask("textDocument/moniker", json!({}));
    assert!(
        unknown["error"]
            .as_str()
            .unwrap()
            .contains("is not answered")
    );
    let wrong = client.ask("textDocument/hover", json!({"textDocument": 3}));
    assert!(wrong["error"].is_string());
    client.tell("textDocument/didChange", json!({"textDocument": 3}));
    client.tell("textDocument/didOpen", json!({"textDocument": {"uri": "untitled:1", "languageId": "arsg", "version": 1, "text": "rule"}}));
    let nothing = client.ask(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///nowhere/a.arsg"}, "position": {"line": 9, "character": 9}}),
    );
    assert_eq!(nothing, Value::Null);
    client.open(CAUSES);
    assert_eq!(client.problems_of(CAUSES), Vec::<Value>::new());
    client.stop();
}
