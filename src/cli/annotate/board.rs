//! What the full screen shows, and what keys do. Nothing here touches the terminal.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::desk::{Place, Turn};
use super::pending::{Pending, wording};
use super::picker::{Field, Picker};
use super::plain::check_roles;
use crate::automaton::Suggestion;
use crate::behavior::{Act, Labelling, RuleInstances};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Result};
use crate::grammar::Roles;

/// How many suggestions have a key.
pub(super) const NUMBERED: usize = 9;

/// What the keys mean at the moment.
#[derive(Debug, Default)]
pub(super) enum Mode {
    #[default]
    Normal,
    /// Choosing what two nodes become.
    Picking(Box<Picker>),
    /// Writing the reason or an equation for the next action.
    Writing(Writing),
    /// Reading something that covers the screen: keys, rules.
    Reading(Page),
}

/// A line being written.
#[derive(Debug, Default)]
pub(super) struct Writing {
    pub(super) what: Written,
    pub(super) line: String,
    /// What is wrong with it.
    pub(super) problem: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Written {
    #[default]
    Reason,
    Equation,
    /// The id of a text to go to.
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Keys,
    Rules,
}

/// What lies before the annotator.
#[derive(Default)]
pub(super) struct Board {
    pub(super) place: Place,
    pub(super) mode: Mode,
    pub(super) pending: Pending,
    pub(super) suggestions: Vec<Suggestion>,
    /// What happened last.
    pub(super) message: String,
    pub(super) alarm: bool,
    /// The tree takes the place of the text.
    pub(super) tree_first: bool,
    /// How far the reader has gone from where the screen would stand by itself, in lines.
    pub(super) scroll: isize,
    /// The rules of this session's texts, this one's included, and how many are new.
    pub(super) rules: RuleInstances,
    pub(super) new_rules: usize,
    others: RuleInstances,
}

impl Board {
    /// Takes a text up.
    pub(super) fn take_up(&mut self, place: Place, said: Vec<String>) {
        *self = Board {
            place,
            tree_first: self.tree_first,
            ..Board::default()
        };
        self.alarm = !said.is_empty();
        self.message = if said.is_empty() {
            "? shows the keys".to_owned()
        } else {
            said.join(" ")
        };
    }

    pub(super) fn remember(&mut self, rules: RuleInstances) {
        self.others = rules;
    }

    pub(super) fn refuse(&mut self, why: &str) {
        self.message = why.to_owned();
        self.alarm = true;
    }

    /// Looks again at what can be done.
    pub(super) fn refresh(&mut self, labelling: &Labelling) {
        self.suggestions = labelling.session().suggestions();
        self.rules = self.others.clone();
        self.rules.add(&labelling.instances());
        let grammar = labelling.session().engine().grammar();
        self.new_rules = self.rules.unknown_to(grammar).len();
    }

    /// What a key does. Gives back where the annotator goes, if away.
    pub(super) fn press_key(
        &mut self,
        key: KeyEvent,
        labelling: &mut Labelling,
    ) -> Result<Option<Turn>> {
        if is_control(key, 'c') {
            return Ok(Some(Turn::Quit));
        }
        let mode = std::mem::take(&mut self.mode);
        let done = match mode {
            Mode::Normal => self.normal(key, labelling),
            Mode::Picking(picker) => self.picking(picker, key, labelling).map(|()| None),
            Mode::Writing(writing) => Ok(self.writing(writing, key, labelling)),
            Mode::Reading(page) => {
                self.reading(page, key);
                Ok(None)
            }
        };
        match done {
            // The file cannot be written: that is no matter of keys.
            Err(error @ (Error::Write { .. } | Error::Read { .. })) => Err(error),
            Err(error) => {
                let said = problems(error);
                self.refuse(&said.join("; "));
                Ok(None)
            }
            Ok(turn) => Ok(turn),
        }
    }

    fn normal(&mut self, key: KeyEvent, labelling: &mut Labelling) -> Result<Option<Turn>> {
        if is_control(key, 'r') {
            self.act(Act::Redo, labelling)?;
            return Ok(None);
        }
        match key.code {
            KeyCode::Enter => self.accept(0, labelling)?,
            KeyCode::Char(digit @ '1'..='9') => {
                let at = digit.to_digit(10).unwrap_or(1) as usize - 1;
                self.accept(at, labelling)?;
            }
            KeyCode::Char('s' | ' ') => {
                self.pending.shift(labelling)?;
                self.done(labelling);
            }
            KeyCode::Char('r') => self.pick(labelling)?,
            KeyCode::Char('u') | KeyCode::Backspace => self.act(Act::Undo, labelling)?,
            KeyCode::Char('U' | 'y') => self.act(Act::Redo, labelling)?,
            KeyCode::Char('w') => self.write(Written::Reason),
            KeyCode::Char('e') => self.write(Written::Equation),
            KeyCode::Char('g') => self.write(Written::Text),
            KeyCode::Char('x') => self.clear(),
            KeyCode::Char('t') => {
                self.tree_first = !self.tree_first;
                self.scroll = 0;
            }
            KeyCode::Char('v') => self.mode = Mode::Reading(Page::Rules),
            KeyCode::Char('?' | 'h') => self.mode = Mode::Reading(Page::Keys),
            KeyCode::Down | KeyCode::Char('j') => self.scroll += 1,
            KeyCode::Up | KeyCode::Char('k') => self.scroll -= 1,
            KeyCode::PageDown => self.scroll += 10,
            KeyCode::PageUp => self.scroll -= 10,
            KeyCode::Char('n') => return Ok(Some(Turn::Next)),
            KeyCode::Char('p') => return Ok(Some(Turn::Previous)),
            KeyCode::Char('q') => return Ok(Some(Turn::Quit)),
            _ => {}
        }
        Ok(None)
    }

    fn picking(
        &mut self,
        mut picker: Box<Picker>,
        key: KeyEvent,
        labelling: &mut Labelling,
    ) -> Result<()> {
        match key.code {
            KeyCode::Esc => return Ok(()),
            KeyCode::Enter => {
                if picker.field == Field::Symbol {
                    picker.take_symbol();
                }
                let Some(relation) = picker.chosen().map(|choice| choice.name.clone()) else {
                    self.refuse("no relation fits what you typed");
                    self.mode = Mode::Picking(picker);
                    return Ok(());
                };
                let roles = picker.roles();
                check_roles(&relation, roles, labelling)?;
                let symbol = picker.symbol();
                let suggestions = &self.suggestions;
                self.pending
                    .reduce(labelling, suggestions, &relation, roles, symbol)?;
                self.done(labelling);
                return Ok(());
            }
            KeyCode::Tab | KeyCode::BackTab => picker.switch(),
            KeyCode::Left | KeyCode::Char('[') => picker.set_roles(Roles::NucleusSatellite),
            KeyCode::Right | KeyCode::Char(']') => picker.set_roles(Roles::SatelliteNucleus),
            KeyCode::Down => picker.step(1),
            KeyCode::Up => picker.step(-1),
            KeyCode::PageDown => picker.step(10),
            KeyCode::PageUp => picker.step(-10),
            KeyCode::Backspace => picker.rub_out(),
            KeyCode::Char(letter) if !has_control(key) => picker.type_letter(letter),
            _ => {}
        }
        self.mode = Mode::Picking(picker);
        Ok(())
    }

    fn writing(
        &mut self,
        mut writing: Writing,
        key: KeyEvent,
        labelling: &Labelling,
    ) -> Option<Turn> {
        match key.code {
            KeyCode::Esc => return None,
            KeyCode::Enter => {
                let line = writing.line.trim().to_owned();
                match self.written(writing.what, &line, labelling) {
                    Ok(turn) => return turn,
                    Err(error) => writing.problem = problems(error),
                }
            }
            KeyCode::Backspace => {
                writing.line.pop();
            }
            KeyCode::Char('u') if has_control(key) => writing.line.clear(),
            KeyCode::Char(letter) if !has_control(key) => writing.line.push(letter),
            _ => {}
        }
        self.mode = Mode::Writing(writing);
        None
    }

    /// Takes over a line, if it is right; an empty one takes back what was said before.
    fn written(
        &mut self,
        what: Written,
        line: &str,
        labelling: &Labelling,
    ) -> Result<Option<Turn>> {
        self.alarm = false;
        match what {
            Written::Text if line.is_empty() => {}
            Written::Text => return Ok(Some(Turn::To(line.to_owned()))),
            Written::Reason if line.is_empty() => {
                self.pending.reason = None;
                self.message = "no reason".to_owned();
            }
            Written::Reason => {
                labelling.check_reason(line)?;
                self.pending.reason = Some(line.to_owned());
                self.message = "the next action has this reason".to_owned();
            }
            Written::Equation if line.is_empty() => {
                self.pending.equations.clear();
                self.message = "no equations".to_owned();
            }
            Written::Equation => {
                let mut equations = self.pending.equations.clone();
                equations.push(line.into());
                labelling.check_equations(&equations)?;
                self.pending.equations = equations;
                self.message = "the next reduction has this equation".to_owned();
            }
        }
        Ok(None)
    }

    fn reading(&mut self, page: Page, key: KeyEvent) {
        let by = match key.code {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown | KeyCode::Char(' ') => 10,
            KeyCode::PageUp => -10,
            _ => {
                self.scroll = 0;
                return;
            }
        };
        self.scroll = (self.scroll + by).max(0);
        self.mode = Mode::Reading(page);
    }

    fn pick(&mut self, labelling: &Labelling) -> Result<()> {
        if labelling.session().stack().len() < 2 {
            return Err(Error::Usage("there are no two nodes to join".to_owned()));
        }
        let schema = labelling.session().engine().schema();
        self.mode = Mode::Picking(Box::new(Picker::new(schema, &self.suggestions)));
        Ok(())
    }

    fn write(&mut self, what: Written) {
        let line = match what {
            Written::Reason => self.pending.reason.clone().unwrap_or_default(),
            Written::Equation => "D.".to_owned(),
            Written::Text => String::new(),
        };
        self.mode = Mode::Writing(Writing {
            what,
            line,
            problem: Vec::new(),
        });
    }

    fn clear(&mut self) {
        self.pending = Pending::default();
        self.message = "no reason, no equations".to_owned();
        self.alarm = false;
    }

    fn accept(&mut self, at: usize, labelling: &mut Labelling) -> Result<()> {
        let Some(suggestion) = self.suggestions.get(at).copied() else {
            return Err(Error::Usage(if self.suggestions.is_empty() {
                "there is nothing left to do; n goes to the next text".to_owned()
            } else {
                format!("there is no suggestion {}", at + 1)
            }));
        };
        let said = wording(&suggestion, labelling);
        self.pending.accept(labelling, &suggestion)?;
        self.done(labelling);
        if !labelling.is_complete() {
            self.message = said;
        }
        Ok(())
    }

    fn act(&mut self, act: Act, labelling: &mut Labelling) -> Result<()> {
        labelling.act(act, None)?;
        self.done(labelling);
        Ok(())
    }

    fn done(&mut self, labelling: &Labelling) {
        self.refresh(labelling);
        self.scroll = 0;
        self.alarm = false;
        let last = labelling.label().actions.last();
        self.message = match last.map(|last| &last.act) {
            _ if labelling.is_complete() => {
                "the tree is complete; n goes to the next text, u takes the last action back"
                    .to_owned()
            }
            Some(Act::Reduce(join)) => {
                format!("reduce {} {}", join.relation, join.roles.letters().concat())
            }
            Some(act) => act.as_str().to_owned(),
            None => String::new(),
        };
    }
}

/// An error as lines for the screen.
fn problems(error: Error) -> Vec<String> {
    let said = |problem: Diagnostic| {
        let help = problem
            .help
            .map_or(String::new(), |help| format!(" ({help})"));
        problem.message + &help
    };
    match error {
        Error::Invalid(problems) => problems.into_iter().map(said).collect(),
        error => vec![error.to_string()],
    }
}

fn has_control(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL)
}

fn is_control(key: KeyEvent, letter: char) -> bool {
    has_control(key) && key.code == KeyCode::Char(letter)
}
