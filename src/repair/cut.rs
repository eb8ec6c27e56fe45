//! Where the cut of EDUs is the fault: boundary rules.

use serde::Serialize;

use super::Repair;
use super::draft::Force;
use super::evidence::{Instance, Reason, reasons_of};
use super::ground::{Ground, Literal, MOST_LITERALS, bits, read_literals};
use crate::automaton::{Engine, Questionnaire};
use crate::behavior::literals::{Literals, Seen};
use crate::grammar::formula::Formula;
use crate::grammar::{AnyRule, Boundary, Grammar};
use crate::schema::Schema;
use crate::text::words::Word;
use crate::text::{Analysis, Document};
use crate::tree::Tree;

/// A place where an EDU begins that should not, or should and does not.
#[derive(Debug, Clone, Serialize)]
pub struct Cut {
    /// What stands before the place and behind it.
    pub words: String,
    /// True where an EDU should begin.
    pub should_begin: bool,
    /// Boundary rules that would set it right, from general to specific.
    pub proposals: Vec<CutProposal>,
}

/// A boundary rule that would set a cut right.
#[derive(Debug, Clone, Serialize)]
pub struct CutProposal {
    /// Its number, from 1.
    pub number: usize,
    /// The rule as a grammar has it, with its comment.
    pub rule: String,
    /// Whether the cut is right with it.
    pub holds: bool,
    /// How many other cuts of the text change.
    pub other_cuts: usize,
    /// Gaps of gold texts in which it speaks and the gold tree agrees.
    pub right: usize,
    /// Gaps of gold texts in which it speaks and the gold tree does not agree.
    pub wrong: usize,
}

/// So many cuts are looked at.
const MOST_CUTS: usize = 3;
/// So many rules are proposed for a cut.
const MOST_RULES: usize = 5;

/// A gap between two words.
struct Gap {
    block: usize,
    /// The number of the word behind it, in its block.
    word: usize,
    should_begin: bool,
}

impl Repair {
    /// Boundary rules for the places where the EDUs of a corrected tree are others than the grammar's. Nothing
    /// where the document brings its EDUs, or the tree stands over another text.
    pub fn cuts(&self, document: &Document, right: &Tree) -> Vec<Cut> {
        let document = &*self.engine.analyzer().structured(document);
        let analysis = self.engine.analyzer().analyze(document);
        let gaps = gaps(document, &analysis, right);
        let schema = self.engine.schema();
        let known = Literals::of_gaps(schema, &Seen::new());
        let all = read_literals(&known, schema);
        let mut number = 0;
        let cuts = gaps.iter().take(MOST_CUTS);
        let cuts = cuts.map(|gap| self.cut(document, &analysis, gap, &all, &mut number));
        cuts.collect()
    }

    fn cut(
        &self,
        document: &Document,
        analysis: &Analysis,
        gap: &Gap,
        all: &[Literal],
        number: &mut usize,
    ) -> Cut {
        let schema = self.engine.schema();
        let formulas: Vec<Formula> = all.iter().map(|literal| literal.formula.clone()).collect();
        let questionnaire = Questionnaire::new(&formulas, schema);
        let asked = ask(document, analysis, gap.block, &questionnaire, schema);
        let holding = gap.word.checked_sub(1).and_then(|at| asked.get(at));
        let held = holding.into_iter().flatten();
        let held = held.filter_map(|at| all.get(*at as usize));
        let mut literals: Vec<Literal> = held.cloned().collect();
        literals.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        literals.truncate(MOST_LITERALS);
        let ground = Ground::of_literals(literals, schema);
        let instances = self.gold_gaps(&ground, gap.should_begin, &document.id);
        let mut proposals: Vec<CutProposal> = Vec::new();
        for reason in reasons_of(&ground, &instances) {
            let proposal = self.cut_proposal(document, gap, &ground, &reason, &instances);
            let is_new = proposals.iter().all(|other| other.rule != proposal.rule);
            if is_new {
                proposals.push(proposal);
            }
        }
        proposals.sort_by_key(|proposal| (!proposal.holds, proposal.wrong, proposal.other_cuts));
        proposals.truncate(MOST_RULES);
        proposals.sort_by_key(|proposal| (!proposal.holds, std::cmp::Reverse(proposal.right)));
        for proposal in &mut proposals {
            *number += 1;
            proposal.number = *number;
        }
        Cut {
            words: around(document, analysis, gap),
            should_begin: gap.should_begin,
            proposals,
        }
    }

    /// What gold texts say about the gaps between their words.
    fn gold_gaps(&self, ground: &Ground, should_begin: bool, without: &str) -> Vec<Instance> {
        let schema = self.engine.schema();
        let texts = self.bank.texts.iter().filter(|text| text.id() != without);
        let mut instances = Vec::new();
        for text in texts {
            let document = &text.gold.document;
            let analysis = self.engine.analyzer().analyze(document);
            for block in 0..document.blocks.len() {
                let starts = starts(&analysis, block);
                let asked = ask(document, &analysis, block, &ground.questionnaire, schema);
                for (at, holding) in asked.iter().enumerate() {
                    let begins = starts.binary_search(&(at + 1)).is_ok();
                    instances.push(Instance {
                        holds: bits(holding),
                        good: Some(begins == should_begin),
                        margin: f64::NEG_INFINITY,
                        symbols: [None; 3],
                    });
                }
            }
        }
        instances
    }

    fn cut_proposal(
        &self,
        document: &Document,
        gap: &Gap,
        ground: &Ground,
        reason: &Reason,
        instances: &[Instance],
    ) -> CutProposal {
        let schema = self.engine.schema();
        let own = reason
            .literals
            .iter()
            .filter_map(|at| ground.literals.get(*at));
        let parts: Vec<Formula> = own.map(|literal| literal.formula.clone()).collect();
        let when = super::draft::conjunction(parts);
        let mut boundary = Boundary::new(gap.should_begin, when, schema);
        let analysis = self.engine.analyzer().analyze(document);
        boundary.rule.doc = Some(around(document, &analysis, gap).into());
        let before = starts_of_edus(&analysis);
        let ladder = Force::ladder(self.engine.grammar().decides_boundaries());
        let mut found = (false, 0);
        for force in ladder {
            force.write(&mut boundary.rule);
            let after = self.ends_with(document, &boundary);
            let place = place(&analysis, gap);
            let holds = after.contains(&place) == gap.should_begin;
            let changed = before.iter().filter(|end| !after.contains(end)).count()
                + after.iter().filter(|end| !before.contains(end)).count();
            found = (holds, changed.saturating_sub(1));
            if holds {
                break;
            }
        }
        let speaks = |instance: &&Instance| {
            let mut literals = reason.literals.iter();
            literals.all(|at| super::ground::has(&instance.holds, *at))
        };
        let count = |good: bool| {
            let spoken = instances.iter().filter(speaks);
            spoken
                .filter(|instance| instance.good == Some(good))
                .count()
        };
        CutProposal {
            number: 0,
            rule: AnyRule::Boundary(&boundary).to_text(schema),
            holds: found.0,
            other_cuts: found.1,
            right: count(true),
            wrong: count(false),
        }
    }

    /// Where EDUs begin with one more rule.
    fn ends_with(&self, document: &Document, boundary: &Boundary) -> Vec<usize> {
        let mut grammar: Grammar = self.engine.grammar().clone();
        grammar.boundaries.push(boundary.clone());
        let engine = Engine::new(grammar).with_structure(self.engine.analyzer().structure());
        starts_of_edus(&engine.analyzer().analyze(document))
    }
}

/// Where EDUs begin, as places in the text.
fn starts_of_edus(analysis: &Analysis) -> Vec<usize> {
    analysis.edus.iter().map(|edu| edu.range.start).collect()
}

/// The place of a gap in the text.
fn place(analysis: &Analysis, gap: &Gap) -> usize {
    let words = words(analysis, gap.block);
    words.get(gap.word).map_or(0, |word| word.start as usize)
}

fn words(analysis: &Analysis, block: usize) -> &[Word] {
    let range = analysis.blocks.get(block).cloned().unwrap_or_default();
    analysis.words.get(range).unwrap_or_default()
}

/// The numbers of the words of a block with which EDUs begin.
fn starts(analysis: &Analysis, block: usize) -> Vec<usize> {
    let words = words(analysis, block);
    let begins = |at: usize| analysis.edus.iter().any(|edu| edu.range.start == at);
    let numbered = words.iter().enumerate();
    let own = numbered.filter(|(_, word)| begins(word.start as usize));
    own.map(|(at, _)| at).collect()
}

fn ask(
    document: &Document,
    analysis: &Analysis,
    block: usize,
    questionnaire: &Questionnaire,
    schema: &Schema,
) -> Vec<Vec<u32>> {
    let Some(kind) = document.blocks.get(block).map(|block| block.kind) else {
        return Vec::new();
    };
    let starts = starts(analysis, block);
    let words = words(analysis, block);
    questionnaire.ask_at_gaps(&document.text, words, kind, schema, &starts)
}

/// The gaps at which the EDUs of a tree begin and those of the text do not, or the other way round.
fn gaps(document: &Document, analysis: &Analysis, right: &Tree) -> Vec<Gap> {
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let mut wanted: Vec<usize> = vec![0];
    for edu in &right.edus {
        let last = wanted.last().copied().unwrap_or(0);
        wanted.push(last + bare(&edu.text));
    }
    let whole: usize = analysis
        .edus
        .iter()
        .map(|edu| bare(document.slice(&edu.range)))
        .sum();
    if document.is_segmented() || wanted.last() != Some(&whole) {
        return Vec::new();
    }
    let mut gaps = Vec::new();
    let mut chars = 0;
    for block in 0..document.blocks.len() {
        for (at, word) in words(analysis, block).iter().enumerate() {
            let begins = analysis
                .edus
                .iter()
                .any(|edu| edu.range.start == word.start as usize);
            let should_begin = wanted.binary_search(&chars).is_ok();
            if at > 0 && begins != should_begin {
                gaps.push(Gap {
                    block,
                    word: at,
                    should_begin,
                });
            }
            chars += bare(word.text(&document.text));
        }
    }
    gaps
}

/// So many characters on either side of a gap are shown.
const SHOWN: usize = 10;

/// The words on both sides of a gap: `受台风影响，|多条航线停航`
fn around(document: &Document, analysis: &Analysis, gap: &Gap) -> String {
    let at = place(analysis, gap);
    let (before, after) = document.text.split_at_checked(at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let skipped = line.chars().count().saturating_sub(SHOWN);
    let before: String = line.chars().skip(skipped).collect();
    let after: String = after
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(SHOWN)
        .collect();
    format!("{before} | {after}")
}
