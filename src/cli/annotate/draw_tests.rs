//! The screen as a person sees it, in small and large terminals.

use std::sync::{Arc, LazyLock};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::board::Board;
use super::super::desk::{Place, Turn};
use super::draw;
use crate::automaton::Engine;
use crate::behavior::Labelling;
use crate::grammar::embedded_grammar;
use crate::text::Document;

static ENGINE: LazyLock<Arc<Engine>> =
    LazyLock::new(|| Arc::new(Engine::new(embedded_grammar("seed").unwrap())));

/// A board before a text of five EDUs.
fn board() -> (Board, Labelling) {
    let document = Document::from_edus(
        "cpi",
        [
            vec![
                "国家统计局10日发布的数据显示，",
                "8月份全国居民消费价格同比上涨2.4%，",
                "涨幅比上月扩大0.2个百分点。",
            ],
            vec!["由于生猪供应偏紧，", "猪肉价格上涨8.6%。"],
        ],
    );
    let labelling = Labelling::new(&ENGINE, &document, "李");
    let mut board = Board::default();
    let place = Place {
        id: "cpi".to_owned(),
        number: 1,
        of: 3,
        title: Some("8月CPI同比上涨2.4% 猪肉价格涨幅明显".to_owned()),
    };
    board.take_up(place, Vec::new());
    board.refresh(&labelling);
    (board, labelling)
}

/// Types keys: a letter each; `\n` is Enter, `\t` Tab, `<` and `>` the arrows, `\x1b` Esc.
fn press(board: &mut Board, labelling: &mut Labelling, keys: &str) -> Option<Turn> {
    let mut turn = None;
    for key in keys.chars() {
        let code = match key {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '<' => KeyCode::Left,
            '>' => KeyCode::Right,
            '\x1b' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        turn = board.press_key(key, labelling).unwrap_or(Some(Turn::Quit));
    }
    turn
}

/// The screen as text; of a wide character the second cell is empty.
fn screen(board: &Board, labelling: &Labelling, width: u16, height: u16) -> String {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| draw(frame, board, labelling, false));
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..height {
        let mut skip = 0;
        for x in 0..width {
            let symbol = buffer[(x, y)].symbol();
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = crate::columns::columns(symbol).saturating_sub(1);
            text.push_str(symbol);
        }
        text.push('\n');
    }
    text
}

#[test]
fn lines_are_as_wide_as_the_screen_and_nothing_is_halved() {
    let (mut board, mut labelling) = board();
    press(&mut board, &mut labelling, "ss");
    for (width, height) in [(80, 24), (81, 24), (200, 60), (40, 10), (20, 5), (3, 2)] {
        let drawn = screen(&board, &labelling, width, height);
        for line in drawn.lines() {
            assert_eq!(crate::columns::columns(line), usize::from(width), "{drawn}");
        }
    }
    let small = screen(&board, &labelling, 80, 24);
    for wanted in [
        "1/3 cpi",
        "A   1 国家统计局10日发布的数据显示，",
        "C   3 涨幅比上月扩大0.2个百分点。",
        "suggested",
        "next, stack of 2",
        "2/9 actions",
    ] {
        assert!(small.contains(wanted), "{wanted}\n{small}");
    }
    assert!(!small.contains(" rules: "), "{small}");
    let large = screen(&board, &labelling, 200, 60);
    assert!(large.contains(" rules: 0, 0 new "), "{large}");
}

#[test]
fn keys_make_a_tree() {
    let (mut board, mut labelling) = board();
    press(&mut board, &mut labelling, "sssr");
    let drawn = screen(&board, &labelling, 80, 24);
    assert!(drawn.contains("reduce A and B to"), "{drawn}");
    press(&mut board, &mut labelling, "elab add\n");
    assert_eq!(board.message, "reduce elaboration-additional NS");
    press(&mut board, &mut labelling, "rattr\x1b");
    assert_eq!(labelling.progress().0, 4, "Esc does nothing");
    press(&mut board, &mut labelling, "rattribution-pos>\n");
    assert_eq!(board.message, "reduce attribution-positive SN");
    press(&mut board, &mut labelling, "ssrcausal-cause>\n");
    press(&mut board, &mut labelling, "relab add\trise\n");
    assert!(labelling.is_complete(), "{}", board.message);
    assert!(board.message.starts_with("the tree is complete"));
    assert_eq!(board.rules.productions.len(), 4);
    let last = &labelling.label().actions.last().map(|last| &last.act);
    assert!(format!("{last:?}").contains("\"Rise\""), "{last:?}");
    let drawn = screen(&board, &labelling, 80, 24);
    assert!(
        drawn.contains("Rise[elaboration-additional] 1-5"),
        "{drawn}"
    );
    press(&mut board, &mut labelling, "uuU");
    assert_eq!(labelling.progress().0, 8);
    assert_eq!(press(&mut board, &mut labelling, "n"), Some(Turn::Next));
    assert_eq!(press(&mut board, &mut labelling, "q"), Some(Turn::Quit));
}

#[test]
fn reasons_are_checked_as_they_are_written() {
    let (mut board, mut labelling) = board();
    press(&mut board, &mut labelling, "ssssswB.ceu = because\n");
    let drawn = screen(&board, &labelling, 80, 24);
    assert!(drawn.contains("did you mean `cue`?"), "{drawn}");
    press(&mut board, &mut labelling, "\x1bwA.cue = because\n");
    assert_eq!(
        board.pending.reason.as_deref(),
        Some("A.cue = because"),
        "{}",
        board.message
    );
    press(&mut board, &mut labelling, "eattr\n");
    let drawn = screen(&board, &labelling, 80, 24);
    assert!(drawn.contains("D.attr▏"), "{drawn}");
    press(&mut board, &mut labelling, "\x1betime = B.time\n");
    press(&mut board, &mut labelling, "rcausal-cause>\n");
    let last = labelling.label().actions.last();
    assert_eq!(
        last.and_then(|last| last.reason.as_deref()),
        Some("A.cue = because")
    );
    assert!(board.pending.reason.is_none(), "it was for one action");
    let rules = board.rules.to_text(&ENGINE.grammar().schema);
    assert!(rules.contains("when A.cue = because"), "{rules}");
    assert!(rules.contains("set  D.time = B.time"), "{rules}");
}

#[test]
fn pages_open_and_close() {
    let (mut board, mut labelling) = board();
    press(&mut board, &mut labelling, "?");
    assert!(screen(&board, &labelling, 80, 24).contains("do what is suggested"));
    press(&mut board, &mut labelling, "\x1bss1v");
    assert!(screen(&board, &labelling, 80, 24).contains(" rules: "));
    press(&mut board, &mut labelling, "jjk\x1bt");
    assert!(board.tree_first);
}

#[test]
fn no_line_begins_with_a_closing_mark() {
    let lines = super::wrapped("居民消费价格同比上涨，涨幅扩大。", 20);
    assert_eq!(lines, ["居民消费价格同比上", "涨，涨幅扩大。"]);
    let lines = super::wrapped("go to the next text again", 9);
    assert_eq!(lines, ["go to the", "next text", "again"]);
    let lines = super::wrapped("go to a text", 10);
    assert_eq!(lines, ["go to a ", "text"]);
    assert_eq!(super::wrapped("，，", 2), ["，", "，"]);
    assert_eq!(super::wrapped("", 5), [""]);
}
