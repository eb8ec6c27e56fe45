//! The canonical layout of a grammar file.
//!
//! Comments, blank lines (at most one at a time) and the order of statements stay as they are, and
//! so does everything between `# fmt: off` and `# fmt: on`. A changed count changes one line.

use std::fmt::Write;
use std::sync::Arc;

use super::parse::parse;
use super::print::{write_quoted, write_within};
use super::syntax::*;
use super::tables::{row_line, table_head};
use crate::columns::{columns, fill, widest};
use crate::diagnostic::{Diagnostic, Source, any_error};
use crate::error::{Error, Result};

/// Lines longer than this are broken where they can be.
const WIDTH: usize = 100;
/// Counts begin here, so that the eye finds them in one column.
const COUNT_COLUMN: usize = 49;
/// What stands under the head of a rule.
const INDENT: &str = "  ";

/// Formats a file. The result is parsed again and compared with what was read before it is
/// handed out, so that a file never loses anything.
pub fn format(source: &Arc<Source>) -> Result<String> {
    let parsed = parse(source);
    if any_error(&parsed.diagnostics) {
        return Err(Error::Invalid(parsed.diagnostics));
    }
    let text = format_file(&parsed.file);
    match changed_meaning(&parsed.file, &text) {
        None => Ok(text),
        Some(problem) => Err(Error::Internal(format!(
            "`{}` was left alone: formatting it would change it ({problem}); please report this",
            source.name()
        ))),
    }
}

/// Formats a syntax tree.
pub fn format_file(file: &File) -> String {
    let mut out = String::with_capacity(file.source.text().len());
    let mut skip_to = 0;
    for (at, element) in file.elements.iter().enumerate() {
        if at < skip_to {
            continue;
        }
        match element {
            Element::Blank => out.push('\n'),
            Element::Comment(comment) if comment.fmt_switch() == Some(false) => {
                skip_to = write_verbatim(&mut out, file, at, comment);
            }
            Element::Comment(comment) => {
                out.push_str(&comment.text);
                out.push('\n');
            }
            Element::Item(item) => write_item(&mut out, item),
            Element::Broken(span) => {
                let text = file.source.text().get(span.range()).unwrap_or_default();
                out.push_str(text);
                out.push('\n');
            }
        }
    }
    out
}

/// Copies everything from `# fmt: off` to `# fmt: on` as it is; gives the index after it.
fn write_verbatim(out: &mut String, file: &File, from: usize, off: &Comment) -> usize {
    let text = file.source.text();
    let later = file.elements.iter().enumerate().skip(from + 1);
    let mut on = later.filter_map(|(at, element)| match element {
        Element::Comment(comment) if comment.fmt_switch() == Some(true) => Some((at, comment)),
        _ => None,
    });
    let (next, end) = match on.next() {
        Some((at, comment)) => (at + 1, comment.span.end),
        None => (file.elements.len(), text.trim_end().len()),
    };
    // The switch itself stands at the margin; what it protects keeps its lines.
    for line in text.get(off.span.start..end).unwrap_or_default().lines() {
        out.push_str(line.trim_end_matches('\r'));
        out.push('\n');
    }
    next
}

/// What the written text would lose or change, if anything.
fn changed_meaning(file: &File, text: &str) -> Option<String> {
    let again = parse(&Source::new(file.source.name(), text));
    if let Some(Diagnostic { message, .. }) = again.diagnostics.first() {
        return Some(message.clone());
    }
    let kinds = file.items().map(|item| &item.kind);
    if !kinds.eq(again.file.items().map(|item| &item.kind)) {
        return Some("a statement changed".to_owned());
    }
    if comments(file) != comments(&again.file) {
        return Some("a comment changed".to_owned());
    }
    None
}

/// All comments of a file, wherever they stand.
fn comments(file: &File) -> Vec<&str> {
    let mut texts = Vec::new();
    for element in &file.elements {
        match element {
            Element::Comment(comment) => texts.push(comment.text.as_ref()),
            Element::Item(item) => texts.extend(item.comments.iter().map(|c| c.text.as_ref())),
            _ => {}
        }
    }
    texts
}

fn write_item(out: &mut String, item: &Item) {
    let units = match &item.kind {
        ItemKind::Rule(rule) => rule_units(rule, item),
        ItemKind::Table(table) => table_units(table, item),
        other => vec![Unit::line(header_line(other), item.span)],
    };
    if item.comments.is_empty() {
        return write_plain(out, &units);
    }
    write_commented(out, units, &item.comments);
}

/// A piece of a statement that is never broken: a line, or a part of one.
struct Unit {
    text: String,
    span: Span,
    /// What goes before it when it begins a line.
    lead: &'static str,
    /// What goes before it when it continues the line of the unit before it.
    joint: Option<&'static str>,
}

impl Unit {
    fn line(text: String, span: Span) -> Unit {
        Unit {
            text,
            span,
            lead: "",
            joint: None,
        }
    }
}

/// Writes units without comments between them: those that can share a line do if it is short enough.
fn write_plain(out: &mut String, units: &[Unit]) {
    let mut at = 0;
    while let Some(first) = units.get(at) {
        let rest = units.get(at + 1..).unwrap_or_default();
        let joined = rest.iter().take_while(|unit| unit.joint.is_some()).count();
        let group = units.get(at..at + 1 + joined).unwrap_or_default();
        write_group(out, first, group, false);
        at += 1 + joined;
    }
}

fn write_group(out: &mut String, first: &Unit, group: &[Unit], broken: bool) {
    let width: usize = group
        .iter()
        .map(|unit| columns(&unit.text) + unit.joint.map_or(0, str::len))
        .sum();
    let broken = broken || width + first.lead.len() > WIDTH;
    for (at, unit) in group.iter().enumerate() {
        match (at, broken, unit.joint) {
            (0, ..) => out.push_str(unit.lead),
            (_, false, Some(joint)) => out.push_str(joint),
            _ => {
                out.push('\n');
                out.push_str(unit.lead);
            }
        }
        out.push_str(&unit.text);
    }
    out.push('\n');
}

/// Writes units with the comments that stand between or inside them.
///
/// A comment at the end of a line stays at the end of the line of its unit, if that is free; all
/// others go on lines of their own before the unit they precede or stand in.
fn write_commented(out: &mut String, units: Vec<Unit>, comments: &[Comment]) {
    let mut before: Vec<Vec<&str>> = units.iter().map(|_| Vec::new()).collect();
    let mut after: Vec<Option<&str>> = vec![None; units.len()];
    for comment in comments {
        let at = comment.span.start;
        // The unit that the comment follows or stands in.
        let unit = units
            .iter()
            .rposition(|unit| unit.span.start <= at)
            .unwrap_or(0);
        let inside = units.get(unit).is_some_and(|unit| at < unit.span.end);
        let next = if inside { unit } else { unit + 1 };
        let is_free = after.get(unit).is_some_and(Option::is_none)
            && before.get(next).is_none_or(Vec::is_empty);
        if !inside && !comment.own_line && is_free || next >= units.len() {
            after[unit] = Some(&comment.text);
        } else {
            before[next].push(&comment.text);
        }
    }
    let mut at = 0;
    while at < units.len() {
        let joined = units[at + 1..]
            .iter()
            .take_while(|unit| unit.joint.is_some())
            .count();
        let group = at..at + 1 + joined;
        let comment_between = group.clone().skip(1).any(|i| !before[i].is_empty())
            || group.clone().take(joined).any(|i| after[i].is_some());
        if comment_between {
            for i in group.clone() {
                write_with_comments(out, &units[i..=i], &before[i], after[i]);
            }
        } else {
            write_with_comments(out, &units[group.clone()], &before[at], after[at + joined]);
        }
        at += 1 + joined;
    }
}

fn write_with_comments(out: &mut String, group: &[Unit], before: &[&str], after: Option<&str>) {
    let Some(first) = group.first() else { return };
    let indent = if first.lead.is_empty() { "" } else { INDENT };
    for comment in before {
        let _ = writeln!(out, "{indent}{comment}");
    }
    write_group(out, first, group, false);
    if let Some(comment) = after {
        out.pop();
        let _ = writeln!(out, "  {comment}");
    }
}

fn header_line(kind: &ItemKind) -> String {
    let mut line = String::new();
    // Writing to a string cannot fail.
    let _ = match kind {
        ItemKind::Grammar(name, version) => {
            let _ = write!(line, "grammar  {}", name.text);
            version
                .iter()
                .try_for_each(|version| write!(line, " {}", version.text))
        }
        ItemKind::Schema(path) => {
            line.push_str("schema   ");
            write_quoted(&mut line, &path.text)
        }
        ItemKind::Use(path) => {
            line.push_str("use      ");
            write_quoted(&mut line, &path.text)
        }
        ItemKind::Start(symbol) => write!(line, "start    {}", symbol.text),
        ItemKind::Decide(way) => write!(line, "decide   {}", way.text),
        ItemKind::FallbackAction(action) => write!(line, "fallback {}", action.text),
        ItemKind::FallbackProduction(production) => write!(line, "fallback {production}"),
        ItemKind::Rule(_) | ItemKind::Table(_) => Ok(()),
    };
    line
}

fn rule_units(rule: &RuleItem, item: &Item) -> Vec<Unit> {
    let mut units = Vec::with_capacity(3);
    if let Some(id) = &rule.id {
        let span = Span::new(item.span.start, id.span.end);
        units.push(Unit::line(format!("rule {}", id.text), span));
    }
    units.push(head_unit(rule));
    if let Some(when) = &rule.when {
        reason_units(&mut units, when);
    }
    let width = widest(rule.set.iter().map(|e| &*e.attribute.text));
    for (at, equation) in rule.set.iter().enumerate() {
        let name = &equation.attribute.text;
        let gap = fill(name, width);
        let node = &equation.node.text;
        units.push(Unit {
            text: format!("{node}.{name}{gap} = {}", equation.value),
            span: equation.span,
            lead: if at == 0 { "  set  " } else { "       " },
            joint: None,
        });
    }
    units
}

fn table_units(table: &TableItem, item: &Item) -> Vec<Unit> {
    let mut units = Vec::with_capacity(table.rows.len() + 2);
    let name_span = Span::new(item.span.start, table.name.span.end);
    units.push(Unit::line(format!("table {}", table.name.text), name_span));
    let end = table
        .subjects
        .last()
        .map_or(table.decision.span, |subject| {
            subject.versus.as_ref().unwrap_or(&subject.value).span
        });
    units.push(Unit {
        text: table_head(table),
        span: table.decision.span.to(end),
        lead: INDENT,
        joint: Some("  "),
    });
    if let Some(when) = &table.when {
        reason_units(&mut units, when);
    }
    units.extend(table.rows.iter().map(|row| Unit {
        text: row_line(row),
        span: row.span,
        lead: "  | ",
        joint: None,
    }));
    units
}

fn head_unit(rule: &RuleItem) -> Unit {
    let mut text = rule.head.to_string();
    let mut span = rule.head.span();
    let lead = if rule.id.is_some() { INDENT } else { "" };
    let pad = COUNT_COLUMN
        .saturating_sub(lead.len() + columns(&text))
        .max(2);
    if let Some(count) = &rule.count {
        let _ = write!(text, "{:pad$}x {}", "", count.value);
        span = span.to(count.span);
    }
    if let Some(weight) = &rule.weight {
        let pad = if rule.count.is_some() { 1 } else { pad };
        let _ = write!(text, "{:pad$}w {}", "", weight.value);
        span = span.to(weight.span);
    }
    if let Some(strength) = &rule.strength {
        let pad = if rule.count.is_some() { 1 } else { pad };
        let _ = write!(text, "{:pad$}{}", "", strength.text);
        span = span.to(strength.span);
    }
    Unit {
        text,
        span,
        lead,
        joint: None,
    }
}

/// One unit for each operand of the outermost `and` or `or`.
fn reason_units(units: &mut Vec<Unit>, when: &Expr) {
    // Both bind looser than `not`; their operands need parentheses only if they are looser still.
    let (items, lead, joint, floor) = match &when.kind {
        ExprKind::And(items) => (items.as_slice(), "   and ", " and ", 4),
        ExprKind::Or(items) => (items.as_slice(), "    or ", " or ", 3),
        _ => (std::slice::from_ref(when), "", "", 0),
    };
    for (at, item) in items.iter().enumerate() {
        let mut text = String::new();
        let _ = write_within(&mut text, item, floor);
        units.push(Unit {
            text,
            span: item.span,
            lead: if at == 0 { "  when " } else { lead },
            joint: (at > 0).then_some(joint),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        format(&Source::new("a.arsg", text)).unwrap()
    }

    #[test]
    fn a_rule_gets_its_canonical_lines() {
        let text = "rule 涨因\n上涨[cause]<-上涨:N 下跌:S x 12 when same(A.object,B.object)and cue(B)in{because,due-to}\nset D.time=max(A.time,B.time) D.polarity=A.polarity";
        assert_eq!(
            formatted(text),
            "\
rule 涨因
  上涨[cause] <- 上涨:N 下跌:S                   x 12
  when same(A.object, B.object) and B.cue in {because, due-to}
  set  D.time     = max(A.time, B.time)
       D.polarity = A.polarity
"
        );
    }

    #[test]
    fn comments_stay_with_what_they_speak_of() {
        let text = "\
# 前面
prefer shift _ _ . _   x 3 # 次数
    # 为什么
  when C.cue = because # 因为
   and A.length>2 and
     # 最后
     B.length > 2
";
        let once = formatted(text);
        assert_eq!(
            once,
            "\
# 前面
prefer shift  _ _ . _                            x 3  # 次数
  # 为什么
  when C.cue = because  # 因为
   and A.length > 2
  # 最后
   and B.length > 2
"
        );
        assert_eq!(formatted(&once), once);
    }

    #[test]
    fn what_is_switched_off_is_left_alone() {
        let text = "start   A\n# fmt: off\nA[x]  <-  B   C\n\n\n#  frei\n# fmt: on\nstart   B\n";
        let once = formatted(text);
        assert_eq!(
            once,
            "start    A\n# fmt: off\nA[x]  <-  B   C\n\n\n#  frei\n# fmt: on\nstart    B\n"
        );
    }
}
