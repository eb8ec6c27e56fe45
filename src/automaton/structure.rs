//! The structure of plain texts by the `block` rules of a grammar.
//!
//! Lines are gone through from the first to the last; a rule may ask what the lines above were found to be.
//! Where weights decide, what a line can be has the sum of the weights of the rules that speak for it, and a
//! paragraph, for which nobody needs to speak, begins with 0; probabilities are those of a softmax. Where counts
//! decide, instances do as for any other rule.

use std::sync::Arc;

use super::atoms::{Collector, Questions};
use super::decide::{Counting, Workspace, mix};
use super::program::{Draft, Origin, RuleSet, amount, rule_set};
use crate::error::Result;
use crate::grammar::{Decide, Grammar, embedded_grammar};
use crate::measure::{LineAt, Page};
use crate::schema::Schema;
use crate::text::lines::{Line, Lines};
use crate::text::structure::{LineRole, Structurer};

/// The compiled block rules of a grammar.
#[derive(Debug)]
pub struct BlockRules {
    schema: Arc<Schema>,
    decide: Decide,
    questions: Questions,
    rules: RuleSet<0>,
    /// What lines can be; the paragraph comes first.
    roles: Vec<LineRole>,
    /// The id and the docs of each rule.
    names: Vec<(Arc<str>, Option<Arc<str>>)>,
}

/// What a line was found to be, and why.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BlockChoice {
    /// What it is.
    pub role: LineRole,
    /// How probable that is, 0 to 1.
    pub confidence: f64,
    /// The rule that speaks most for it; nothing for paragraphs that no rule speaks for, and for titles that
    /// the document came with.
    pub rule: Option<BlockReason>,
    /// The rules that spoke for something else.
    pub against: Vec<BlockReason>,
}

/// A block rule that spoke.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BlockReason {
    /// Its id.
    pub id: Arc<str>,
    /// What it means, from its doc comment.
    pub doc: Option<Arc<str>>,
    /// What it speaks for.
    pub role: LineRole,
    /// Its weight, or its count.
    pub amount: f64,
}

/// The module whose rules are used where no grammar is.
const SHIPPED: &str = "blocks";

impl BlockRules {
    /// The rules of a grammar, if it has any.
    pub fn new(grammar: &Grammar) -> Option<BlockRules> {
        if grammar.blocks.is_empty() {
            return None;
        }
        let decide = grammar.decides_blocks();
        let schema = Arc::clone(&grammar.schema);
        let mut collector = Collector::new(&schema, &[]);
        let mut roles = vec![LineRole::PARAGRAPH];
        let mut drafts: Vec<Draft<0>> = Vec::with_capacity(grammar.blocks.len());
        for (at, block) in grammar.blocks.iter().enumerate() {
            let known = roles.iter().position(|role| *role == block.role);
            let side = known.unwrap_or_else(|| {
                roles.push(block.role);
                roles.len() - 1
            });
            drafts.push(Draft {
                origin: Origin::Rule(at as u32),
                pattern: [],
                side: side as u32,
                amount: amount(&block.rule, decide),
                atoms: collector.reason(block.rule.reason.as_ref()),
            });
        }
        let questions = collector.finish();
        let rules = grammar.blocks.iter().map(|block| &block.rule);
        Some(BlockRules {
            rules: rule_set(drafts, &questions, &schema),
            names: rules
                .map(|rule| (Arc::clone(&rule.id), rule.doc.clone()))
                .collect(),
            decide,
            questions,
            schema,
            roles,
        })
    }

    /// The rules that ship with arsg, for work without a grammar.
    pub fn shipped() -> Result<Option<BlockRules>> {
        Ok(BlockRules::new(&embedded_grammar(SHIPPED)?))
    }

    /// What each line of a text is, with the rules that decided. With `titled` the first line is the title.
    pub fn choices(&self, lines: &Lines<'_>, titled: bool) -> Vec<BlockChoice> {
        let mut choices = Vec::with_capacity(lines.lines.len());
        self.visit(lines, titled, |_, scales| choices.push(self.choice(scales)));
        choices
    }

    /// Goes through the lines; `seen` gets each with what was found about it.
    fn visit(
        &self,
        lines: &Lines<'_>,
        titled: bool,
        mut seen: impl FnMut(&Line, &Scales),
    ) -> Vec<LineRole> {
        let mut page = Page::new(lines, &self.schema);
        let mut workspace = Workspace::default();
        let mut scales = Scales::default();
        for (number, line) in lines.lines.iter().enumerate() {
            if titled && number == 0 {
                scales.certain(LineRole::TITLE);
            } else if let Some(here) = page.here() {
                self.weigh(&here, &mut workspace, &mut scales);
            }
            page.decide(scales.role);
            seen(line, &scales);
        }
        page.into_roles()
    }

    /// What the rules say of a line.
    fn weigh(&self, line: &LineAt<'_>, workspace: &mut Workspace, scales: &mut Scales) {
        workspace.begin(self.questions.slots());
        workspace.fired.clear();
        workspace.fire(&self.rules, self.rules.group(0), &self.questions, line);
        let fired = std::mem::take(&mut workspace.fired);
        scales.shares.clear();
        scales.shares.resize(self.roles.len(), 0.0);
        match (fired.is_empty(), self.decide) {
            (true, _) => scales.shares[0] = 1.0,
            (false, Decide::Weights) => self.softmax(&fired, &mut scales.shares),
            (false, Decide::Counts) => {
                mix(&self.rules, &[], &fired, Counting::default(), workspace);
                for (side, share) in scales.shares.iter_mut().enumerate() {
                    *share = workspace.share(side as u32);
                }
            }
        }
        // Of equals the first: a paragraph, then as the rules stand in the files.
        let mut best = 0;
        for (side, share) in scales.shares.iter().enumerate() {
            if *share > scales.shares[best] {
                best = side;
            }
        }
        scales.role = self.roles[best];
        scales.confidence = scales.shares[best];
        scales.fired.clear();
        scales.fired.extend(&fired);
        workspace.fired = fired;
    }

    /// Sums of weights to probabilities. Only what somebody speaks for is weighed against the paragraph.
    fn softmax(&self, fired: &[u32], shares: &mut [f64]) {
        let mut spoken = vec![false; shares.len()];
        spoken[0] = true;
        for rule in fired {
            let rule = &self.rules.rules[*rule as usize];
            shares[rule.side as usize] += rule.amount;
            spoken[rule.side as usize] = true;
        }
        let greatest = shares.iter().copied().fold(0.0, f64::max);
        let mut sum = 0.0;
        for (share, spoken) in shares.iter_mut().zip(&spoken) {
            *share = if *spoken {
                (*share - greatest).exp()
            } else {
                0.0
            };
            sum += *share;
        }
        for share in shares {
            *share /= sum;
        }
    }

    fn choice(&self, scales: &Scales) -> BlockChoice {
        let mut reasons: Vec<BlockReason> =
            scales.fired.iter().map(|rule| self.reason(*rule)).collect();
        // The loudest first; the sort is stable, so of equals the one that stands first in the files.
        reasons.sort_by(|a, b| b.amount.total_cmp(&a.amount));
        let speaks_for = |reason: &BlockReason| reason.role == scales.role && reason.amount > 0.0;
        let (own, against): (Vec<_>, Vec<_>) = reasons.into_iter().partition(speaks_for);
        BlockChoice {
            role: scales.role,
            confidence: scales.confidence,
            rule: own.into_iter().next(),
            against,
        }
    }

    fn reason(&self, rule: u32) -> BlockReason {
        let rule = &self.rules.rules[rule as usize];
        let at = match rule.origin {
            Origin::Rule(at) => at as usize,
            Origin::Row { .. } => usize::MAX,
        };
        let (id, doc) = self.names.get(at).cloned().unwrap_or_default();
        BlockReason {
            id,
            doc,
            role: self.roles[rule.side as usize],
            amount: rule.amount,
        }
    }
}

/// What was found about one line.
#[derive(Debug)]
struct Scales {
    role: LineRole,
    confidence: f64,
    /// The probability of each role.
    shares: Vec<f64>,
    fired: Vec<u32>,
}

impl Default for Scales {
    fn default() -> Scales {
        Scales {
            role: LineRole::PARAGRAPH,
            confidence: 1.0,
            shares: Vec::new(),
            fired: Vec::new(),
        }
    }
}

impl Scales {
    fn certain(&mut self, role: LineRole) {
        *self = Scales {
            role,
            ..Scales::default()
        };
    }
}

impl BlockRules {
    /// Goes through the lines of a text: `seen` gets for each who spoke, by place in the grammar, and whether
    /// for what was decided.
    pub(super) fn visit_rules(
        &self,
        lines: &Lines<'_>,
        titled: bool,
        mut seen: impl FnMut(u32, bool),
    ) {
        self.visit(lines, titled, |_, scales| {
            for rule in &scales.fired {
                let rule = &self.rules.rules[*rule as usize];
                if let Origin::Rule(at) = rule.origin {
                    let own = self.roles[rule.side as usize] == scales.role;
                    seen(at, own == (rule.amount > 0.0));
                }
            }
        });
    }
}

impl Structurer for Arc<BlockRules> {
    fn roles(&self, lines: &Lines<'_>, titled: bool) -> Vec<LineRole> {
        self.visit(lines, titled, |_, _| {})
    }
}
