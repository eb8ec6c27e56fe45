//! The answer for people.

use std::fmt::Write;

use super::{Answer, Corrected, Cut, Effect, HintKind, Proposal};
use crate::diagnostic::plural;
use crate::gold::Scores;

/// So many changed texts are named.
const NAMED: usize = 3;

impl Answer {
    /// For people: every correction, where it went wrong, and what can be done.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let now = self.corrections.iter().filter(|one| !one.waits);
        for (at, one) in now.enumerate() {
            if at > 0 {
                out.push('\n');
            }
            write_corrected(&mut out, one, self);
        }
        let waiting = self.corrections.iter().filter(|one| one.waits).count();
        if waiting > 0 {
            let nodes = plural(waiting, "other node");
            let _ = writeln!(
                out,
                "\n{nodes} should be otherwise, too: they may follow from these; ask again when these are done"
            );
        }
        for cut in &self.cuts {
            write_cut(&mut out, cut);
        }
        let rules = self.corrections.iter().map(|one| one.proposals.len());
        let cuts = self.cuts.iter().map(|cut| cut.proposals.len());
        if rules.chain(cuts).sum::<usize>() > 0 {
            out.push_str("\nnothing is written; `--accept N` writes a proposal and a case\n");
        }
        out
    }
}

fn write_corrected(out: &mut String, one: &Corrected, answer: &Answer) {
    let (edus, wanted) = (&one.correction.edus, &one.correction.wanted);
    let _ = writeln!(out, "{}: EDUs {edus} should be {wanted}", answer.id);
    if one.holds {
        out.push_str("  they are\n");
    }
    if let Some(divergence) = &one.divergence {
        let _ = writeln!(out, "  {divergence}");
    }
    for hint in &one.hints {
        let _ = writeln!(out, "  {}{}", label(hint.kind), hint.text);
        for line in hint.line.iter().flat_map(|line| line.lines()) {
            let _ = writeln!(out, "      {line}");
        }
    }
    let waits = !one.holds && one.proposals.is_empty();
    match (waits, &one.divergence) {
        (true, None) => out.push_str("  no tree can have that: nothing is left to decide there\n"),
        (true, Some(_)) => out.push_str("  no rule was found\n"),
        _ => {}
    }
    for proposal in &one.proposals {
        write_proposal(out, proposal, answer.gold_texts);
    }
}

fn write_cut(out: &mut String, cut: &Cut) {
    let should = if cut.should_begin {
        "an EDU should begin here"
    } else {
        "no EDU should begin here"
    };
    let _ = writeln!(out, "{should}: {}", cut.words);
    for proposal in &cut.proposals {
        let _ = writeln!(out, "\n  {}.", proposal.number);
        for line in proposal.rule.lines() {
            let _ = writeln!(out, "     {line}");
        }
        if !proposal.holds {
            out.push_str("     the cut is still wrong with it\n");
        }
        if proposal.other_cuts > 0 {
            let cuts = plural(proposal.other_cuts, "other cut");
            let _ = writeln!(out, "     in this text: {cuts} change");
        }
        let _ = writeln!(
            out,
            "     in other gold texts: agrees with {}, disagrees with {}",
            plural(proposal.right, "gap"),
            plural(proposal.wrong, "gap")
        );
    }
    out.push('\n');
}

fn label(kind: HintKind) -> &'static str {
    match kind {
        HintKind::Weight => "",
        HintKind::Word => "a word: ",
        HintKind::Cut => "the cut: ",
        HintKind::Contradiction => "contradiction: ",
    }
}

fn write_proposal(out: &mut String, proposal: &Proposal, gold: usize) {
    let _ = writeln!(out, "\n  {}.", proposal.number);
    for rule in &proposal.rules {
        for line in rule.lines() {
            let _ = writeln!(out, "     {line}");
        }
    }
    if !proposal.holds {
        out.push_str("     the node is still wrong with it: this is one step of several\n");
    }
    if proposal.other_nodes > 0 {
        let nodes = plural(proposal.other_nodes, "other node");
        let _ = writeln!(out, "     in this text: {nodes} of the tree change");
    }
    write_effect(out, &proposal.effect, gold);
}

fn write_effect(out: &mut String, effect: &Effect, gold: usize) {
    let texts = plural(gold, "other gold text");
    let _ = write!(
        out,
        "     in {texts}: speaks {}, {} right, {} wrong",
        plural(effect.spoke, "time"),
        effect.right,
        effect.wrong
    );
    let _ = match effect.spoke_in_corpus {
        0 => writeln!(out),
        times => writeln!(out, "; in the rest of the corpus {}", plural(times, "time")),
    };
    if effect.changed.is_empty() {
        out.push_str("     no other tree changes\n");
        return;
    }
    let (before, after) = (effect.before, effect.after);
    let _ = writeln!(
        out,
        "     {} change: {}",
        plural(effect.changed.len(), "tree"),
        moved(before, after)
    );
    for text in effect.changed.iter().take(NAMED) {
        let case = text
            .case
            .map_or_else(String::new, |case| format!(", the case {case}"));
        let _ = writeln!(out, "       {} {:+}{case}", text.id, text.gain);
    }
    if effect.changed.len() > NAMED {
        let _ = writeln!(out, "       and {} more", effect.changed.len() - NAMED);
    }
}

/// `S 82.1 -> 82.3  N 60.0 -> 60.0  R 47.5 -> 47.9`
fn moved(before: Scores, after: Scores) -> String {
    let part = |letter: &str, old: f64, new: f64| format!("{letter} {old:.1} -> {new:.1}");
    [
        part("S", before.s, after.s),
        part("N", before.n, after.n),
        part("R", before.r, after.r),
    ]
    .join("  ")
}
