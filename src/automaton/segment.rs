//! Segmentation by the `boundary` rules of a grammar.

use std::sync::Arc;

use super::atoms::{Collector, Questions};
use super::decide::{Counting, Workspace, logistic, mix};
use super::program::{Draft, Origin, RuleSet, amount, rows, rule_set};
use crate::grammar::{Decide, Decision, Grammar};
use crate::measure::{Gap, Gaps};
use crate::schema::Schema;
use crate::text::BlockKind;
use crate::text::segment::Segmenter;
use crate::text::words::{Punctuation, Word};

/// The side of rules that speak for a boundary.
const CUT: u32 = 0;

/// The compiled boundary rules of a grammar.
#[derive(Debug)]
pub struct BoundaryRules {
    schema: Arc<Schema>,
    decide: Decide,
    questions: Questions,
    /// Side 0 is "a boundary", side 1 "none".
    rules: RuleSet<0>,
}

impl BoundaryRules {
    /// The rules of a grammar, if it has any.
    pub fn new(grammar: &Grammar) -> Option<BoundaryRules> {
        let tables = grammar.tables.iter();
        let tables = tables.filter(|table| table.decision == Decision::Boundary);
        let tables = tables.count() > 0;
        if grammar.boundaries.is_empty() && !tables {
            return None;
        }
        let decide = grammar.decides_boundaries();
        let schema = Arc::clone(&grammar.schema);
        let mut collector = Collector::new(&schema, &[]);
        let boundaries = grammar.boundaries.iter().enumerate();
        let mut drafts: Vec<Draft<0>> = boundaries
            .map(|(at, boundary)| Draft {
                origin: Origin::Rule(at as u32),
                pattern: [],
                side: u32::from(!boundary.cut),
                amount: amount(&boundary.rule, decide),
                atoms: collector.reason(boundary.rule.reason.as_ref()),
            })
            .collect();
        if tables {
            let rows = rows(&grammar.tables, &[Decision::Boundary], &mut collector);
            drafts.extend(rows.iter().map(|(row, _)| row.draft(CUT)));
        }
        let questions = collector.finish();
        Some(BoundaryRules {
            rules: rule_set(drafts, &questions, &schema),
            decide,
            questions,
            schema,
        })
    }

    /// The probability that an EDU begins at a gap; nothing where no rule speaks.
    fn probability(&self, gap: &Gap<'_>, workspace: &mut Workspace) -> Option<f64> {
        workspace.begin(self.questions.slots());
        workspace.fired.clear();
        if let Some(group) = self.rules.only_group() {
            workspace.fire(&self.rules, group, &self.questions, gap);
        }
        let rows = workspace.hear_rows(&self.rules, &self.questions, gap);
        let fired = std::mem::take(&mut workspace.fired);
        let probability = match (fired.is_empty() && rows.is_none(), self.decide) {
            (true, _) => None,
            (false, Decide::Weights) => {
                let rows = rows.map_or(0.0, |rows| rows.odds);
                Some(logistic(self.rules.odds(&fired) + rows))
            }
            (false, Decide::Counts) => {
                mix(&self.rules, &[], &fired, Counting::default(), workspace);
                Some(workspace.share(0))
            }
        };
        workspace.fired = fired;
        probability
    }
}

impl BoundaryRules {
    /// Goes through the gaps of a block: `seen` gets the word behind each, whether an EDU begins
    /// there, and who spoke: where it stands in the grammar, and whether it spoke for a boundary. Rows
    /// of tables are named only where that is asked for.
    pub(super) fn visit_gaps(
        &self,
        text: &str,
        words: &[Word],
        kind: BlockKind,
        names_rows: bool,
        mut seen: impl FnMut(usize, bool, &mut dyn Iterator<Item = (Origin, bool)>),
    ) {
        let gaps = Gaps::new(text, words, kind, &self.schema);
        let mut workspace = Workspace::default();
        workspace.names_rows = names_rows;
        let mut chars = 0;
        for (at, word) in words.iter().enumerate() {
            if at > 0 && may_begin(word) {
                let gap = gaps.at(at, chars);
                let probability = self.probability(&gap, &mut workspace);
                let begins = probability.is_some_and(|probability| probability > 0.5);
                let fired = workspace.fired.iter();
                let mut spoke = fired.map(|rule| {
                    let rule = &self.rules.rules[*rule as usize];
                    (rule.origin, (rule.side == CUT) == (rule.amount > 0.0))
                });
                seen(at, begins, &mut spoke);
                if begins {
                    chars = 0;
                }
            }
            chars += word.text(text).chars().count() as u32;
        }
    }
}

impl Segmenter for BoundaryRules {
    fn starts(&self, text: &str, words: &[Word], kind: BlockKind) -> Vec<usize> {
        let mut starts = vec![0];
        self.visit_gaps(text, words, kind, false, |at, begins, _| {
            if begins {
                starts.push(at);
            }
        });
        starts
    }
}

/// True when an EDU may begin with the word: marks that belong to what stands before them begin
/// nothing.
pub fn may_begin(word: &Word) -> bool {
    matches!(
        word.punctuation,
        Punctuation::None
            | Punctuation::OpenBracket
            | Punctuation::OpenQuote
            | Punctuation::Dash
            | Punctuation::Other
    )
}
