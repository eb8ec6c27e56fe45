//! What block rules ask of the lines of a plain text.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Bool, Int, Symbol},
    Domain::Values,
    PUNCTUATION,
};
use crate::measure::form::punctuation_code;
use crate::measure::function::{Function, Measure, Parameter, Scope};
use crate::measure::measured::Measured;
use crate::measure::page::LineAt;
use crate::text::lines::{Line, LineClass, LineMark, LineNumbering, LineWrap};
use crate::text::structure::LineKind;

const fn line(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'l> fn(&LineAt<'l>, &'l Line, usize) -> Measured<'l>,
) -> Function {
    let parameters = &[Parameter::Line];
    let measure = Measure::Line(measure);
    Function::new(name, parameters, (Scope::Lines, result), [doc, zh], measure)
}

const fn page(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: for<'l> fn(&LineAt<'l>) -> Measured<'l>,
) -> Function {
    let measure = Measure::Page(measure);
    Function::new(name, &[], (Scope::Lines, result), [doc, zh], measure)
}

/// The code of a symbol in the list of its enum.
fn code<T: Copy + PartialEq>(all: &[T], value: T) -> Measured<'static> {
    let at = all.iter().position(|known| *known == value).unwrap_or(0);
    Measured::Code(at as u32)
}

const CLASSES: &[&str] = &LineClass::NAMES;

pub(super) const FUNCTIONS: &[Function] = &[
    line(
        "chars",
        Int(0, MANY),
        [
            "how many characters it has, markup apart",
            "字数，不计标记符号",
        ],
        |_, line, _| Measured::count(line.chars),
    ),
    line(
        "end",
        Symbol(Values(PUNCTUATION)),
        [
            "the mark it ends with, also before closing quotes and notes such as [1]",
            "行末标点，其后的后引号和 [1] 一类的注号不计",
        ],
        |_, line, _| Measured::code(punctuation_code(line.end)),
    ),
    line(
        "opens",
        Symbol(Values(PUNCTUATION)),
        ["the mark it begins with", "行首标点"],
        |_, line, _| Measured::code(punctuation_code(line.opens)),
    ),
    line(
        "wrap",
        Symbol(Values(&LineWrap::NAMES)),
        [
            "what stands around the whole line: 【】, （）, 《》, “”, ** **",
            "整行外面的括号、引号或粗体标记",
        ],
        |_, line, _| code(&LineWrap::ALL, line.wrap),
    ),
    line(
        "mark",
        Symbol(Values(&LineMark::NAMES)),
        [
            "the markup it begins with: #, >, - or •, cells of a table, ---",
            "行首的标记：#、>、- 或 •、表格单元、---",
        ],
        |_, line, _| code(&LineMark::ALL, line.mark),
    ),
    line(
        "hashes",
        Int(0, 6),
        ["how many # it begins with", "行首 # 的个数"],
        |_, line, _| Measured::count(u32::from(line.hashes)),
    ),
    line(
        "numbering",
        Symbol(Values(&LineNumbering::NAMES)),
        [
            "how it is numbered: 1. / 1.1 / 一、 / （1） / （一） / ① / a. / IV. / 第一章 / 第一， / 方法1 / 1洗净 2切块",
            "编号方式：1. / 1.1 / 一、 / （1） / （一） / ① / a. / IV. / 第一章 / 第一， / 方法1 / 1洗净 2切块",
        ],
        |_, line, _| code(&LineNumbering::ALL, line.numbering),
    ),
    line(
        "depth",
        Int(0, 255),
        [
            "how deep its number goes: 2 for 2.1",
            "编号的层数：2.1 为 2",
        ],
        |_, line, _| Measured::count(u32::from(line.depth)),
    ),
    line(
        "label",
        Symbol(Values(CLASSES)),
        [
            "the class of what stands before its first colon: 来源：, 记者：",
            "首个冒号前的词的类别：来源：、记者：",
        ],
        |_, line, _| code(&LineClass::ALL, line.label_class()),
    ),
    line(
        "label-chars",
        Int(0, MANY),
        [
            "how many characters stand before its first colon, where that is a label",
            "首个冒号前的字数（须为标签）",
        ],
        |at, line, _| match &line.label {
            Some(label) => {
                let text = at.lines().text.get(label.range.clone());
                Measured::count(text.unwrap_or_default().chars().count() as u32)
            }
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
    line(
        "label-count",
        Int(1, MANY),
        [
            "how many lines of the text have the same label",
            "全文带同一标签的行数",
        ],
        |_, line, _| match &line.label {
            Some(label) => Measured::count(label.count),
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
    line(
        "says",
        Symbol(Values(CLASSES)),
        [
            "the class of the words it begins or ends with, or is",
            "行首、行末或整行的词的类别",
        ],
        |_, line, _| code(&LineClass::ALL, line.says),
    ),
    line(
        "commas",
        Int(0, MANY),
        ["commas and semicolons in it", "逗号和分号数"],
        |_, line, _| Measured::count(line.commas),
    ),
    line(
        "stops",
        Int(0, MANY),
        ["marks in it that end sentences", "句末标点数"],
        |_, line, _| Measured::count(line.stops),
    ),
    line(
        "columns",
        Int(0, MANY),
        ["cells between bars or tabs", "竖线或制表符隔开的单元数"],
        |_, line, _| Measured::count(line.columns),
    ),
    line(
        "capitals",
        Bool,
        ["it is written in Latin capitals alone", "全为大写拉丁字母"],
        |_, line, _| Measured::Bool(line.capitals),
    ),
    line(
        "has-date",
        Bool,
        ["a date stands in it", "含有日期"],
        |_, line, _| Measured::Bool(line.has_date),
    ),
    line(
        "is-date",
        Bool,
        ["it is nothing but a date", "只有日期"],
        |_, line, _| Measured::Bool(line.is_date),
    ),
    line(
        "has-link",
        Bool,
        [
            "an address of the web or of mail stands in it",
            "含有网址或邮箱",
        ],
        |_, line, _| Measured::Bool(line.has_link),
    ),
    line(
        "alone",
        Bool,
        ["blank lines stand around it", "前后都是空行"],
        |_, line, _| Measured::Bool(line.alone),
    ),
    line(
        "alike",
        Int(0, MANY),
        [
            "how many short lines of the text are numbered, marked and ended as it is",
            "全文中编号、标记和行末标点都与之相同的短行数",
        ],
        |_, line, _| Measured::count(line.alike),
    ),
    line(
        "until-text",
        Int(1, MANY),
        [
            "how many lines below it running text comes; the next line is 1",
            "其下第几行是正文；下一行为 1",
        ],
        |_, line, _| match line.until_text {
            Some(lines) => Measured::count(lines),
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
    line(
        "number",
        Int(1, MANY),
        [
            "its number in the text; blank lines do not count",
            "行号，空行不计",
        ],
        |_, _, number| Measured::count(number as u32 + 1),
    ),
    line(
        "below",
        Int(0, MANY),
        ["how many lines stand below it", "其下的行数"],
        |at, _, number| Measured::count((at.lines().lines.len() - 1 - number) as u32),
    ),
    line(
        "block",
        Symbol(Values(&LineKind::NAMES)),
        [
            "what the line was found to be; known of lines above only",
            "该行已判定的种类；只有上文各行可知",
        ],
        |at, _, number| match at.role(number) {
            Some(role) => code(&LineKind::ALL, role.kind),
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
    line(
        "level",
        Int(0, 255),
        [
            "the level of a line that was found to be a heading",
            "已判定为标题的行的级别",
        ],
        |at, _, number| match at.role(number) {
            Some(role) if role.kind == LineKind::Heading => Measured::count(u32::from(role.level)),
            _ => Measured::Unknown,
        },
    )
    .or_unknown(),
    page(
        "lines",
        Int(1, MANY),
        ["how many lines the text has", "全文行数"],
        |at| Measured::count(at.lines().lines.len() as u32),
    ),
    page(
        "repeated-labels",
        Int(0, MANY),
        [
            "how many labels stand before several lines each: who speaks in an interview",
            "反复出现的标签数，如访谈中的发言人",
        ],
        |at| Measured::count(at.lines().repeated_labels),
    ),
    page(
        "questions",
        Int(0, MANY),
        [
            "how many lines end with a question mark and have an answer below them",
            "以问号结尾且下一行作答的行数",
        ],
        |at| Measured::count(at.lines().questions),
    ),
    page(
        "step-above",
        Bool,
        [
            "a step (1洗净 2切块) stands above it, below the nearest heading",
            "最近的标题之下、该行之上有步骤（1洗净 2切块）",
        ],
        |at| Measured::Bool(at.has_step_above()),
    ),
    page(
        "level-above",
        Int(1, 255),
        [
            "the level of the nearest heading above; the title does not count",
            "上方最近标题的级别，篇名不计",
        ],
        |at| match at.heading_above() {
            Some((level, _)) => Measured::count(u32::from(level)),
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
    page(
        "numbering-above",
        Symbol(Values(&LineNumbering::NAMES)),
        ["how that heading is numbered", "该标题的编号方式"],
        |at| match at.heading_above() {
            Some((_, line)) => code(&LineNumbering::ALL, line.numbering),
            None => Measured::Unknown,
        },
    )
    .or_unknown(),
];
