//! The full screen: the terminal taken and given back, keys in, drawings out.

use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use super::Person;
use super::board::Board;
use super::desk::{Place, Turn};
use super::draw;
use crate::behavior::{Annotator, Labelling, LabellingState, RuleInstances};
use crate::error::{Error, Result};

/// How often the clock on the screen moves.
const TICK: Duration = Duration::from_secs(1);

/// A person before a terminal.
pub(super) struct Screen {
    name: String,
    terminal: DefaultTerminal,
    board: Board,
    color: bool,
    turn: Turn,
}

impl Screen {
    /// Takes the terminal; it is given back when this is dropped, and after a panic.
    pub(super) fn open(name: String, color: bool) -> Result<Screen> {
        let terminal = ratatui::try_init().map_err(|error| Error::write("<terminal>", error))?;
        Ok(Screen {
            name,
            terminal,
            board: Board::default(),
            color,
            turn: Turn::default(),
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Annotator for Screen {
    fn name(&self) -> &str {
        &self.name
    }

    fn annotate(&mut self, labelling: &mut Labelling) -> Result<LabellingState> {
        self.board.refresh(labelling);
        loop {
            let (board, color) = (&self.board, self.color);
            self.terminal
                .draw(|frame| draw::draw(frame, board, labelling, color))
                .map_err(|error| Error::write("<terminal>", error))?;
            let fail = |error| Error::read("<terminal>", error);
            if !event::poll(TICK).map_err(fail)? {
                continue;
            }
            let Event::Key(key) = event::read().map_err(fail)? else {
                continue;
            };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            if let Some(turn) = self.board.press_key(key, labelling)? {
                self.turn = turn;
                return Ok(if labelling.is_complete() {
                    LabellingState::Finished
                } else {
                    LabellingState::Paused
                });
            }
        }
    }
}

impl Person for Screen {
    fn take_up(&mut self, place: Place, said: Vec<String>) {
        self.board.take_up(place, said);
    }

    fn turn(&mut self) -> Turn {
        std::mem::take(&mut self.turn)
    }

    fn refuse(&mut self, why: &str) {
        self.board.refuse(why);
    }

    fn remember(&mut self, rules: RuleInstances) {
        self.board.remember(rules);
    }
}
