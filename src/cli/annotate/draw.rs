//! The full screen, drawn: the text on the left, stack, suggestions and the growing tree on the
//! right; on wide screens the rules of the session beside them.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::board::{Board, Mode, NUMBERED, Page, Writing, Written};
use super::pending::wording;
use super::picker::{Field, Picker};
use super::{clock, forest, percent};
use crate::behavior::{Context, Labelling, Seen};
use crate::columns::{columns, cut};
use crate::tree::tidy_text;

/// From how many columns on the rules have a place of their own.
const WIDE: u16 = 140;
/// Columns of the numbers in front of the text.
const MARGIN: usize = 6;
/// Lines of the stack: C, B, A, S and what lies below.
const STACK_LINES: u16 = 5;

const KEYS: &str = "\
Enter, 1-9   do what is suggested        s, space  shift the next EDU
r            reduce: choose a relation   u         undo (also backspace)
w            reason for the next action  U, y, ^R  redo
e            equation for the next one   x         no reason, no equations
n            next unfinished text        p         the text before
g            go to a text by its id      t         tree or text on the left
v            rules of this session       j k PgUp PgDn  read on, read back
?            these keys                  q, ^C     leave; nothing is lost

Choosing a relation: type parts of its name or class; up and down move. \
Left arrow or [ is nucleus-satellite, right arrow or ] satellite-nucleus; \
multi-nuclear relations have two nuclei by themselves. \
Tab chooses the symbol of the new node, Enter does it, Esc leaves it.

A and B are the two nodes that a reduction joins, B the topmost; S lies below A; \
C is the next EDU. A reason is a formula of the grammar language, such as \
`B.cue = because`; an equation sets an attribute of the new node, such as \
`D.time = A.time`. Both are checked as you press Enter.";

/// How things look. Without colours, bold and reverse remain.
#[derive(Clone, Copy)]
struct Look {
    color: bool,
}

impl Look {
    fn of(self, color: Color) -> Style {
        if self.color {
            Style::default().fg(color)
        } else {
            Style::default()
        }
    }

    fn faint(self) -> Style {
        if self.color {
            Style::default().fg(Color::DarkGray)
        } else {
            Style::default().add_modifier(Modifier::DIM)
        }
    }

    fn node(self, letter: &str) -> Style {
        match letter {
            "A" => self.of(Color::Cyan).add_modifier(Modifier::BOLD),
            "B" => self.of(Color::Green).add_modifier(Modifier::BOLD),
            "C" => self.of(Color::Yellow).add_modifier(Modifier::BOLD),
            _ => Style::default(),
        }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, board: &Board, labelling: &Labelling, color: bool) {
    let look = Look { color };
    let [top, middle, message, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    heading(frame, top, board, labelling);
    let wide = middle.width >= WIDE;
    let shares: &[Constraint] = if wide {
        &[
            Constraint::Percentage(40),
            Constraint::Percentage(35),
            Constraint::Percentage(25),
        ]
    } else {
        &[Constraint::Percentage(50), Constraint::Percentage(50)]
    };
    let areas = Layout::horizontal(shares).spacing(1).split(middle);
    if let (Some(left), Some(right)) = (areas.first(), areas.get(1)) {
        if board.tree_first {
            tree(frame, *left, labelling, board.scroll, look)
        } else {
            text(frame, *left, board, labelling, look)
        }
        match &board.mode {
            Mode::Picking(picker) => picking(frame, *right, picker, look),
            _ => side(frame, *right, board, labelling, look),
        }
    }
    if let Some(area) = areas.get(2).filter(|_| wide) {
        rules(frame, *area, board, labelling, None, look);
    }
    footer(frame, message, keys, board, look);
    match &board.mode {
        Mode::Writing(writing) => line_editor(frame, middle, writing, look),
        Mode::Reading(Page::Keys) => page(frame, middle, " keys ", KEYS, board.scroll),
        Mode::Reading(Page::Rules) => {
            frame.render_widget(Clear, middle);
            rules(frame, middle, board, labelling, Some(board.scroll), look);
        }
        Mode::Normal | Mode::Picking(_) => {}
    }
}

fn heading(frame: &mut Frame<'_>, area: Rect, board: &Board, labelling: &Labelling) {
    let (done, of) = labelling.progress();
    let place = &board.place;
    let right = format!(
        "{}/{of} actions  {} rules, {} new  {} ",
        done,
        board.rules.len(),
        board.new_rules,
        clock(labelling.seconds())
    );
    let room = usize::from(area.width).saturating_sub(columns(&right) + 1);
    let title = place.title.as_deref().unwrap_or_default();
    let left = format!(" {}/{} {}  {title}", place.number, place.of, place.id);
    let left = cut(&left, room);
    let gap = " ".repeat((room + 1).saturating_sub(columns(&left)));
    let style = Style::default().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(left + &gap + &right).style(style), area);
}

fn titled(frame: &mut Frame<'_>, area: Rect, title: &str, look: Look) -> Rect {
    let block = Block::default()
        .borders(Borders::TOP)
        .border_style(look.faint())
        .title(title.to_owned());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

/// All EDUs, a blank line between blocks, with the letters of the nodes that they belong to; by
/// itself the screen stands so that the next EDU is seen, with what comes after it.
fn text(frame: &mut Frame<'_>, area: Rect, board: &Board, labelling: &Labelling, look: Look) {
    let inside = titled(frame, area, " text ", look);
    let context = labelling.context();
    let session = labelling.session();
    let width = usize::from(inside.width).saturating_sub(MARGIN).max(2);
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut current = 0;
    let mut block = None;
    for (at, edu) in session.text().edus.iter().enumerate() {
        if block.is_some_and(|block| block != edu.block) {
            lines.push(Line::default());
        }
        block = Some(edu.block);
        let letter = letter_of(&context, at);
        let style = match letter {
            Some(letter) => look.node(letter),
            None if session.next_edu().is_some_and(|next| at as u32 > next) => Style::default(),
            None => look.faint(),
        };
        if letter == Some("C") {
            current = lines.len();
        }
        let begins = letter.filter(|_| begins(&context, at)).unwrap_or(" ");
        for (number, piece) in wrapped(&tidy_text(&edu.text), width)
            .into_iter()
            .enumerate()
        {
            let margin = match number {
                0 => format!("{begins} {:>3} ", at + 1),
                _ => " ".repeat(MARGIN),
            };
            lines.push(Line::from(vec![
                Span::styled(margin, look.faint()),
                Span::styled(piece, style),
            ]));
        }
    }
    if session.next_edu().is_none() {
        current = lines.len();
    }
    let height = usize::from(inside.height);
    let wanted = current.saturating_sub(height * 2 / 3);
    show(frame, inside, lines, wanted, board.scroll);
}

fn letter_of(context: &Context, at: usize) -> Option<&'static str> {
    let nodes = context.nodes().into_iter();
    let mut covering = nodes.filter(|(_, seen)| seen.is_some_and(|s| s.span.range().contains(&at)));
    covering
        .next()
        .map(|(letter, _)| letter)
        .filter(|letter| *letter != "E")
}

fn begins(context: &Context, at: usize) -> bool {
    let mut nodes = context.nodes().into_iter();
    nodes.any(|(_, seen)| seen.is_some_and(|seen| seen.span.range().start == at))
}

/// Shows lines from a place on that the reader may have moved.
fn show(frame: &mut Frame<'_>, area: Rect, lines: Vec<Line<'_>>, wanted: usize, scroll: isize) {
    let last = lines.len().saturating_sub(usize::from(area.height));
    let from = wanted.min(last).saturating_add_signed(scroll).min(last);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(from).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

fn side(frame: &mut Frame<'_>, area: Rect, board: &Board, labelling: &Labelling, look: Look) {
    let room = area.height.saturating_sub(STACK_LINES + 2) * 2 / 5;
    let suggestions = (NUMBERED as u16).min(room).max(2);
    let [stack, next, rest] = Layout::vertical([
        Constraint::Length(STACK_LINES + 1),
        Constraint::Length(suggestions + 1),
        Constraint::Min(1),
    ])
    .areas(area);
    self::stack(frame, stack, labelling, look);
    self::suggestions(frame, next, board, labelling, look);
    if board.tree_first {
        text(frame, rest, board, labelling, look)
    } else {
        tree(frame, rest, labelling, 0, look)
    }
}

fn stack(frame: &mut Frame<'_>, area: Rect, labelling: &Labelling, look: Look) {
    let depth = labelling.session().stack().len();
    let inside = titled(frame, area, &format!(" next, stack of {depth} "), look);
    let context = labelling.context();
    let width = usize::from(inside.width);
    let nodes = [
        ("C", &context.c),
        ("B", &context.b),
        ("A", &context.a),
        ("S", &context.s),
    ];
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (letter, seen) in nodes {
        let Some(seen) = seen else {
            let gone = match letter {
                "C" => "C no EDU left",
                _ => continue,
            };
            lines.push(Line::styled(gone, look.faint()));
            continue;
        };
        let line = cut(&described(letter, seen, labelling), width);
        lines.push(Line::styled(line, look.node(letter)));
    }
    if depth > 3 {
        lines.push(Line::styled(
            format!("  and {} below", depth - 3),
            look.faint(),
        ));
    }
    frame.render_widget(Paragraph::new(lines), inside);
}

fn described(letter: &str, seen: &Seen, labelling: &Labelling) -> String {
    let edus = labelling.session().text().edus.get(seen.span.range());
    let text: String = edus
        .unwrap_or_default()
        .iter()
        .map(|edu| tidy_text(&edu.text))
        .collect();
    format!("{letter} {} {} {text}", seen.span, seen.symbol)
}

fn suggestions(
    frame: &mut Frame<'_>,
    area: Rect,
    board: &Board,
    labelling: &Labelling,
    look: Look,
) {
    let inside = titled(frame, area, " suggested ", look);
    let width = usize::from(inside.width);
    let each = board.suggestions.iter().take(NUMBERED).enumerate();
    let lines = each.map(|(at, suggestion)| {
        let share = percent(suggestion.probability);
        let line = format!("{} {share:>4} {}", at + 1, wording(suggestion, labelling));
        let style = match at {
            0 => Style::default().add_modifier(Modifier::BOLD),
            _ => Style::default(),
        };
        Line::styled(cut(&line, width), style)
    });
    let mut lines: Vec<Line<'_>> = lines.collect();
    if lines.is_empty() {
        lines.push(Line::styled("nothing: the tree is complete", look.faint()));
    }
    frame.render_widget(Paragraph::new(lines), inside);
}

/// The growing tree; by itself its end is seen, where the next reduction will be, and of a complete
/// tree its root.
fn tree(frame: &mut Frame<'_>, area: Rect, labelling: &Labelling, scroll: isize, look: Look) {
    let inside = titled(frame, area, " tree ", look);
    let width = usize::from(inside.width);
    let lines = forest::lines(labelling.session()).into_iter().map(|line| {
        let style = match (line.depth, line.role.trim()) {
            (0, letter) => look.node(letter),
            (_, "N") => look.of(Color::Green),
            (_, "S") => look.of(Color::Yellow),
            _ => Style::default(),
        };
        let mut room = width;
        let mut piece = |text: &str, style: Style| {
            let text = cut(text, room);
            room = room.saturating_sub(columns(&text));
            Span::styled(text, style)
        };
        Line::from(vec![
            piece(&line.branches, look.faint()),
            piece(&line.role, style),
            piece(&line.head, Style::default()),
            piece(&line.text, look.faint()),
        ])
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let wanted = if labelling.is_complete() {
        0
    } else {
        lines.len()
    };
    show(frame, inside, lines, wanted, scroll);
}

fn picking(frame: &mut Frame<'_>, area: Rect, picker: &Picker, look: Look) {
    let [head, list] = Layout::vertical([Constraint::Length(4), Constraint::Min(1)]).areas(area);
    let inside = titled(frame, head, " reduce A and B to ", look);
    let width = usize::from(inside.width);
    let symbol = picker.symbol().unwrap_or("the nucleus's");
    let cursor = |field: Field| if field == picker.field { "▏" } else { "" };
    let relation = format!("relation {}{}", picker.query, cursor(Field::Relation));
    let written = match picker.field {
        Field::Symbol => format!("symbol   {}▏", picker.symbol_query),
        Field::Relation => format!("symbol   {symbol}   (Tab)"),
    };
    let roles = picker.roles().letters().join(" ");
    let lines = vec![
        Line::raw(cut(&relation, width)),
        Line::raw(cut(
            &format!("A B are  {roles}   (left, right arrow)"),
            width,
        )),
        Line::raw(cut(&written, width)),
    ];
    frame.render_widget(Paragraph::new(lines), inside);
    let title = match picker.field {
        Field::Relation => " relations ",
        Field::Symbol => " symbols ",
    };
    let inside = titled(frame, list, title, look);
    let names: Vec<String> = match picker.field {
        Field::Relation => picker
            .relations()
            .iter()
            .map(|choice| {
                let share = if choice.probability > 0.0 {
                    percent(choice.probability)
                } else {
                    String::new()
                };
                format!("{share:>4} {}", choice.name)
            })
            .collect(),
        Field::Symbol => picker
            .symbols()
            .iter()
            .map(|name| format!(" {name}"))
            .collect(),
    };
    let lines = names.into_iter().enumerate().map(|(at, name)| {
        let style = if at == picker.at {
            Style::default().add_modifier(Modifier::REVERSED)
        } else {
            Style::default()
        };
        Line::styled(cut(&name, usize::from(inside.width)), style)
    });
    let height = usize::from(inside.height);
    let from = picker.at.saturating_sub(height.saturating_sub(1));
    show(frame, inside, lines.collect(), from, 0);
}

/// The rules of the session's texts; by itself the end is seen, where new ones appear.
fn rules(
    frame: &mut Frame<'_>,
    area: Rect,
    board: &Board,
    labelling: &Labelling,
    scroll: Option<isize>,
    look: Look,
) {
    let title = format!(" rules: {}, {} new ", board.rules.len(), board.new_rules);
    let inside = titled(frame, area, &title, look);
    let width = usize::from(inside.width);
    let text = board
        .rules
        .to_text(&labelling.session().engine().grammar().schema);
    let lines = text
        .lines()
        .map(|line| Line::raw(cut(&squeezed(line), width)));
    let lines: Vec<Line<'_>> = lines.collect();
    let wanted = match scroll {
        Some(_) => 0,
        None => lines.len(),
    };
    show(frame, inside, lines, wanted, scroll.unwrap_or(0));
}

/// A rule without the spaces that put counts in a column: there is no room for them.
fn squeezed(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let words: Vec<&str> = line.split_whitespace().collect();
    " ".repeat(indent) + &words.join(" ")
}

fn line_editor(frame: &mut Frame<'_>, area: Rect, writing: &Writing, look: Look) {
    let (title, hint) = match writing.what {
        Written::Reason => (
            " reason for the next action ",
            "such as: B.cue = because and level(A, B) < paragraph",
        ),
        Written::Equation => (
            " equation for the next reduction ",
            "such as: D.time = max(A.time, B.time)",
        ),
        Written::Text => (" go to the text ", "its id"),
    };
    let width = usize::from(area.width).saturating_sub(2).max(2);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for piece in wrapped(&format!("{}▏", writing.line), width) {
        lines.push(Line::styled(
            piece,
            Style::default().add_modifier(Modifier::BOLD),
        ));
    }
    for problem in &writing.problem {
        for piece in wrapped(problem, width) {
            lines.push(Line::styled(piece, look.of(Color::Red)));
        }
    }
    lines.push(Line::styled(hint, look.faint()));
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect {
        y: area.y + area.height - height,
        height,
        ..area
    };
    frame.render_widget(Clear, place);
    let block = Block::default().borders(Borders::ALL).title(title);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

fn page(frame: &mut Frame<'_>, area: Rect, title: &str, text: &str, scroll: isize) {
    frame.render_widget(Clear, area);
    let block = Block::default()
        .borders(Borders::ALL)
        .title(title.to_owned());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let width = usize::from(inside.width).max(2);
    let lines = text.lines().flat_map(|line| wrapped(line, width));
    show(frame, inside, lines.map(Line::raw).collect(), 0, scroll);
}

fn footer(frame: &mut Frame<'_>, message: Rect, keys: Rect, board: &Board, look: Look) {
    let mut said = board.message.clone();
    if let Some(reason) = &board.pending.reason {
        said = format!("{said}  when {reason}");
    }
    if !board.pending.equations.is_empty() {
        said = format!("{said}  set {}", board.pending.equations.join(", "));
    }
    let style = if board.alarm {
        look.of(Color::Red).add_modifier(Modifier::BOLD)
    } else {
        Style::default()
    };
    let width = usize::from(message.width);
    frame.render_widget(Paragraph::new(cut(&said, width)).style(style), message);
    let hint = match board.mode {
        Mode::Normal => "Enter accept  s shift  r reduce  u undo  w reason  n next  q quit  ? keys",
        Mode::Picking(_) => "type to search  ←→ nucleus  Tab symbol  Enter reduce  Esc back",
        Mode::Writing(_) => "Enter take it  Esc back  ^U clear",
        Mode::Reading(_) => "j k PgUp PgDn to read, any other key goes back",
    };
    frame.render_widget(Paragraph::new(cut(hint, width)).style(look.faint()), keys);
}

/// Marks that no line begins with.
const CLOSING: &str = "。，、；：？！”’）》」』…%";

/// Lines of at most `width` columns. Between Latin letters only spaces break, and no line begins
/// with a closing mark: the character before it comes along.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for letter in text.chars() {
        let wide = columns(letter.encode_utf8(&mut [0; 4]));
        if used + wide > width && letter == ' ' {
            lines.push(std::mem::take(&mut line));
            used = 0;
            continue;
        }
        if used + wide > width {
            let from = if CLOSING.contains(letter) {
                line.char_indices().next_back().map(|(at, _)| at)
            } else if letter.is_ascii_graphic() {
                line.rfind(' ').map(|at| at + 1)
            } else {
                None
            };
            // A line that would leave nothing behind is broken where it is.
            let from = from.filter(|from| *from > 0);
            let rest = from.map_or(String::new(), |from| line.split_off(from));
            lines.push(std::mem::replace(&mut line, rest));
            used = columns(&line);
        }
        line.push(letter);
        used += wide;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
#[path = "draw_tests.rs"]
mod tests;
