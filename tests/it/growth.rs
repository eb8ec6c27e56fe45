//! Readers take time in proportion to what they read: four times as much takes about four times as
//! long, never sixteen times. Whole and broken files are both tried.

use std::time::Instant;

use arsg::Schema;
use arsg::automaton::cases::read_cases;
use arsg::behavior::LabelFile;
use arsg::diagnostic::{ErrorFormat, Renderer, Source};
use arsg::grammar::{Disk, Grammar, Memory};
use arsg::project::ProjectSettings;
use arsg::text::corpus::Reader;
use arsg::tree::{Format, read};

/// The best of some runs, in seconds: other tests share the machine.
fn seconds(work: &dyn Fn()) -> f64 {
    let times = (0..3).map(|_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    });
    times.fold(f64::MAX, f64::min)
}

/// Reads n, 2n and 4n pieces. What is shorter than a few milliseconds tells nothing and is forgiven.
fn assert_in_proportion(name: &str, n: usize, text: &dyn Fn(usize) -> String, read: &dyn Fn(&str)) {
    const FORGIVEN: f64 = 0.02;
    let time = |n: usize| {
        let text = text(n);
        seconds(&|| read(&text)) + FORGIVEN
    };
    let [one, two, four] = [n, 2 * n, 4 * n].map(time);
    assert!(two < 4.0 * one, "{name}: {one} s, then {two} s");
    assert!(four < 8.0 * one, "{name}: {one} s, then {four} s");
}

fn tree(format: Format) -> impl Fn(&str) {
    move |text| {
        let read = read(&Source::new("a", text), Some(format));
        let renderer = Renderer::default().format(ErrorFormat::Plain);
        renderer.render(&read.diagnostics);
    }
}

fn rs3(n: usize) -> String {
    let segments = (1..=n).map(|at| {
        format!("<segment id=\"{at}\" parent=\"0\" relname=\"joint\">下雨。</segment>\n")
    });
    let segments: String = segments.collect();
    format!(
        "<rst><header><relations><rel name=\"joint\" type=\"multinuc\"/></relations></header><body>{segments}<group id=\"0\" type=\"multinuc\"/></body></rst>"
    )
}

fn rs4(n: usize) -> String {
    let signals = (1..=n)
        .map(|at| format!("<signal source=\"{at}\" type=\"dm\" subtype=\"dm\" tokens=\"{at}\"/>"));
    let signals: String = signals.collect();
    rs3(n).replace("</body>", &format!("<signals>{signals}</signals></body>"))
}

/// A chain to the right, as deep as the text is long.
fn chain(n: usize, node: &dyn Fn(usize) -> (String, String)) -> String {
    let (mut front, mut back) = (String::new(), String::new());
    for at in 1..n {
        let (open, close) = node(at);
        front.push_str(&open);
        back.push_str(&close);
    }
    front + "\"完。\"" + &back
}

#[test]
fn trees_are_read_in_proportion() {
    assert_in_proportion("rs3", 2000, &rs3, &tree(Format::Rs3));
    let orphans = |n: usize| rs3(n).replace("parent=\"0\"", "parent=\"x\"");
    assert_in_proportion("rs3 of orphans", 2000, &orphans, &tree(Format::Rs3));
    assert_in_proportion("rs4", 2000, &rs4, &tree(Format::Rs4));
    let flat = |n: usize| format!("(list {} {})", "N".repeat(n), "\"下雨。\" ".repeat(n));
    assert_in_proportion("sexp", 4000, &flat, &tree(Format::Sexp));
    let deep = |n: usize| chain(n, &|_| ("(cause NS \"雨。\" ".to_owned(), ")".to_owned()));
    assert_in_proportion("deep sexp", 2000, &deep, &tree(Format::Sexp));
    let open = |n: usize| "(cause NS ".repeat(n);
    assert_in_proportion("open sexp", 4000, &open, &tree(Format::Sexp));
    let dis = |n: usize| {
        let leaf =
            |at: usize| format!("( Nucleus (leaf {at}) (rel2par List) (text _!下雨。_!) )\n");
        let leaves: String = (1..=n).map(leaf).collect();
        format!("( Root (span 1 {n})\n{leaves})")
    };
    assert_in_proportion("dis", 2000, &dis, &tree(Format::Dis));
    let broken = |n: usize| dis(n).replace("leaf", "leef");
    assert_in_proportion("broken dis", 2000, &broken, &tree(Format::Dis));
}

#[test]
fn dependencies_and_json_are_read_in_proportion() {
    let rsd = |n: usize| {
        let row = |at: usize| {
            let head = at - 1;
            let relation = if at == 1 { "ROOT" } else { "list_m" };
            format!("{at}\t下雨 。\t0\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
        };
        (1..=n).map(row).collect::<String>()
    };
    assert_in_proportion("rsd", 1000, &rsd, &tree(Format::Rsd));
    let signals = |n: usize| {
        let all = vec!["dm-因为-1-gold"; n].join(";");
        format!("1\t因为 下雨 。\t0\t_\t_\t_\t0\tROOT\t_\t{all}\n")
    };
    assert_in_proportion("rsd of signals", 4000, &signals, &tree(Format::Rsd));
    let json = |n: usize| {
        let edus = vec!["{\"text\":\"下雨。\"}"; n].join(",");
        let leaves = (1..=n).map(|at| format!("{{\"edu\":{at}}}"));
        let leaves = leaves.collect::<Vec<_>>().join(",");
        format!("{{\"edus\":[{edus}],\"nodes\":[{leaves}]}}")
    };
    assert_in_proportion("JSON", 4000, &json, &tree(Format::Json));
    let many = |n: usize| "{\"edus\":[{\"text\":\"下雨。\"}],\"nodes\":[{\"edu\":1}]}\n".repeat(n);
    assert_in_proportion("many JSON trees", 2000, &many, &tree(Format::Json));
}

#[test]
fn labels_cases_and_settings_are_read_in_proportion() {
    let label = |n: usize| "{\"action\":\"shift\"}\n".repeat(n);
    let read_label = |text: &str| drop(LabelFile::read(text.as_bytes(), "a.label"));
    let header = r#"{"label":1,"annotator":"a","schema":{"name":"finance","hash":""},"grammar":{"name":"a","hash":""},"document":{"id":"a","text":"下雨。"}}"#;
    let whole = |n: usize| format!("{header}\n{}", label(n));
    assert_in_proportion("labels", 5000, &whole, &read_label);
    let broken = |n: usize| format!("{header}\n{}", label(n).replace("shift", "shaft"));
    assert_in_proportion("broken labels", 5000, &broken, &read_label);
    let case = |n: usize| {
        let one = |at: usize| {
            format!("===\ncase {at}\n===\n因为下雨，\n比赛取消。\n---\n(causal-cause SN 1 2)\n\n")
        };
        (0..n).map(one).collect::<String>()
    };
    let read_case = |text: &str| drop(read_cases(&Source::new("a.case", text)));
    assert_in_proportion("cases", 1000, &case, &read_case);
    let twins = |n: usize| case(1).repeat(n);
    assert_in_proportion("cases of one name", 1000, &twins, &read_case);
    let settings = |n: usize| format!("grammar = '{}'\n", "a".repeat(100 * n));
    let read_settings = |text: &str| drop(ProjectSettings::load(&Source::new("arsg.toml", text)));
    assert_in_proportion("arsg.toml", 10_000, &settings, &read_settings);
    let unknown = |n: usize| (0..n).map(|at| format!("k{at} = 1\n")).collect::<String>();
    assert_in_proportion("unknown settings", 5000, &unknown, &read_settings);
}

#[test]
fn schemas_and_grammars_are_read_in_proportion() {
    let small = crate::fixtures::SMALL_SCHEMA;
    let schema = |n: usize| {
        let words = (0..n)
            .map(|at| format!("\"词{at}\""))
            .collect::<Vec<_>>()
            .join(", ");
        format!("{small}\n[relation.Grow]\ntriggers = [{words}]\n")
    };
    let read_schema = |text: &str| {
        let files = Memory::new().with("a.toml", text);
        drop(Schema::open("a.toml", &files));
    };
    assert_in_proportion("schemas", 2000, &schema, &read_schema);
    let broken = |n: usize| {
        (0..n)
            .map(|at| format!("[relation.R{at}]\nx = 1\n"))
            .collect()
    };
    assert_in_proportion("broken schemas", 500, &broken, &read_schema);
    let grammar = |n: usize| {
        let rule = |at: usize| format!("prefer shift if size(A) = {at}\n");
        format!(
            "grammar a\nschema \"finance\"\n\n{}",
            (0..n).map(rule).collect::<String>()
        )
    };
    let read_grammar = |text: &str| {
        let disk = Disk::default();
        let files = Memory::over(&disk).with("a.arsg", text);
        drop(Grammar::load("a.arsg", &files, None));
    };
    assert_in_proportion("grammars", 500, &grammar, &read_grammar);
}

#[test]
fn corpora_are_read_in_proportion() {
    let read_corpus = |text: &str| {
        let bytes = std::io::Cursor::new(text.to_owned());
        if let Ok(reader) = Reader::new(Box::new(bytes), "a", None) {
            reader.for_each(drop);
        }
    };
    let lines = |n: usize| "{\"id\":\"a\",\"text\":\"因为下雨，比赛取消了。\"}\n".repeat(n);
    assert_in_proportion("JSON lines", 5000, &lines, &read_corpus);
    let array = |n: usize| {
        let one = "{\n\"id\":\"a\",\n\"text\":\"因为下雨，比赛取消了。\"\n}";
        format!("[\n{}\n]", vec![one; n].join(",\n"))
    };
    assert_in_proportion("a JSON array", 3000, &array, &read_corpus);
    let open = |n: usize| "[\n".repeat(n);
    assert_in_proportion("an open JSON array", 5000, &open, &read_corpus);
    let sogou = |n: usize| {
        "<doc>\n<url>http://a.b/c</url>\n<docno>1</docno>\n<contenttitle>下雨</contenttitle>\n<content>比赛取消了。</content>\n</doc>\n".repeat(n)
    };
    assert_in_proportion("SogouCA", 5000, &sogou, &read_corpus);
    let open = |n: usize| "<doc>\n".repeat(n);
    assert_in_proportion("open records", 5000, &open, &read_corpus);
    let text = |n: usize| "因为下雨，比赛取消了。\n".repeat(n);
    assert_in_proportion("plain text", 10_000, &text, &read_corpus);
    let line = |n: usize| "因为下雨，比赛取消了。".repeat(n);
    assert_in_proportion("one line", 10_000, &line, &read_corpus);
    let bad = |n: usize| format!("{{\"id\":\"a\"{}\n", "\u{1}".repeat(n)).repeat(3);
    assert_in_proportion("broken lines", 20_000, &bad, &read_corpus);
}
