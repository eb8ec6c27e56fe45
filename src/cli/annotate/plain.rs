//! The plain line mode: a command a line, answers on stdout. For scripts, for tests, for terminals
//! that can do nothing else.

use std::io::{BufRead, Write};

use super::desk::{Place, Turn};
use super::pending::{Pending, wording};
use super::{Person, clock, forest, percent};
use crate::automaton::Suggestion;
use crate::behavior::{Act, Annotator, Context, Labelling, LabellingState, RuleInstances, Seen};
use crate::diagnostic::{ErrorFormat, Renderer};
use crate::error::{Error, Result};
use crate::grammar::Roles;
use crate::tree::tidy_text;

/// What `help` says.
const HELP: &str = "\
shift                           take the next EDU on the stack
reduce RELATION NS|SN|NN [SYMBOL]
                                join the two topmost nodes
accept [N]                      do what is suggested, the Nth of `suggest`
suggest                         what the grammar would do, the most probable first
reason [FORMULA]                the reason for the next action; nothing takes it back
set [D.ATTRIBUTE = VALUE]       an equation for the next reduction; nothing takes all back
undo, redo                      without limit
show                            the stack and the next EDU
text                            all EDUs
tree                            the growing tree
rules [new]                     the rules of this session's texts, or those new to the grammar
relations, symbols              the names that `reduce` takes
time                            the time spent on this text
next, previous, open ID         another text
quit";

/// How many suggestions are listed.
const SHOWN_SUGGESTIONS: usize = 9;

/// A person, or a script, at the other end of a pipe.
pub(super) struct Plain {
    name: String,
    json: bool,
    color: bool,
    pending: Pending,
    turn: Turn,
    others: RuleInstances,
    suggestions: Vec<Suggestion>,
}

/// What a command came to.
enum Answer {
    /// Lines to print.
    Said(Vec<String>),
    /// An action was done; how it stands is said.
    Done,
    /// The person goes elsewhere.
    Left(Turn),
}

impl Plain {
    pub(super) fn new(name: String, terminal: &super::Terminal) -> Plain {
        Plain {
            name,
            json: terminal.json,
            color: terminal.color,
            pending: Pending::default(),
            turn: Turn::default(),
            others: RuleInstances::default(),
            suggestions: Vec::new(),
        }
    }

    fn say(&self, line: &str) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let said = writeln!(out, "{line}").and_then(|()| out.flush());
        said.map_err(|error| Error::write("<stdout>", error))
    }

    fn say_all(&self, ok: bool, lines: &[String], labelling: &Labelling) -> Result<()> {
        if !self.json {
            return lines.iter().try_for_each(|line| self.say(line));
        }
        let (done, of) = labelling.progress();
        let said = serde_json::json!({
            "ok": ok,
            "said": lines,
            "actions": done,
            "of": of,
            "complete": labelling.is_complete(),
        });
        self.say(&said.to_string())
    }

    fn command(&mut self, line: &str, labelling: &mut Labelling) -> Result<Answer> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let said = |line: String| Ok(Answer::Said(vec![line]));
        match word {
            "shift" | "s" => self.pending.shift(labelling)?,
            "reduce" | "r" => self.reduce(rest, labelling)?,
            "accept" | "a" => self.accept(rest, labelling)?,
            "undo" | "u" => labelling.act(Act::Undo, None)?,
            "redo" => labelling.act(Act::Redo, None)?,
            "suggest" => return Ok(Answer::Said(self.suggested(labelling))),
            "reason" => {
                if rest.is_empty() {
                    self.pending.reason = None;
                    return said("no reason".to_owned());
                }
                labelling.check_reason(rest)?;
                self.pending.reason = Some(rest.to_owned());
                return said(format!("reason: {rest}"));
            }
            "set" => return said(self.set(rest, labelling)?),
            "show" => return Ok(Answer::Said(stands(labelling))),
            "text" => return Ok(Answer::Said(edus(labelling))),
            "tree" => return Ok(Answer::Said(drawn(labelling))),
            "rules" => return Ok(Answer::Said(self.rules(rest, labelling))),
            "relations" | "symbols" => return said(names(word, labelling)),
            "time" => return said(clock(labelling.seconds())),
            "next" | "n" => return Ok(Answer::Left(Turn::Next)),
            "previous" | "p" => return Ok(Answer::Left(Turn::Previous)),
            "open" if !rest.is_empty() => return Ok(Answer::Left(Turn::To(rest.to_owned()))),
            "quit" | "q" => return Ok(Answer::Left(Turn::Quit)),
            "help" | "?" => return Ok(Answer::Said(HELP.lines().map(str::to_owned).collect())),
            _ => {
                return Err(Error::Usage(format!(
                    "there is no command `{word}`; `help` lists them"
                )));
            }
        }
        Ok(Answer::Done)
    }

    fn reduce(&mut self, rest: &str, labelling: &mut Labelling) -> Result<()> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (relation, roles, symbol) = match words.as_slice() {
            [relation, roles] => (*relation, *roles, None),
            [relation, roles, symbol] => (*relation, *roles, Some(*symbol)),
            _ => {
                let usage = "write `reduce RELATION NS|SN|NN [SYMBOL]`";
                return Err(Error::Usage(usage.to_owned()));
            }
        };
        let roles = match roles {
            "NS" => Roles::NucleusSatellite,
            "SN" => Roles::SatelliteNucleus,
            "NN" => Roles::NucleusNucleus,
            other => {
                return Err(Error::Usage(format!(
                    "`{other}` is no pair of roles: write NS, SN or NN"
                )));
            }
        };
        check_roles(relation, roles, labelling)?;
        self.pending
            .reduce(labelling, &self.suggestions, relation, roles, symbol)
    }

    fn accept(&mut self, rest: &str, labelling: &mut Labelling) -> Result<()> {
        let number: usize = match rest {
            "" => 1,
            number => number
                .parse()
                .map_err(|_| Error::Usage(format!("`{number}` is no number")))?,
        };
        let at = number.checked_sub(1);
        let suggestion = at.and_then(|at| self.suggestions.get(at)).copied();
        let Some(suggestion) = suggestion else {
            return Err(Error::Usage(match self.suggestions.len() {
                0 => "there is nothing left to do".to_owned(),
                count => format!("there are {count} suggestions"),
            }));
        };
        self.pending.accept(labelling, &suggestion)
    }

    fn set(&mut self, rest: &str, labelling: &Labelling) -> Result<String> {
        if rest.is_empty() {
            self.pending.equations.clear();
            return Ok("no equations".to_owned());
        }
        let mut equations = self.pending.equations.clone();
        equations.push(rest.into());
        labelling.check_equations(&equations)?;
        self.pending.equations = equations;
        Ok(format!("set: {rest}"))
    }

    fn suggested(&self, labelling: &Labelling) -> Vec<String> {
        let each = self.suggestions.iter().take(SHOWN_SUGGESTIONS).enumerate();
        each.map(|(at, suggestion)| {
            let share = percent(suggestion.probability);
            format!("{} {share:>4} {}", at + 1, wording(suggestion, labelling))
        })
        .collect()
    }

    fn rules(&self, rest: &str, labelling: &Labelling) -> Vec<String> {
        let grammar = labelling.session().engine().grammar();
        let mut rules = self.others.clone();
        rules.add(&labelling.instances());
        if rest == "new" {
            rules = rules.unknown_to(grammar);
        }
        let text = rules.to_text(&grammar.schema);
        text.lines().map(str::to_owned).collect()
    }
}

impl Annotator for Plain {
    fn name(&self) -> &str {
        &self.name
    }

    fn annotate(&mut self, labelling: &mut Labelling) -> Result<LabellingState> {
        self.suggestions = labelling.session().suggestions();
        let renderer = Renderer {
            format: ErrorFormat::Human,
            color: self.color,
            ..Renderer::default()
        };
        // Bad bytes are replaced: they can only make a command wrong.
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = input.read_until(b'\n', &mut bytes);
            if read.map_err(|error| Error::read("<stdin>", error))? == 0 {
                self.turn = Turn::Quit;
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match self.command(line, labelling) {
                Ok(Answer::Said(lines)) => self.say_all(true, &lines, labelling)?,
                Ok(Answer::Done) => {
                    self.suggestions = labelling.session().suggestions();
                    self.say_all(true, &[standing(labelling)], labelling)?;
                }
                Ok(Answer::Left(turn)) => {
                    self.turn = turn;
                    break;
                }
                Err(error @ (Error::Write { .. } | Error::Read { .. })) => return Err(error),
                Err(Error::Invalid(problems)) => {
                    let said = renderer.render(&problems);
                    let lines: Vec<String> = said.lines().map(str::to_owned).collect();
                    self.say_all(false, &lines, labelling)?;
                }
                Err(error) => self.say_all(false, &[format!("error: {error}")], labelling)?,
            }
        }
        Ok(if labelling.is_complete() {
            LabellingState::Finished
        } else {
            LabellingState::Paused
        })
    }
}

impl Person for Plain {
    fn take_up(&mut self, place: Place, said: Vec<String>) {
        self.pending = Pending::default();
        let head = format!("text {} ({} of {})", place.id, place.number, place.of);
        let lines = std::iter::once(head).chain(place.title).chain(said);
        // The text stands even where nobody listens.
        if self.json {
            let lines: Vec<String> = lines.collect();
            let _ = self.say(&serde_json::json!({"text": place.id, "said": lines}).to_string());
        } else {
            lines.for_each(|line| {
                let _ = self.say(&line);
            })
        }
    }

    fn turn(&mut self) -> Turn {
        std::mem::take(&mut self.turn)
    }

    fn refuse(&mut self, why: &str) {
        let line = if self.json {
            serde_json::json!({"ok": false, "said": [format!("error: {why}")]}).to_string()
        } else {
            format!("error: {why}")
        };
        let _ = self.say(&line);
    }

    fn remember(&mut self, rules: RuleInstances) {
        self.others = rules;
    }
}

/// That a relation has these roles at all.
pub(super) fn check_roles(relation: &str, roles: Roles, labelling: &Labelling) -> Result<()> {
    let rhetoric = labelling.session().engine().schema().rhetoric(relation);
    match rhetoric.filter(|rhetoric| !roles.fit(rhetoric.kind)) {
        None => Ok(()),
        Some(_) if roles == Roles::NucleusNucleus => Err(Error::Usage(format!(
            "`{relation}` joins a nucleus and a satellite: write NS or SN"
        ))),
        Some(_) => Err(Error::Usage(format!(
            "`{relation}` joins nuclei only: write NN"
        ))),
    }
}

/// How it stands, in a line.
fn standing(labelling: &Labelling) -> String {
    let (done, of) = labelling.progress();
    let last = labelling.label().actions.last();
    let what = last.map_or("", |last| last.act.as_str());
    let next = match labelling.session().next_edu() {
        _ if labelling.is_complete() => "the tree is complete".to_owned(),
        Some(next) => format!("next EDU {}", next + 1),
        None => "no EDU left".to_owned(),
    };
    format!("{what}: {done} of {of} actions, {next}")
}

fn stands(labelling: &Labelling) -> Vec<String> {
    let context = Context::of(labelling.session());
    let nodes = context.nodes().into_iter();
    let lines = nodes.filter_map(|(letter, seen)| Some((letter, seen?)));
    let mut lines: Vec<String> = lines
        .map(|(letter, seen)| format!("{letter} {}", described(seen, labelling)))
        .collect();
    lines.push(standing(labelling));
    lines
}

fn described(seen: &Seen, labelling: &Labelling) -> String {
    let edus = labelling.session().text().edus.get(seen.span.range());
    let texts = edus
        .unwrap_or_default()
        .iter()
        .map(|edu| tidy_text(&edu.text));
    let text: String = texts.collect();
    format!("{} {} {text}", seen.symbol, seen.span)
}

fn edus(labelling: &Labelling) -> Vec<String> {
    let edus = labelling.session().text().edus.iter().enumerate();
    edus.map(|(at, edu)| format!("{} {}", at + 1, tidy_text(&edu.text)))
        .collect()
}

fn drawn(labelling: &Labelling) -> Vec<String> {
    let lines = forest::lines(labelling.session());
    let whole = |line: forest::Line| line.branches + &line.role + &line.head + &line.text;
    lines.into_iter().map(whole).collect()
}

fn names(which: &str, labelling: &Labelling) -> String {
    let schema = labelling.session().engine().schema();
    let names: Vec<&str> = match which {
        "relations" => schema.rhetoric.iter().map(|r| r.name.as_str()).collect(),
        _ => schema.relations.iter().map(|r| r.name.as_str()).collect(),
    };
    names.join(" ")
}
