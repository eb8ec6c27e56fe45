//! How often `arsg fix` finds a rule: wrong nodes of the demo corpus and of the project of `arsg init`, drawn by
//! a seed. A node is mended when one of the proposals corrects it and lowers neither S nor N nor R over the
//! other gold texts.
//!
//!     cargo run --release --example mend_nodes            # 100 nodes, seed 1
//!     cargo run --release --example mend_nodes 200 7

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use arsg::automaton::{Deed, ParseOptions};
use arsg::gold::{GoldText, gold_of_cases};
use arsg::grammar::{Action, embedded_grammar};
use arsg::repair::{Correction, Proposal, Repair};
use arsg::{Result, demo};
use rand::SeedableRng;
use rand::seq::SliceRandom;

/// The events of the demo corpus that a project of `arsg init` has.
const PROJECT: [&str; 3] = ["cpi-", "oil-", "rrr-"];

#[derive(Default)]
struct Count {
    nodes: usize,
    mended: usize,
    /// Mended, and S, N or R over the other texts is higher.
    gains: usize,
    holds: usize,
}

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let nodes = numbers.next().and_then(|n| n.ok()).unwrap_or(100) as usize;
    let seed = numbers.next().and_then(|n| n.ok()).unwrap_or(1);
    let all = gold_of_cases(&demo::corpus()?);
    let project = all.iter().filter(|text| is_of_project(text)).cloned();
    let settings = [
        ("finance on the demo corpus", "finance", all.clone()),
        ("the project of `arsg init`", "seed", project.collect()),
    ];
    for (name, grammar, gold) in settings {
        let repair = Repair::new(
            embedded_grammar(grammar)?,
            gold,
            Vec::new(),
            ParseOptions::default(),
        );
        measure(name, &repair, nodes / 2, seed)?;
    }
    Ok(())
}

fn is_of_project(text: &GoldText) -> bool {
    PROJECT
        .iter()
        .any(|event| text.document.id.starts_with(event))
}

fn measure(name: &str, repair: &Repair, nodes: usize, seed: u64) -> Result<()> {
    let schema = repair.engine().schema();
    let mut wrong = Vec::new();
    for text in &repair.treebank().texts {
        let all = Correction::between(&text.found, &text.gold.tree, schema)?;
        wrong.extend(all.into_iter().map(|correction| (text, correction)));
    }
    let found = wrong.len();
    wrong.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(seed));
    wrong.truncate(nodes);
    let mut kinds: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut longest, mut total) = (Duration::ZERO, Duration::ZERO);
    let mut missed = Vec::new();
    for (text, correction) in &wrong {
        let begun = Instant::now();
        let answer = repair.propose(&text.gold.document, std::slice::from_ref(correction))?;
        let took = begun.elapsed();
        (longest, total) = (longest.max(took), total + took);
        let proposals = || answer.corrections.iter().flat_map(|one| &one.proposals);
        let kind = match correction.divergence(&text.steps).map(|at| at.deed) {
            Some(Deed::Act(Action::Shift)) => "joined too early",
            Some(Deed::Act(Action::Reduce)) => "joined too late",
            Some(Deed::Label(_)) => "another label",
            None => "nothing to decide",
        };
        let own = kinds.entry(kind).or_default();
        own.nodes += 1;
        own.holds += usize::from(proposals().any(|one| one.holds));
        let mends = |one: &&Proposal| one.holds && !one.effect.harms();
        let mended = proposals().any(|one| mends(&one));
        let gains = |one: &Proposal| one.effect.after != one.effect.before;
        own.gains += usize::from(proposals().filter(mends).any(gains));
        own.mended += usize::from(mended);
        if !mended {
            let wanted = correction.wanted_text(schema);
            let (id, span) = (text.id(), correction.span);
            let holds = proposals().filter(|one| one.holds).count();
            missed.push(format!(
                "  missed: {id} {span} {wanted}: {kind}, {holds} of {} proposals correct it",
                proposals().count()
            ));
        }
    }
    println!("{name}: {found} wrong nodes, {} drawn", wrong.len());
    println!("  {:<18} nodes mended gaining corrected", "");
    let mut sum = Count::default();
    for (kind, count) in &kinds {
        print_count(kind, count);
        sum.nodes += count.nodes;
        sum.mended += count.mended;
        sum.gains += count.gains;
        sum.holds += count.holds;
    }
    print_count("all", &sum);
    let mean = total / u32::try_from(wrong.len().max(1)).unwrap_or(1);
    println!("  an answer takes {mean:.0?}, the longest {longest:.0?}");
    for line in missed {
        println!("{line}");
    }
    Ok(())
}

fn print_count(kind: &str, count: &Count) {
    let Count {
        nodes,
        mended,
        gains,
        holds,
    } = count;
    println!("  {kind:<18} {nodes:>5} {mended:>6} {gains:>7} {holds:>9}");
}
