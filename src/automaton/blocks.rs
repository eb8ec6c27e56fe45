//! What the blocks of a text are and which rules said so, for people and machines.

use serde::{Deserialize, Serialize};

use super::structure::{BlockChoice, BlockReason, BlockRules};
use crate::columns::fill;
use crate::text::lines::Lines;
use crate::text::structure::{put_blocks, put_title_first};
use crate::text::{BlockKind, Document};

/// A block of a text, one per line, with the rule that decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(title = "arsg block")]
pub struct BlockJson {
    /// The document's id.
    pub doc: String,
    /// The number of the block, from 0.
    pub block: usize,
    /// `heading`, `paragraph`, `list-item`, `quote`, `table` or `aside`.
    pub kind: String,
    /// The level of a heading; 0 is the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Who speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// How probable the kind is, 0 to 1; nothing where the document came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What that rule means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Rules that spoke for something else, with what for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// Its text.
    pub text: String,
}

impl BlockJson {
    /// The JSON schema of a block.
    pub fn json_schema() -> String {
        crate::json::schema::<BlockJson>()
    }
}

/// Tells the blocks of a document, in place if it is a plain text, and says which rules decided. Without rules, and
/// for documents that came with their blocks, there is nothing to say but what the blocks are.
pub fn tell_blocks(document: &mut Document, rules: Option<&BlockRules>) -> Vec<BlockJson> {
    let mut choices = Vec::new();
    if let (true, Some(rules)) = (document.plain, rules) {
        let titled = put_title_first(document);
        let text = std::mem::take(&mut document.text);
        let lines = Lines::new(&text);
        choices = rules.choices(&lines, titled);
        let lines = lines.lines;
        document.text = text;
        let roles: Vec<_> = choices.iter().map(|choice| choice.role).collect();
        put_blocks(document, &lines, &roles);
    }
    let mut choices = choices.into_iter();
    let blocks = document.blocks.iter().enumerate();
    let told = blocks.map(|(number, block)| {
        let choice = choices.next();
        let level = match block.kind {
            BlockKind::Heading(level) => Some(level),
            _ => None,
        };
        BlockJson {
            doc: document.id.clone(),
            block: number,
            kind: block.kind.as_str().to_owned(),
            level,
            speaker: block.speaker.clone(),
            confidence: choice.as_ref().map(|choice| rounded(choice.confidence)),
            rule: reason(&choice).map(|reason| reason.id.to_string()),
            why: reason(&choice).and_then(|reason| reason.doc.as_deref().map(str::to_owned)),
            against: choice.iter().flat_map(others).collect(),
            text: document.block_text(block).to_owned(),
        }
    });
    told.collect()
}

fn reason(choice: &Option<BlockChoice>) -> Option<&BlockReason> {
    choice.as_ref()?.rule.as_ref()
}

fn others(choice: &BlockChoice) -> Vec<String> {
    let against = choice.against.iter();
    let told = against.map(|reason| {
        let not = if reason.amount < 0.0 { "not " } else { "" };
        format!("{}: {not}{}", reason.id, reason.role)
    });
    told.collect()
}

/// Three places are enough for anybody.
fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// The most characters of a block's text that a table shows.
const SHOWN: usize = 40;

/// For people: one line per block with its kind, how sure that is, the rule and the beginning of the text.
pub fn block_table(id: &str, blocks: &[BlockJson]) -> String {
    let mut table = format!("# {id}\n");
    for block in blocks {
        let kind = match block.level {
            Some(level) => format!("{} {level}", block.kind),
            None => block.kind.clone(),
        };
        let sure = block
            .confidence
            .map_or_else(String::new, |share| format!("{:.0}%", 100.0 * share));
        let rule = match (&block.rule, block.confidence) {
            (Some(rule), _) => rule.as_str(),
            (None, Some(_)) if block.level == Some(0) => "the document's title",
            _ => "-",
        };
        let mut text: String = block.text.chars().take(SHOWN).collect();
        if block.text.chars().count() > SHOWN {
            text.push('…');
        }
        if let Some(speaker) = &block.speaker {
            text = format!("[{speaker}] {text}");
        }
        let (after_kind, after_rule) = (fill(&kind, 10), fill(rule, 24));
        let number = block.block + 1;
        table.push_str(&format!(
            "{number:>4}  {kind}{after_kind} {sure:>4}  {rule}{after_rule} {text}\n"
        ));
    }
    table
}
