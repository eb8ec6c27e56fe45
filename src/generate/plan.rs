//! Trees from the top down: productions are drawn by their counts, leaves by what a topic likes.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Generator;
use super::event::Event;
use super::stock::{Saying, has_mark};
use super::wishes::{Wish, Wishes, allows};
use crate::automaton::Step;
use crate::grammar::functions::{LEVELS, PUNCTUATION};
use crate::grammar::{Action, Pattern, Roles};
use crate::schema::RhetoricId;
use crate::text::Document;

/// Productions that are tried for one node before it is given up, and for a whole tree or part.
const TRIES: usize = 30;
const TRIES_IN_ALL: usize = 3000;

/// How strong the break behind an EDU is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    Comma,
    Semicolon,
    Sentence,
    Paragraph,
}

impl Break {
    fn mark(self) -> (&'static str, &'static str) {
        match self {
            Break::Comma => ("comma", "，"),
            Break::Semicolon => ("semicolon", "；"),
            Break::Sentence | Break::Paragraph => ("stop", "。"),
        }
    }

    fn level(self) -> usize {
        let name = match self {
            Break::Comma => "comma",
            Break::Semicolon => "semicolon",
            Break::Sentence => "sentence",
            Break::Paragraph => "paragraph",
        };
        place(LEVELS, name)
    }
}

fn place(list: &[&str], name: &str) -> usize {
    list.iter().position(|known| *known == name).unwrap_or(0)
}

/// A node of a plan.
#[derive(Debug, Clone)]
struct Planned {
    /// Its EDUs.
    first: usize,
    end: usize,
    /// What was wished of it.
    wish: Wish,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    Leaf {
        saying: Saying,
        text: String,
    },
    Join {
        production: usize,
        left: usize,
        right: usize,
    },
}

/// A tree in the making, over EDUs whose breaks are settled.
#[derive(Clone)]
pub(super) struct Plan<'g> {
    generator: &'g Generator,
    event: &'g Event,
    breaks: Vec<Break>,
    nodes: Vec<Planned>,
    root: usize,
    /// Productions that may be tried before the whole is given up.
    tries: usize,
}

impl<'g> Plan<'g> {
    /// Draws a tree over EDUs with such breaks behind them; none where nothing came of it.
    pub(super) fn draw(
        generator: &'g Generator,
        event: &'g Event,
        breaks: Vec<Break>,
        random: &mut ChaCha8Rng,
    ) -> Option<Plan<'g>> {
        let mut plan = Plan {
            generator,
            event,
            breaks,
            nodes: Vec::new(),
            root: 0,
            tries: TRIES_IN_ALL,
        };
        let edus = plan.breaks.len();
        plan.root = plan.grow(0, edus, Wish::default(), random)?;
        Some(plan)
    }

    /// The text, divided into EDUs.
    pub(super) fn document(&self, id: &str) -> Document {
        let mut leaves: Vec<(usize, &str)> = Vec::new();
        for node in self.subtree(self.root) {
            if let Content::Leaf { text, .. } = &self.nodes[node].content {
                leaves.push((self.nodes[node].first, text));
            }
        }
        leaves.sort_unstable_by_key(|(at, _)| *at);
        let ends = |at: &usize| self.breaks.get(*at) == Some(&Break::Paragraph);
        let blocks = leaves.chunk_by(|(at, _), _| !ends(at));
        Document::from_edus(id, blocks.map(|block| block.iter().map(|(_, text)| *text)))
    }

    /// What the text is about in short: its first nucleus.
    pub(super) fn headline(&self, random: &mut ChaCha8Rng) -> String {
        let mut at = self.root;
        loop {
            match &self.nodes[at].content {
                Content::Leaf { saying, .. } => {
                    let clause = self.clause(saying);
                    return self.event.fill(clause, Some(0), random);
                }
                Content::Join {
                    production,
                    left,
                    right,
                } => {
                    let roles = self.generator.productions()[*production].shape.roles;
                    at = if roles == Roles::SatelliteNucleus {
                        *right
                    } else {
                        *left
                    };
                }
            }
        }
    }

    /// How many nodes are planned above the EDUs.
    pub(super) fn joins(&self) -> usize {
        self.breaks.len().saturating_sub(1)
    }

    /// Compares the plan with what a parser did: the planned nodes that were not made, children
    /// before parents.
    pub(super) fn find_missed(&self, steps: &[Step]) -> Vec<usize> {
        let made = spans(steps);
        let mut order = self.subtree(self.root);
        order.reverse();
        order.retain(|at| {
            let node = &self.nodes[*at];
            let Content::Join { production, .. } = node.content else {
                return false;
            };
            let shape = self.generator.productions()[production].shape;
            let wanted = (node.first, node.end, shape.relation, shape.roles);
            !made.contains(&wanted)
        });
        order
    }

    /// Draws one of the missed nodes again, mostly the first, or the node above it.
    pub(super) fn mend(&mut self, missed: &[usize], random: &mut ChaCha8Rng) {
        let at = if random.random_bool(0.6) {
            0
        } else {
            random.random_range(0..missed.len().max(1))
        };
        let Some(node) = missed.get(at).copied() else {
            return;
        };
        let node = match self.parent(node) {
            Some(parent) if random.random_bool(0.3) => parent,
            _ => node,
        };
        let (first, end, wish) = {
            let old = &self.nodes[node];
            (old.first, old.end, old.wish)
        };
        let parent = self.parent(node);
        self.tries = TRIES_IN_ALL;
        if let Some(new) = self.grow(first, end, wish, random) {
            match parent.and_then(|parent| self.nodes.get_mut(parent)) {
                Some(Planned {
                    content: Content::Join { left, right, .. },
                    ..
                }) => {
                    if *left == node {
                        *left = new;
                    } else {
                        *right = new;
                    }
                }
                _ => self.root = new,
            }
        }
    }

    fn parent(&self, child: usize) -> Option<usize> {
        let nodes = self.subtree(self.root);
        nodes.into_iter().find(|at| {
            matches!(self.nodes[*at].content,
                Content::Join { left, right, .. } if left == child || right == child)
        })
    }

    /// A node and all below it, parents first; the reverse has children before parents, left ones
    /// first.
    fn subtree(&self, root: usize) -> Vec<usize> {
        let (mut found, mut open) = (Vec::new(), vec![root]);
        while let Some(at) = open.pop() {
            found.push(at);
            if let Content::Join { left, right, .. } = self.nodes[at].content {
                open.push(left);
                open.push(right);
            }
        }
        found
    }

    /// A node over some EDUs that is as wished. Texts are short, so it calls itself for the parts.
    fn grow(
        &mut self,
        first: usize,
        end: usize,
        wish: Wish,
        random: &mut ChaCha8Rng,
    ) -> Option<usize> {
        if end - first == 1 {
            return self.leaf(first, wish, random);
        }
        if wish.single == Some(true) || self.tries == 0 {
            return None;
        }
        let strongest = self.breaks.get(first..end - 1)?.iter().max().copied()?;
        let places: Vec<usize> = (first..end - 1)
            .filter(|at| self.breaks[*at] == strongest)
            .collect();
        let known = self.nodes.len();
        for _ in 0..TRIES {
            self.tries = self.tries.saturating_sub(1);
            let production = self.generator.draw_production(self.event.topic, random)?;
            let rule = &self.generator.productions()[production];
            let wishes = Wishes::of(rule.rule.reason.as_ref(), self.generator.schema(), random);
            if !allows(wishes.level, strongest.level()) {
                continue;
            }
            // Lists grow to the right, everything else to the left, now and then the other way.
            let is_list = rule.shape.roles == Roles::NucleusNucleus;
            let split = if is_list == random.random_bool(0.8) {
                places.first()
            } else {
                places.last()
            };
            let split = *split? + 1;
            let Some([a, b]) = self.children(production, wish, &wishes) else {
                continue;
            };
            let left = self.grow(first, split, a, random);
            let right = left.and_then(|_| self.grow(split, end, b, random));
            if let (Some(left), Some(right)) = (left, right) {
                self.nodes.push(Planned {
                    first,
                    end,
                    wish,
                    content: Content::Join {
                        production,
                        left,
                        right,
                    },
                });
                return Some(self.nodes.len() - 1);
            }
            self.nodes.truncate(known);
        }
        None
    }

    /// What a production's children must be, so that the node is as wished.
    fn children(&self, production: usize, wish: Wish, wishes: &Wishes) -> Option<[Wish; 2]> {
        let schema = self.generator.schema();
        let shape = self.generator.productions()[production].shape;
        let pattern = |pattern: Pattern| Wish {
            symbol: match pattern {
                Pattern::Any => None,
                Pattern::Symbol(symbol) => Some(symbol),
            },
            ..Wish::default()
        };
        let mut nucleus = wish.of_nucleus();
        if let (Pattern::Symbol(parent), Some(wanted)) = (shape.parent, wish.symbol)
            && !schema.is_a(parent, wanted)
        {
            return None;
        }
        if shape.parent != Pattern::Any {
            nucleus.symbol = None;
        }
        let [mut a, mut b] = [
            wish.of_left().and(wishes.a, schema)?,
            wish.of_right().and(wishes.b, schema)?,
        ];
        a = a.and(pattern(shape.children[0]), schema)?;
        b = b.and(pattern(shape.children[1]), schema)?;
        match shape.roles {
            Roles::SatelliteNucleus => b = b.and(nucleus, schema)?,
            _ => a = a.and(nucleus, schema)?,
        }
        Some([a, b])
    }

    fn leaf(&mut self, at: usize, wish: Wish, random: &mut ChaCha8Rng) -> Option<usize> {
        if wish.single == Some(false) {
            return None;
        }
        let frames = &self.generator.frames;
        let stop = *self.breaks.get(at)?;
        let mut mark = stop.mark();
        let colon = ("colon", "：");
        if !allows(wish.punct, place(PUNCTUATION, mark.0))
            && allows(wish.punct, place(PUNCTUATION, colon.0))
            && stop < Break::Sentence
        {
            mark = colon;
        }
        let stock = self.generator.stock(self.event.topic)?;
        let number = place(PUNCTUATION, mark.0);
        let schema = self.generator.schema();
        let saying = stock.say(&wish, number, frames, schema, random)?;
        let clause = self.clause(&saying);
        let mut text = String::new();
        if let Some(word) = saying
            .cue
            .and_then(|cue| pick(frames.cues.get(&cue)?, random))
        {
            text.push_str(word);
        }
        text.push_str(&self.event.fill(clause, wish.about, random));
        if let Some(word) = saying
            .tail
            .and_then(|tail| pick(frames.tails.get(&tail)?, random))
        {
            text.push_str(word);
        }
        if !has_mark(&text) {
            text.push_str(mark.1);
        }
        self.nodes.push(Planned {
            first: at,
            end: at + 1,
            wish,
            content: Content::Leaf { saying, text },
        });
        Some(self.nodes.len() - 1)
    }

    fn clause(&self, saying: &Saying) -> &'g str {
        let clause = self.generator.frames.clauses.get(saying.filed.clause);
        clause.map_or("", String::as_str)
    }
}

fn pick<'w>(words: &'w [String], random: &mut ChaCha8Rng) -> Option<&'w String> {
    use rand::seq::IndexedRandom as _;
    words.choose(random)
}

/// What steps made: first EDU, end, relation and roles of every node.
fn spans(steps: &[Step]) -> Vec<(usize, usize, RhetoricId, Roles)> {
    let (mut stack, mut made): (Vec<(usize, usize)>, Vec<_>) = (Vec::new(), Vec::new());
    let mut next = 0;
    for step in steps {
        match (step.action, step.label) {
            (Action::Reduce, Some(label)) => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                    break;
                };
                stack.push((left.0, right.1));
                made.push((left.0, right.1, label.outcome.relation, label.outcome.roles));
            }
            _ => {
                stack.push((next, next + 1));
                next += 1;
            }
        }
    }
    made
}
