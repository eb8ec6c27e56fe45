//! What the rules say in one configuration.

use rustc_hash::FxHashMap;

use super::Text;
use super::atoms::{AtomId, Bin, Questions, SlotId, truth_bin};
use super::lookups::Said;
use super::probe::Probe;
use super::program::{Entry, Group, Left, Outcome, Program, RuleSet, Specificity};
use super::view::{Nodes, View};
use crate::grammar::formula::Node;
use crate::grammar::{Action, Decide};
use crate::measure::Measurer;
use crate::schema::RelationId;

/// How instances of several levels make one probability, where counts decide.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Counting {
    /// From general to specific, each level is mixed with the one below it:
    /// P = (n + k P') / (N + k), where P' is the probability by the more general levels and the
    /// most general level that speaks has n / N. Levels are patterns by how specific they are,
    /// and within a pattern reasons by how much they ask for.
    Interpolated(f64),
    /// The paper's own: the most specific pattern of which a reason holds decides alone.
    Literal,
}

/// The usual weight of what more general rules say, in instances.
pub const INTERPOLATION: f64 = 2.0;

impl Default for Counting {
    fn default() -> Counting {
        Counting::Interpolated(INTERPOLATION)
    }
}

/// Shift or reduce: what the preferences say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActionChoice {
    pub(super) shift: f64,
    /// True when no preference spoke.
    pub(super) fallback: bool,
    /// The action that comes first where both are equally probable.
    first: Action,
}

impl ActionChoice {
    pub(super) fn probability(&self, action: Action) -> f64 {
        match action {
            Action::Shift => self.shift,
            Action::Reduce => 1.0 - self.shift,
        }
    }

    pub(super) fn best(&self) -> Action {
        match self.shift.total_cmp(&0.5) {
            std::cmp::Ordering::Greater => Action::Shift,
            std::cmp::Ordering::Less => Action::Reduce,
            std::cmp::Ordering::Equal => self.first,
        }
    }
}

/// One thing that two nodes may become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    pub(super) outcome: Outcome,
    pub(super) probability: f64,
    /// The production that speaks loudest for it; none for the fallback.
    pub(super) rule: Option<u32>,
}

/// What a thread needs while it decides: remembered measurements and candidate lists.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    measured: Measured,
    /// Whether rows of tables are named among the rules that fire. Where only sums are asked for, they
    /// are looked up instead.
    pub(super) names_rows: bool,
    triples: FxHashMap<[RelationId; 3], Vec<u32>>,
    pairs: FxHashMap<[RelationId; 2], Vec<u32>>,
    /// The rules that fired last.
    pub(super) fired: Vec<u32>,
    order: Vec<u32>,
    sides: Sides,
    /// How probable each class of relations is, then each way to share roles.
    kinds: Vec<f64>,
}

/// The bins of slots, each measured at most once in a configuration.
#[derive(Debug, Default)]
struct Measured {
    bins: Vec<Bin>,
    stamps: Vec<u32>,
    stamp: u32,
}

impl Measured {
    /// Forgets what was measured.
    fn begin(&mut self, slots: usize) {
        if self.bins.len() < slots {
            self.bins.resize(slots, 0);
            self.stamps.resize(slots, 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    #[inline]
    fn bin(&mut self, slot: SlotId, questions: &Questions, probe: &impl Probe) -> Bin {
        let at = slot as usize;
        if self.stamps[at] != self.stamp {
            let bin = match questions.logic(slot) {
                None => questions.bin(slot, probe),
                Some(logic) => {
                    let mut bin = |slot| self.bin(slot, questions, probe);
                    truth_bin(logic.truth(questions, &mut bin))
                }
            };
            self.stamps[at] = self.stamp;
            self.bins[at] = bin;
        }
        self.bins[at]
    }
}

/// What rows of tables say together where there are two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowsSaid {
    /// The log-odds of side 0 against side 1.
    pub(super) odds: f64,
    /// The first row that spoke, and the side it spoke for.
    first: (u32, u32),
}

/// What the sides of a choice have come to. One entry for each side that a rule could speak for;
/// those that somebody did speak for are listed.
#[derive(Debug, Default)]
struct Sides {
    all: Vec<Side>,
    spoken: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Side {
    spoken: bool,
    /// Instances or weights that are being added up.
    sum: f64,
    /// Its probability so far.
    share: f64,
    /// The first rule of the file that speaks for it.
    first: u32,
    /// The rule that speaks most for it.
    loudest: u32,
}

impl Sides {
    fn clear(&mut self) {
        for side in self.spoken.drain(..) {
            self.all[side as usize] = Side::default();
        }
    }

    /// Adds a rule's amount to its side; gives the side.
    fn speak(&mut self, side: u32, amount: f64, rule: u32) -> &mut Side {
        let at = side as usize;
        if self.all.len() <= at {
            self.all.resize(at + 1, Side::default());
        }
        let own = &mut self.all[at];
        if !own.spoken {
            own.spoken = true;
            (own.first, own.loudest) = (rule, rule);
            self.spoken.push(side);
        }
        own.sum += amount;
        own.first = own.first.min(rule);
        own
    }

    /// Adds what the rows of a cell say together.
    fn hear<const N: usize>(&mut self, said: &Said, set: &RuleSet<N>) {
        let side = self.speak(said.side, said.amount, said.loudest);
        side.first = side.first.min(said.first);
        if side.loudest != said.loudest {
            let loudest = &set.rules[side.loudest as usize];
            if (false, said.loudest_amount) > loudest.loudness() {
                side.loudest = said.loudest;
            }
        }
    }

    fn share(&self, side: u32) -> f64 {
        self.all.get(side as usize).map_or(0.0, |side| side.share)
    }

    /// Sides that speak for the first time take over the share of their general side, where that has
    /// nothing to say at this level; several of them each by what they say.
    fn take_over(&mut self, generals: &[u32]) {
        let is_new = |side: &Side| side.sum > 0.0 && side.share == 0.0;
        let general_of = |at: u32| {
            let general = generals.get(at as usize).copied();
            general.filter(|general| *general != at)
        };
        for place in 0..self.spoken.len() {
            let at = self.spoken[place];
            let Some(general) = general_of(at).filter(|_| is_new(&self.all[at as usize])) else {
                continue;
            };
            let share = match self.all.get(general as usize) {
                Some(side) if side.spoken && side.sum == 0.0 => side.share,
                _ => continue,
            };
            let alike = self.spoken.iter().copied();
            let alike = alike.filter(|other| general_of(*other) == Some(general));
            let alike: Vec<u32> = alike.filter(|at| is_new(&self.all[*at as usize])).collect();
            let total: f64 = alike.iter().map(|at| self.all[*at as usize].sum).sum();
            for at in alike {
                let side = &mut self.all[at as usize];
                side.share = share * side.sum / total;
            }
            self.all[general as usize].share = 0.0;
        }
    }
}

impl Workspace {
    /// Forgets what was measured: a new configuration begins.
    pub(super) fn begin(&mut self, slots: usize) {
        self.measured.begin(slots);
    }

    fn bin(&mut self, slot: SlotId, questions: &Questions, probe: &impl Probe) -> Bin {
        self.measured.bin(slot, questions, probe)
    }

    /// What rows of tables say of two sides: nothing where none speaks, or where they are named among
    /// the rules that fired.
    pub(super) fn hear_rows<const N: usize>(
        &mut self,
        set: &RuleSet<N>,
        questions: &Questions,
        probe: &impl Probe,
    ) -> Option<RowsSaid> {
        if self.names_rows {
            self.name_rows(set, questions, probe);
            return None;
        }
        let mut heard: Option<RowsSaid> = None;
        let bin = |slot| self.measured.bin(slot, questions, probe);
        set.lookups.said(bin, |said| {
            let heard = heard.get_or_insert(RowsSaid {
                odds: 0.0,
                first: (said.first, said.side),
            });
            heard.odds += if said.side == 0 {
                said.amount
            } else {
                -said.amount
            };
            heard.first = heard.first.min((said.first, said.side));
        });
        heard
    }

    /// Adds the rows that hold to the rules that fired.
    fn name_rows<const N: usize>(
        &mut self,
        set: &RuleSet<N>,
        questions: &Questions,
        probe: &impl Probe,
    ) {
        let Workspace {
            measured, fired, ..
        } = self;
        let bin = |slot| measured.bin(slot, questions, probe);
        set.lookups.rules(bin, fired);
    }

    /// Adds the rules of a group that hold to those that fired.
    pub(super) fn fire<const N: usize>(
        &mut self,
        set: &RuleSet<N>,
        group: &Group,
        questions: &Questions,
        probe: &impl Probe,
    ) {
        self.fired.extend(&group.always);
        let listed = group.listed.iter();
        self.look(listed, set, questions, probe);
        for keyed in &group.keyed {
            let bin = self.bin(keyed.slot, questions, probe);
            self.look(keyed.rules(bin).iter(), set, questions, probe);
        }
    }

    /// Adds the rules of which what is left to see holds.
    fn look<'r, const N: usize>(
        &mut self,
        entries: impl Iterator<Item = &'r Entry>,
        set: &RuleSet<N>,
        questions: &Questions,
        probe: &impl Probe,
    ) {
        for entry in entries {
            let holds = match entry.left {
                Left::Nothing => true,
                Left::Slot(slot, bits) => {
                    let bin = self.bin(slot, questions, probe);
                    bits.checked_shr(bin).unwrap_or(0) & 1 == 1
                }
                Left::Atoms => self.holds(set.rest(entry.rule), questions, probe),
            };
            if holds {
                self.fired.push(entry.rule);
            }
        }
    }

    fn holds(&mut self, atoms: &[AtomId], questions: &Questions, probe: &impl Probe) -> bool {
        atoms.iter().all(|atom| {
            let atom = questions.atom(*atom);
            atom.holds(self.bin(atom.slot, questions, probe))
        })
    }
}

impl Program {
    pub(super) fn view<'v>(&'v self, text: &'v Text, nodes: Nodes<'v>) -> View<'v> {
        View {
            nodes,
            measurer: Measurer {
                text,
                tables: &self.tables,
            },
            schema: &self.grammar.schema,
        }
    }

    /// Shift or reduce, by the preferences for (A, B, C). The rules that spoke are left in
    /// `workspace.fired`.
    pub(super) fn choose_action(
        &self,
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) -> ActionChoice {
        self.fire_preferences(view, counting, workspace);
        let rows = workspace.hear_rows(&self.preferences, &self.questions, view);
        let fired = std::mem::take(&mut workspace.fired);
        let choice = self.weigh_action(&fired, rows, view, counting, workspace);
        workspace.fired = fired;
        choice
    }

    /// What A and B become, by the productions for (A, B): what is chosen first, then the others, most
    /// probable first.
    pub(super) fn choose_label(
        &self,
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
        labels: &mut Vec<Label>,
    ) {
        self.fire_productions(view, counting, workspace);
        if workspace.names_rows {
            workspace.name_rows(&self.productions, &self.questions, view);
        }
        let fired = std::mem::take(&mut workspace.fired);
        self.weigh_labels(&fired, view, counting, workspace, labels);
        workspace.fired = fired;
    }

    fn fire_preferences(&self, view: &View<'_>, counting: Counting, workspace: &mut Workspace) {
        workspace.fired.clear();
        let (Some(a), Some(b), Some(c)) = (view.nodes.a, view.nodes.b, view.nodes.c) else {
            return;
        };
        let symbols = [a.symbol, b.symbol, c.symbol];
        let mut triples = std::mem::take(&mut workspace.triples);
        let groups = triples
            .entry(symbols)
            .or_insert_with(|| self.preferences.groups_of(symbols, view.schema));
        self.fire(&self.preferences, groups, view, counting, workspace);
        workspace.triples = triples;
    }

    fn fire_productions(&self, view: &View<'_>, counting: Counting, workspace: &mut Workspace) {
        workspace.fired.clear();
        let (Some(a), Some(b)) = (view.nodes.a, view.nodes.b) else {
            return;
        };
        let symbols = [a.symbol, b.symbol];
        let mut pairs = std::mem::take(&mut workspace.pairs);
        let groups = pairs
            .entry(symbols)
            .or_insert_with(|| self.productions.groups_of(symbols, view.schema));
        self.fire(&self.productions, groups, view, counting, workspace);
        workspace.pairs = pairs;
    }

    /// Collects the rules that hold, most specific patterns first.
    fn fire<const N: usize>(
        &self,
        set: &RuleSet<N>,
        groups: &[u32],
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) {
        // Where the most specific pattern decides alone, the others need not be asked.
        let alone = self.grammar.decide == Decide::Counts && counting == Counting::Literal;
        let mut level = None;
        for group in groups {
            let group = set.group(*group);
            if alone && level.is_some_and(|level| level != group.specificity()) {
                break;
            }
            workspace.fire(set, group, &self.questions, view);
            if !workspace.fired.is_empty() {
                level = Some(group.specificity());
            }
        }
    }

    /// Shift or reduce, by the rules that fired.
    pub(super) fn weigh_action(
        &self,
        fired: &[u32],
        rows: Option<RowsSaid>,
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
    ) -> ActionChoice {
        let side = |rule: &u32| self.preferences.rules[*rule as usize].side;
        let first = fired.iter().min().map(|rule| (*rule, side(rule)));
        let by_row = rows.map(|rows| rows.first);
        let Some((_, first)) = first.into_iter().chain(by_row).min() else {
            return self.fallback_choice(view);
        };
        let first = match first {
            0 => Action::Shift,
            _ => Action::Reduce,
        };
        let shift = match self.grammar.decide {
            Decide::Weights => {
                let rows = rows.map_or(0.0, |rows| rows.odds);
                logistic(self.preferences.odds(fired) + rows)
            }
            Decide::Counts => {
                mix(&self.preferences, &[], fired, counting, workspace);
                workspace.sides.share(Action::Shift as u32)
            }
        };
        ActionChoice {
            shift,
            fallback: false,
            first,
        }
    }

    /// The declared action, or what the breaks say: the weaker one is closed first.
    fn fallback_choice(&self, view: &View<'_>) -> ActionChoice {
        let level = |left, right| view.level(left, right).unwrap_or(0);
        let by_levels = || {
            if level(Node::B, Node::C) < level(Node::A, Node::B) {
                Action::Shift
            } else {
                Action::Reduce
            }
        };
        let action = self.fallback_action.unwrap_or_else(by_levels);
        ActionChoice {
            shift: if action == Action::Shift { 1.0 } else { 0.0 },
            fallback: true,
            first: action,
        }
    }

    /// What A and B become, by the rules that fired.
    pub(super) fn weigh_labels(
        &self,
        fired: &[u32],
        view: &View<'_>,
        counting: Counting,
        workspace: &mut Workspace,
        labels: &mut Vec<Label>,
    ) {
        labels.clear();
        match self.grammar.decide {
            Decide::Counts => {
                let named = &self.general_outcomes;
                mix(&self.productions, named, fired, counting, workspace);
            }
            Decide::Weights => self.add_up_labels(fired, view, workspace),
        }
        let sides = &workspace.sides;
        if sides.spoken.is_empty() {
            labels.push(Label {
                outcome: self.fallback_outcome,
                probability: 1.0,
                rule: None,
            });
            return;
        }
        let spoken = sides
            .spoken
            .iter()
            .map(|at| (*at, &sides.all[*at as usize]));
        let possible = spoken.filter(|(_, side)| side.share > 0.0);
        labels.extend(possible.map(|(at, side)| Label {
            outcome: self.outcomes[at as usize],
            probability: side.share,
            rule: Some(side.loudest),
        }));
        if let [_] = labels.as_slice() {
            return;
        }
        let first = |label: &Label| {
            let rule = label
                .rule
                .map(|rule| &self.productions.rules[rule as usize]);
            rule.map_or(0, |rule| sides.all[rule.side as usize].first)
        };
        labels.sort_unstable_by(|left, right| {
            let by_probability = right.probability.total_cmp(&left.probability);
            by_probability.then_with(|| first(left).cmp(&first(right)))
        });
        if self.grammar.decide == Decide::Weights {
            self.prefer_likely_kinds(labels, &mut workspace.kinds);
        }
    }

    /// The probabilities of all outcomes that rules and rows speak for.
    fn add_up_labels(&self, fired: &[u32], view: &View<'_>, workspace: &mut Workspace) {
        let Workspace {
            measured,
            sides,
            names_rows,
            ..
        } = workspace;
        sides.clear();
        for rule in fired {
            let own = &self.productions.rules[*rule as usize];
            let side = sides.speak(own.side, own.amount, *rule);
            let loudest = &self.productions.rules[side.loudest as usize];
            if own.loudness() > loudest.loudness() {
                side.loudest = *rule;
            }
        }
        if !*names_rows {
            let bin = |slot| measured.bin(slot, &self.questions, view);
            let hear = |said: &Said| sides.hear(said, &self.productions);
            self.productions.lookups.said(bin, hear);
        }
        if self.labels_by_tables {
            share_by_softmax(sides);
        } else {
            share_by_odds(sides);
        }
    }

    /// Puts first what is right about most, counted over roles and over classes of relations: many
    /// fine relations of one kind together may be likelier than the one that leads alone.
    pub(super) fn prefer_likely_kinds(&self, labels: &mut [Label], kinds: &mut Vec<f64>) {
        let classes = self.tables.class_names.len();
        let class = |label: &Label| {
            let class = self.tables.class(label.outcome.relation);
            class.map_or(0, |class| class as usize)
        };
        let roles = |label: &Label| classes + label.outcome.roles as usize;
        kinds.clear();
        kinds.resize(classes + ALL_ROLES, 0.0);
        for label in &*labels {
            kinds[class(label)] += label.probability;
            kinds[roles(label)] += label.probability;
        }
        let right = |label: &Label| kinds[class(label)] + kinds[roles(label)];
        let mut top = 0;
        for (at, label) in labels.iter().enumerate() {
            if right(label) > right(&labels[top]) + SAME {
                top = at;
            }
        }
        labels[..=top].rotate_right(1);
    }
}

/// How many ways there are to share roles.
const ALL_ROLES: usize = 3;
/// Sums of probabilities that differ by no more than this are the same.
const SAME: f64 = 1e-9;

/// A softmax over the sums of all sides that somebody speaks for.
fn share_by_softmax(sides: &mut Sides) {
    let sums = sides.spoken.iter().map(|at| sides.all[*at as usize].sum);
    let greatest = sums.fold(f64::NEG_INFINITY, f64::max);
    for at in &sides.spoken {
        let side = &mut sides.all[*at as usize];
        side.share = (side.sum - greatest).exp();
    }
    normalise(sides, greatest);
}

/// One against the rest: each side by its own odds, then all normalised.
fn share_by_odds(sides: &mut Sides) {
    let mut greatest = f64::NEG_INFINITY;
    for at in &sides.spoken {
        let side = &mut sides.all[*at as usize];
        side.share = logistic(side.sum);
        greatest = greatest.max(side.sum);
    }
    normalise(sides, greatest);
}

/// Makes shares add up to 1; where all are too small, the side with the greatest sum has it all.
fn normalise(sides: &mut Sides, greatest: f64) {
    let shares = sides.spoken.iter().map(|at| sides.all[*at as usize].share);
    let total: f64 = shares.sum();
    for at in &sides.spoken {
        let side = &mut sides.all[*at as usize];
        side.share = if total > 0.0 {
            side.share / total
        } else {
            f64::from(u8::from(side.sum == greatest))
        };
    }
}

/// The probabilities of all sides that somebody speaks for, by counts: see [`Counting`]. A side that
/// is a special case of another (`generals` has the general one of each) takes over what more general
/// rules said for that one.
pub(super) fn mix<const N: usize>(
    set: &RuleSet<N>,
    generals: &[u32],
    fired: &[u32],
    counting: Counting,
    workspace: &mut Workspace,
) {
    let level = |rule: &u32| -> Specificity {
        let specificity = set.rules[*rule as usize].specificity;
        match counting {
            Counting::Interpolated(_) => specificity,
            Counting::Literal => Specificity {
                reason: 0,
                ..specificity
            },
        }
    };
    let Workspace { order, sides, .. } = workspace;
    order.clear();
    order.extend(fired);
    order.sort_unstable_by_key(|rule| (level(rule), *rule));
    sides.clear();
    for rules in order.chunk_by(|left, right| level(left) == level(right)) {
        let general = match counting {
            Counting::Interpolated(weight) if !sides.spoken.is_empty() => weight,
            _ => 0.0,
        };
        let mut total = general;
        for rule in rules {
            let own = &set.rules[*rule as usize];
            total += own.amount;
            let side = sides.speak(own.side, own.amount, *rule);
            let loudest = &set.rules[side.loudest as usize];
            let by_level = own.specificity.cmp(&loudest.specificity);
            if by_level.then(own.amount.total_cmp(&loudest.amount)).is_gt() {
                side.loudest = *rule;
            }
        }
        if !generals.is_empty() {
            sides.take_over(generals);
        }
        for at in &sides.spoken {
            let side = &mut sides.all[*at as usize];
            side.share = (side.sum + general * side.share) / total;
            side.sum = 0.0;
        }
    }
}

impl Workspace {
    /// The probability of a side after [`mix`].
    pub(super) fn share(&self, side: u32) -> f64 {
        self.sides.share(side)
    }
}

/// The probability of log-odds.
pub(crate) fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}
