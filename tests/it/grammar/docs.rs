//! `docs/grammar.md` tells the truth: its examples check, its tables are those of the program.

use arsg::Grammar;
use arsg::diagnostic::{Renderer, Source};
use arsg::grammar::functions::{Answer, Domain, FUNCTIONS, Function, Scope};
use arsg::grammar::{Memory, embedded_files, format, usage};
use arsg::text::words::tails;

use crate::fixtures::FINANCE;
use crate::golden::{assert_in_step, is_updating};

const PAGE: &str = "docs/grammar.md";

#[test]
fn every_example_does_what_the_page_says() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut seen = 0;
    for (kind, example) in examples(&page) {
        let found = check(&example);
        match kind.strip_prefix("arsg-wrong ") {
            None => {
                let said = Renderer::default().render(&found);
                assert!(found.is_empty(), "{example}\n{said}");
            }
            Some(code) => {
                let codes: Vec<&str> = found.iter().map(|d| d.code.as_str()).collect();
                assert!(
                    codes.contains(&code),
                    "{example}\nwants {code}, has {codes:?}"
                );
            }
        }
        seen += 1;
    }
    assert!(seen > 12, "only {seen} examples");
}

#[test]
fn every_example_stands_in_canonical_layout() {
    // The test below writes the page anew, then its examples stand as they should.
    if !is_updating() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        assert_in_step(PAGE, &laid_out(&page));
    }
}

#[test]
fn the_tables_are_those_of_the_program() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let filled = fill(&page, "functions", &functions_table());
    let filled = fill(&filled, "tails", &tails_table());
    let filled = fill(&filled, "vocabulary", &vocabulary_tables());
    assert_in_step(PAGE, &laid_out(&filled));
}

/// The page with its examples as `fmt` writes them.
fn laid_out(page: &str) -> String {
    let mut laid_out = page.to_owned();
    for (_, example) in examples(page).iter().filter(|(kind, _)| kind == "arsg") {
        let canonical = format(&Source::new("example", example.as_str())).unwrap();
        let fenced = |text: &str| format!("```arsg\n{text}```");
        laid_out = laid_out.replace(&fenced(example), &fenced(&canonical));
    }
    laid_out
}

/// The fenced blocks of the language, with what stands behind the fence.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```arsg") else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        found.push((format!("arsg{kind}"), body.join("\n") + "\n"));
    }
    found
}

/// Checks an example as a module: rules need the vocabulary, whole grammars the shipped modules.
fn check(example: &str) -> Vec<arsg::Diagnostic> {
    let text = if example.contains("schema ") {
        example.to_owned()
    } else {
        format!("schema \"../schemas/finance.toml\"\n{example}")
    };
    // A grammar that says where it starts would be blamed for all it leaves out.
    let text = text.replace("start    Report\n", "");
    let shipped = embedded_files();
    let files = Memory::over(&shipped).with("grammars/example.arsg", text);
    Grammar::load("grammars/example.arsg", &files, None)
        .unwrap()
        .check()
}

fn fill(page: &str, name: &str, table: &str) -> String {
    let (start, end) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = page.split_once(&start).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    format!("{before}{start}{table}{end}{after}")
}

fn functions_table() -> String {
    let mut table = String::from("| | answers | | 含义 |\n|---|---|---|---|\n");
    for function in &FUNCTIONS {
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            usage(function),
            answer(function),
            function.doc,
            function.zh
        ));
    }
    let of = |scope| FUNCTIONS.iter().filter(|f| f.scope == scope).count();
    let (words, lines, trees) = (of(Scope::Words), of(Scope::Lines), of(Scope::Trees));
    table
        + &format!(
            "\n{} functions, {words} of them for boundary rules only, {lines} for block rules only and {trees} for \
             queries over trees only.\n",
            FUNCTIONS.len()
        )
}

fn answer(function: &Function) -> String {
    match function.result {
        Answer::Bool => "true, false".to_owned(),
        Answer::Int(..) => "int".to_owned(),
        Answer::Float(low, high) if (low, high) == (0.0, 1.0) => "float, 0 to 1".to_owned(),
        Answer::Float(..) => "float".to_owned(),
        Answer::Text => "text".to_owned(),
        Answer::SameAsArgument => "as given".to_owned(),
        Answer::Set(_) => "set of cue classes".to_owned(),
        Answer::Symbol(domain) => match domain {
            Domain::Values(_) | Domain::Tails => domain
                .list()
                .unwrap_or_default()
                .iter()
                .map(|value| format!("`{value}`"))
                .collect::<Vec<_>>()
                .join(" "),
            Domain::Ordered(values) if values.len() < 8 => values
                .iter()
                .map(|value| format!("`{value}`"))
                .collect::<Vec<_>>()
                .join(" < "),
            Domain::Ordered(_) => "a level, see below".to_owned(),
            Domain::Relations => "a symbol of the schema".to_owned(),
            Domain::Rhetoric => "a rhetorical relation".to_owned(),
            Domain::Classes => "a class of relations".to_owned(),
            Domain::Cues => "a cue class, or `none`".to_owned(),
            _ => "symbol".to_owned(),
        },
        other => panic!("the table has no words for {other:?}"),
    }
}

fn vocabulary_tables() -> String {
    let listing = FINANCE.schema.listing();
    let quoted = |names: &[&str]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        quoted.join(" ")
    };
    let mut out = String::from("| symbol 符号 | its kinds 下位符号 |\n|---|---|\n");
    for (at, root) in listing.symbols.iter().enumerate() {
        if root.depth == 0 {
            let kinds = listing.symbols.iter().skip(at + 1);
            let kinds: Vec<&str> = kinds
                .take_while(|symbol| symbol.depth > 0)
                .map(|symbol| symbol.name.as_str())
                .collect();
            out.push_str(&format!("| `{}` | {} |\n", root.name, quoted(&kinds)));
        }
    }
    out.push_str("\n| class 大类 | rhetorical relations 修辞关系 |\n|---|---|\n");
    let mut classes: Vec<&str> = listing.rhetoric.iter().map(|r| r.class.as_str()).collect();
    classes.dedup();
    for class in classes {
        let of_class = listing.rhetoric.iter().filter(|r| r.class == class);
        let names: Vec<String> = of_class
            .map(|r| {
                if r.multinuclear {
                    format!("`{}` (nuclei)", r.name)
                } else {
                    format!("`{}`", r.name)
                }
            })
            .collect();
        out.push_str(&format!("| {class} | {} |\n", names.join(" ")));
    }
    out.push_str("\n| attribute 属性 | type 类型 | leaves have it 叶上有值 | values 取值 |\n|---|---|---|---|\n");
    for attribute in &listing.attributes {
        let values: Vec<&str> = attribute.values.iter().map(String::as_str).collect();
        let on_leaves = if attribute.on_leaves {
            "yes 是"
        } else {
            "no, equations set it 否"
        };
        let (name, kind) = (&attribute.name, attribute.value_type);
        out.push_str(&format!(
            "| `{name}` | {kind} | {on_leaves} | {} |\n",
            quoted(&values)
        ));
    }
    out.push_str(
        "\n| cue class 连接词类 | words, for example 例词 | answered by 与之呼应 |\n|---|---|---|\n",
    );
    for cue in &listing.cues {
        let words: Vec<&str> = cue.words.iter().take(4).map(String::as_str).collect();
        let answers: Vec<&str> = cue.answered_by.iter().map(String::as_str).collect();
        let (name, words) = (&cue.name, words.join("、"));
        out.push_str(&format!("| `{name}` | {words} | {} |\n", quoted(&answers)));
    }
    out
}

fn tails_table() -> String {
    let mut table = String::from("| class | words 词 |\n|---|---|\n");
    for class in tails() {
        table.push_str(&format!(
            "| `{}` | {} |\n",
            class.name,
            class.words.join("、")
        ));
    }
    table
}
