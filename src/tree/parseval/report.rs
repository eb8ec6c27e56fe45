//! Reports for people and for machines.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Counts, Figures, Interval, RelationGrain, Report};
use crate::columns::{WIDEST, cut, fill, widest};
use crate::diagnostic::plural;

/// What a report can be broken down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breakdown {
    /// A line a document.
    Document,
    /// A line a relation or class.
    Relation,
    /// A line a level of the text.
    Level,
}

impl Report {
    /// A table of F1 in percent, and the breakdowns asked for.
    pub fn to_text(&self, breakdowns: &[Breakdown]) -> String {
        let gold: usize = self.documents.iter().map(|d| d.gold_edus).sum();
        let predicted: usize = self.documents.iter().map(|d| d.predicted_edus).sum();
        let grain = match self.grain {
            RelationGrain::Coarse => "relations by class",
            RelationGrain::Fine => "relations by name",
        };
        let mut out = format!(
            "{}, {}, {predicted} predicted; micro F1, {grain}\n\n",
            plural(self.documents.len(), "document"),
            plural(gold, "gold EDU")
        );
        let _ = writeln!(out, "{:<24}{:>7}{:>7}{:>7}{:>7}", "", "S", "N", "R", "F");
        let _ = writeln!(out, "{}", line("original Parseval", &self.original));
        if let Some(intervals) = &self.intervals {
            let low = intervals.map(|interval| interval.low);
            let high = intervals.map(|interval| interval.high);
            let _ = writeln!(out, "{}", percents("  95% from", low));
            let _ = writeln!(out, "{}", percents("  95% to", high));
        }
        let _ = writeln!(out, "{}", line("RST-Parseval", &self.rst));
        for breakdown in breakdowns {
            out.push('\n');
            match breakdown {
                Breakdown::Document => self.documents_text(&mut out),
                Breakdown::Level => self.levels_text(&mut out),
                Breakdown::Relation => self.relations_text(&mut out),
            }
        }
        out
    }

    fn documents_text(&self, out: &mut String) {
        let width = widest(self.documents.iter().map(|d| &*d.id)).max(22) + 2;
        for document in &self.documents {
            let shares = document.original.named().map(|(_, counts)| counts.f1());
            let name = cut(&document.id, WIDEST);
            let gap = fill(&name, width);
            let _ = writeln!(out, "{name}{gap}{}", numbers(shares));
        }
    }

    fn levels_text(&self, out: &mut String) {
        for (level, figures) in &self.levels {
            let gold = figures.span.gold;
            let _ = writeln!(out, "{}  ({gold} gold)", line(level.as_str(), figures));
        }
    }

    fn relations_text(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "{:<28}{:>7}{:>7}{:>7}{:>7}{:>7}",
            "relation", "P", "R", "F1", "gold", "pred"
        );
        for score in &self.relations {
            let name = match score.relation.as_str() {
                "" => "(none)",
                name => name,
            };
            let counts = score.counts;
            let _ = writeln!(
                out,
                "{name:<28}{:>7.1}{:>7.1}{:>7.1}{:>7}{:>7}",
                100.0 * counts.precision(),
                100.0 * counts.recall(),
                100.0 * counts.f1(),
                counts.gold,
                counts.predicted
            );
        }
    }

    /// Everything.
    pub fn to_json(&self) -> Value {
        json!({
            "grain": match self.grain { RelationGrain::Coarse => "coarse", RelationGrain::Fine => "fine" },
            "original": figures_json(&self.original),
            "rst": figures_json(&self.rst),
            "intervals": self.intervals.as_ref().map(intervals_json),
            "documents": self.documents.iter().map(|document| json!({
                "id": &*document.id,
                "gold_edus": document.gold_edus,
                "predicted_edus": document.predicted_edus,
                "original": figures_json(&document.original),
                "rst": figures_json(&document.rst),
            })).collect::<Vec<_>>(),
            "levels": self.levels.iter().map(|(level, figures)| json!({
                "level": level.as_str(),
                "original": figures_json(figures),
            })).collect::<Vec<_>>(),
            "relations": self.relations.iter().map(|score| json!({
                "relation": score.relation,
                "original": counts_json(score.counts),
            })).collect::<Vec<_>>(),
        })
    }
}

fn line(name: &str, figures: &Figures) -> String {
    percents(name, figures.named().map(|(_, counts)| counts.f1()))
}

fn percents(name: &str, shares: [f64; 4]) -> String {
    format!("{name:<24}{}", numbers(shares))
}

fn numbers(shares: [f64; 4]) -> String {
    shares
        .map(|share| format!("{:>7.1}", 100.0 * share))
        .concat()
}

fn counts_json(counts: Counts) -> Value {
    json!({
        "f1": counts.f1(), "precision": counts.precision(), "recall": counts.recall(),
        "matched": counts.matched, "gold": counts.gold, "predicted": counts.predicted,
    })
}

fn figures_json(figures: &Figures) -> Value {
    json!({
        "span": counts_json(figures.span),
        "nuclearity": counts_json(figures.nuclearity),
        "relation": counts_json(figures.relation),
        "full": counts_json(figures.full),
    })
}

fn intervals_json(intervals: &[Interval; 4]) -> Value {
    let [span, nuclearity, relation, full] = intervals.map(|i| json!([i.low, i.high]));
    json!({"span": span, "nuclearity": nuclearity, "relation": relation, "full": full})
}
