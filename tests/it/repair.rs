//! From a wrong node to a rule: what is proposed is tried, and what is accepted does what was said of it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use arsg::automaton::cases::{Verdict, read_case_file};
use arsg::automaton::{Engine, ParseOptions};
use arsg::demo;
use arsg::diagnostic::Source;
use arsg::files::Disk;
use arsg::gold::{gold_of_cases, read_gold};
use arsg::grammar::{Grammar, Roles, embedded_grammar, format};
use arsg::profile::Profile;
use arsg::repair::{Answer, Correction, Home, Repair, Wanted};
use arsg::text::Document;
use arsg::tree::{EduSpan, Format, read};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::fixtures::{content, project};

/// A project of `arsg init`, whose files nobody changes.
static PROJECT: LazyLock<TempDir> = LazyLock::new(project);

/// Its grammar with its gold texts.
static REPAIR: LazyLock<Repair> = LazyLock::new(|| repair_in(PROJECT.path()));

fn repair_in(folder: &Path) -> Repair {
    let grammar = Grammar::read(folder.join("grammars/finance.arsg"));
    let grammar = grammar.unwrap().into_result().unwrap();
    let paths = [folder.join("cases"), folder.join("trees")];
    let gold = read_gold(&paths, Some(&folder.join("corpus"))).unwrap();
    Repair::new(grammar, gold.texts, Vec::new(), ParseOptions::default())
}

fn home(folder: &Path) -> Home {
    Home {
        grammar: folder.join("grammars/finance.arsg").display().to_string(),
        project: Some(folder.join("arsg.toml")),
        cases: Some(folder.join("cases")),
    }
}

fn today() -> Document {
    let edus = [
        "国家统计局10日发布的数据显示，",
        "8月份全国居民消费价格同比上涨2.4%，",
        "涨幅比上月扩大0.2个百分点。",
        "但鲜菜价格下降2.7%。",
    ];
    Document::from_edus("today", [edus])
}

fn asked(repair: &Repair, document: &Document, node: &str, to: &str) -> Answer {
    let correction = Correction::read(node, to, repair.engine().schema()).unwrap();
    repair.propose(document, &[correction]).unwrap()
}

/// The grammar of a project as it stands on disk, ready to parse.
fn engine_of(folder: &Path) -> Engine {
    let loaded = Grammar::read(folder.join("grammars/finance.arsg")).unwrap();
    let problems = loaded.check();
    assert!(problems.is_empty(), "{problems:?}");
    Engine::new(loaded.into_result().unwrap())
}

#[test]
fn a_wrong_node_gets_rules_from_general_to_specific() {
    let answer = asked(&REPAIR, &today(), "2-3", "elaboration-additional NS");
    let proposals = &answer.corrections[0].proposals;
    assert!((2..=5).contains(&proposals.len()), "{}", answer.to_text());
    assert!(proposals.iter().all(|proposal| proposal.holds));
    let spoke: Vec<usize> = proposals.iter().map(|one| one.effect.spoke).collect();
    assert!(spoke.is_sorted_by(|a, b| a >= b), "{spoke:?}");
    let rules: Vec<&String> = proposals.iter().flat_map(|one| &one.rules).collect();
    for rule in &rules {
        assert!(rule.contains("_[elaboration-additional] <- "), "{rule}");
        assert!(rule.starts_with("## 8月份全国居民消费价格"), "{rule}");
    }
    let again = asked(&REPAIR, &today(), "2-3", "elaboration-additional NS");
    assert_eq!(answer.to_text(), again.to_text());
}

#[test]
fn a_span_that_was_crossed_is_waited_for() {
    let document = Document::from_edus(
        "wait",
        [["因为原料价格上涨，", "企业利润下降，", "股价下跌。"]],
    );
    let answer = asked(&REPAIR, &document, "2-3", "joint-list");
    let one = &answer.corrections[0];
    assert!(
        one.divergence
            .as_ref()
            .unwrap()
            .contains("wait for the next EDU")
    );
    assert!(one.proposals.iter().any(|proposal| proposal.holds));
    let rules = &one.proposals[0].rules;
    assert!(rules[0].contains("prefer shift"), "{rules:?}");
    // What is joined too late is joined before.
    let found = REPAIR.engine().parse(&today());
    assert!(found.tree().is_some());
    let answer = asked(&REPAIR, &document, "1-2", "not a node");
    let proposals = &answer.corrections[0].proposals;
    assert!(proposals.iter().any(|proposal| proposal.holds));
}

#[test]
fn what_is_right_or_impossible_is_said() {
    let answer = asked(&REPAIR, &today(), "2-3", "a node");
    assert!(answer.corrections[0].holds);
    assert!(answer.corrections[0].proposals.is_empty());
    let schema = REPAIR.engine().schema();
    for (node, to, said) in [
        ("2-3", "causal-couse", "did you mean `causal-cause`?"),
        ("2-3", "causal-cause NN", "cannot have the roles `NN`"),
        ("3-2", "a node", "names no EDUs"),
        ("2", "a node", "two EDUs or more"),
    ] {
        let error = Correction::read(node, to, schema).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let far = Correction::read("8-9", "a node", schema).unwrap();
    let error = REPAIR.propose(&today(), &[far]).unwrap_err().to_string();
    assert!(error.contains("has EDUs 1 to 4"), "{error}");
    let crossing = [("1-2", "a node"), ("2-3", "a node")];
    let crossing: Vec<Correction> = crossing
        .iter()
        .map(|(node, to)| Correction::read(node, to, schema).unwrap())
        .collect();
    let answer = REPAIR.propose(&today(), &crossing).unwrap();
    let told = answer.to_text();
    assert!(
        told.contains("contradiction: EDUs 1-2 cannot be a node when EDUs 2-3 are a node"),
        "{told}"
    );
    assert!(Correction::attach("1", "3-4", None, schema).is_err());
    assert_eq!(
        Correction::attach("1", "2-4", None, schema).unwrap().len(),
        2
    );
}

#[test]
fn a_gold_tree_that_says_the_opposite_is_told() {
    let text = REPAIR
        .treebank()
        .texts
        .iter()
        .find(|text| !text.gold.is_case)
        .unwrap();
    let gold = text
        .gold
        .tree
        .post_order()
        .find(|(_, node)| node.pair().is_some());
    let span = gold.unwrap().1.span();
    let correction = Correction {
        span,
        wanted: Wanted::NoNode,
    };
    let answer = REPAIR.propose(&text.gold.document, &[correction]).unwrap();
    if !answer.corrections[0].holds {
        let told = answer.to_text();
        assert!(
            told.contains("contradiction: the gold tree of this text"),
            "{told}"
        );
    }
}

#[test]
fn what_is_accepted_stands_in_its_module_with_a_case() {
    let folder = project();
    let repair = repair_in(folder.path());
    let before = content(folder.path());
    let answer = asked(&repair, &today(), "2-3", "elaboration-additional NS");
    let home = home(folder.path());
    let edits = repair
        .accept(&answer, &[1], &home, &Disk::default())
        .unwrap();
    assert_eq!(content(folder.path()), before, "nothing is written yet");
    assert!(
        repair
            .accept(&answer, &[99], &home, &Disk::default())
            .is_err()
    );
    let diff = edits.diff();
    let taken = diff
        .lines()
        .filter(|line| line.starts_with('-') && !line.starts_with("---"));
    assert_eq!(taken.count(), 0, "{diff}");
    edits.write().unwrap();
    let error = edits.write().unwrap_err().to_string();
    assert!(error.contains("has changed meanwhile"), "{error}");
    let engine = engine_of(folder.path());
    let case = folder.path().join("cases/fixed.case");
    let cases = read_case_file(&case).unwrap().into_result().unwrap();
    assert_eq!(cases.len(), 1);
    let options = ParseOptions::default();
    assert!(matches!(cases[0].run(&engine, &options), Verdict::Passed));
    assert!(!matches!(
        cases[0].run(repair.engine(), &options),
        Verdict::Passed
    ));
}

#[test]
fn a_project_on_a_shipped_grammar_gets_rules_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let toml = folder.path().join("arsg.toml");
    std::fs::write(&toml, "grammar = \"general\" # as it ships\n").unwrap();
    let grammar = embedded_grammar("general").unwrap();
    let repair = Repair::new(grammar, Vec::new(), Vec::new(), ParseOptions::default());
    let document = Document::from_edus("t", [["受台风影响，", "航线停航，", "旅客滞留机场。"]]);
    let answer = asked(&repair, &document, "2-3", "causal-result NS");
    let home = Home {
        grammar: "general".to_owned(),
        project: Some(toml.clone()),
        cases: None,
    };
    let lone = Home {
        project: None,
        ..home.clone()
    };
    let error = repair
        .accept(&answer, &[1], &lone, &Disk::default())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("arsg init DIR --grammar general")
    );
    let edits = repair
        .accept(&answer, &[1], &home, &Disk::default())
        .unwrap();
    edits.write().unwrap();
    let text = std::fs::read_to_string(&toml).unwrap();
    assert_eq!(text, "grammar = \"grammars/mine.arsg\" # as it ships\n");
    let mine = folder.path().join("grammars/mine.arsg");
    let source = Source::new("mine.arsg", std::fs::read_to_string(&mine).unwrap());
    assert_eq!(format(&source).unwrap(), source.text());
    let engine = Engine::new(Grammar::read(&mine).unwrap().into_result().unwrap());
    let wanted = Correction::read("2-3", "causal-result NS", engine.schema()).unwrap();
    let tree = engine.parse(&document).into_tree().unwrap();
    assert!(wanted.holds(&tree, engine.schema()));
}

#[test]
fn a_wrong_cut_gets_boundary_rules() {
    let document = Document::from_text("raw", "受台风影响，多条航线停航，旅客滞留机场。");
    let found = REPAIR.engine().parse(&document).into_tree().unwrap();
    assert_eq!(found.edus.len(), 2);
    let source = Source::new(
        "right.sexp",
        "(causal-cause SN \"受台风影响，\" (joint-list NN \"多条航线停航，\" \"旅客滞留机场。\"))",
    );
    let right = read(&source, Some(Format::Sexp)).into_tree().unwrap();
    let answer = REPAIR.propose_tree(&document, &right).unwrap();
    assert_eq!(answer.cuts.len(), 1, "{}", answer.to_text());
    let cut = &answer.cuts[0];
    assert!(
        cut.should_begin && cut.words.contains("受台风影响， | 多条航线"),
        "{cut:?}"
    );
    assert!(
        cut.proposals.iter().any(|proposal| proposal.holds),
        "{cut:?}"
    );
    let folder = project();
    let repair = repair_in(folder.path());
    let answer = repair.propose_tree(&document, &right).unwrap();
    let home = home(folder.path());
    let edits = repair
        .accept(&answer, &[1], &home, &Disk::default())
        .unwrap();
    edits.write().unwrap();
    let tree = engine_of(folder.path())
        .parse(&document)
        .into_tree()
        .unwrap();
    assert_eq!(tree.edus.len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// Whatever somebody wants of whichever node: what is accepted loads without a warning, is laid out
    /// canonically, and does what was said of it before.
    #[test]
    fn accepting_makes_a_correction_hold_or_was_said_not_to(
        text in 0..1000usize,
        start in 0..40u32,
        length in 2..5u32,
        relation in 0..1000usize,
        roles in 0..4usize,
        pick in 0..5usize,
    ) {
        let texts = &REPAIR.treebank().texts;
        let text = &texts[text % texts.len()];
        let edus = text.text.len() as u32;
        prop_assume!(edus >= length);
        let start = start % (edus - length + 1);
        let schema = REPAIR.engine().schema();
        let rhetoric = &schema.rhetoric[relation % schema.rhetoric.len()];
        let roles = [Roles::NucleusSatellite, Roles::SatelliteNucleus, Roles::NucleusNucleus]
            .into_iter()
            .filter(|own| own.fit(rhetoric.kind))
            .nth(roles % 2)
            .unwrap_or(Roles::usual(rhetoric.kind));
        let span = EduSpan { start, end: start + length };
        let label = format!("{} {roles}", rhetoric.name);
        let correction = Correction::read(&span.to_string(), &label, schema).unwrap();
        let document = &text.gold.document;
        let answer = REPAIR.propose(document, std::slice::from_ref(&correction)).unwrap();
        let proposals = &answer.corrections[0].proposals;
        prop_assert!(proposals.len() <= 5);
        prop_assume!(!proposals.is_empty());
        let proposal = &proposals[pick % proposals.len()];
        let folder = project();
        // The same grammar, in a folder that may be written to.
        let repair = repair_in(folder.path());
        let answer = repair.propose(document, std::slice::from_ref(&correction)).unwrap();
        let home = home(folder.path());
        let edits = repair.accept(&answer, &[proposal.number], &home, &Disk::default()).unwrap();
        edits.write().unwrap();
        for edit in &edits.edits {
            if edit.path.extension().is_some_and(|extension| extension == "arsg") {
                let source = Source::new("edited", edit.after.as_str());
                prop_assert_eq!(&format(&source).unwrap(), &edit.after);
            }
        }
        let engine = engine_of(folder.path());
        let tree = engine.parse(document).into_tree().unwrap();
        prop_assert_eq!(correction.holds(&tree, engine.schema()), proposal.holds);
    }
}

#[test]
fn a_profile_counts_what_decided_and_what_harmed() {
    let bank = REPAIR.treebank();
    let engine = REPAIR.engine();
    let profile = Profile::new(engine, bank, &ParseOptions::default());
    assert_eq!(profile.texts, bank.texts.len());
    assert!(profile.right <= profile.decisions);
    for rule in &profile.rules {
        let tally = &rule.tally;
        assert!(tally.harm + tally.missed <= tally.decided, "{rule:?}");
        assert!(tally.decided <= tally.spoke && tally.right + tally.wrong <= tally.spoke);
        assert_eq!(tally.harm > 0, !rule.examples.is_empty());
    }
    let harms: Vec<usize> = profile.rules.iter().map(|rule| rule.tally.harm).collect();
    assert!(
        harms.is_sorted_by(|a, b| a >= b) && harms[0] > 0,
        "{harms:?}"
    );
    let wrong: usize = profile.confusions.iter().map(|one| one.nodes.len()).sum();
    let schema = engine.schema();
    let corrections = bank.texts.iter().map(|text| {
        let all = Correction::between(&text.found, &text.gold.tree, schema);
        all.unwrap().len()
    });
    assert_eq!(wrong, corrections.sum::<usize>());
    assert!(profile.to_text(false).lines().count() <= 40);
    let page = profile.to_html();
    assert!(page.contains("What is taken for what") && page.contains("arsg explain"));
}

/// Where a rule is said to have done harm, the grammar without it does the right thing.
#[test]
fn without_a_harmful_rule_its_decisions_are_right() {
    let cases = demo::corpus().unwrap();
    let gold = gold_of_cases(&cases[..12]);
    let repair = Repair::new(
        embedded_grammar("finance").unwrap(),
        gold,
        Vec::new(),
        ParseOptions::default(),
    );
    let profile = Profile::new(repair.engine(), repair.treebank(), &ParseOptions::default());
    let worst = profile
        .rules
        .iter()
        .find(|rule| !rule.is_table && rule.tally.harm > 0);
    let worst = worst.expect("some written rule does harm");
    let mut grammar = repair.engine().grammar().clone();
    grammar
        .productions
        .retain(|one| *one.rule.id != *worst.rule);
    grammar
        .preferences
        .retain(|one| *one.rule.id != *worst.rule);
    let without = Engine::new(grammar);
    let harm = &worst.examples[0];
    let text = repair.treebank().find(&harm.id).unwrap();
    let steps = without.steps(&text.text, &ParseOptions::default());
    let at = harm.step - 1;
    let (old, new) = (&text.steps[at], &steps[at]);
    let deed = |step: &arsg::automaton::Step| {
        (
            step.action,
            step.label
                .map(|label| (label.outcome.relation, label.outcome.roles)),
        )
    };
    assert_ne!(deed(old), deed(new), "{harm:?}");
}

/// The files that a project without a folder of cases gets.
#[test]
fn cases_go_where_the_project_has_them() {
    let folder = PROJECT.path();
    let answer = asked(&REPAIR, &today(), "2-3", "elaboration-additional NS");
    let one = Home {
        cases: Some(folder.join("cases/causes.case")),
        ..home(folder)
    };
    let edits = REPAIR
        .accept(&answer, &[1], &one, &Disk::default())
        .unwrap();
    let paths: Vec<PathBuf> = edits.edits.iter().map(|edit| edit.path.clone()).collect();
    assert!(
        paths.contains(&folder.join("cases/causes.case")),
        "{paths:?}"
    );
}
