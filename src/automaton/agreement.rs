//! Compiled reasons say what the reference evaluator says, whatever is asked of whatever nodes.

use std::sync::Arc;

use proptest::prelude::*;

use super::atoms::Collector;
use super::view::{Nodes, View};
use crate::diagnostic::Source;
use crate::grammar::formula::Domain;
use crate::grammar::functions::{Answer, FUNCTIONS, Function, Parameter, Scope};
use crate::grammar::{Roles, Value, load_reason};
use crate::measure::{Balance, Joined, Leaf, Measurer, NodeIndex, ParsedSpan, Tables, Text};
use crate::schema::{RelationId, RhetoricId, Schema, ValueType, embedded_schema};
use crate::tree::Edu;

const NODES: [&str; 5] = ["A", "B", "C", "S", "E"];

fn schema() -> Schema {
    embedded_schema("finance").unwrap_or_default()
}

/// A few names of a domain, `none` among them where it is one.
fn names(domain: Domain, schema: &Schema) -> Vec<String> {
    let with_none = |names: Vec<String>| [vec!["none".to_owned()], names].concat();
    match domain {
        Domain::Values(_) | Domain::Ordered(_) | Domain::Tails => {
            let list = domain.list().unwrap_or_default();
            list.iter().map(|name| (*name).to_owned()).collect()
        }
        Domain::Relations => schema.relations.iter().map(|r| r.name.clone()).collect(),
        Domain::Rhetoric => with_none(schema.rhetoric.iter().map(|r| r.name.clone()).collect()),
        Domain::Classes => with_none(schema.rhetoric.iter().map(|r| r.class.clone()).collect()),
        Domain::Cues => with_none(schema.cues.iter().map(|c| c.name.clone()).collect()),
        Domain::Open | Domain::Concepts | Domain::Attribute(_) => Vec::new(),
    }
}

fn call(function: &Function, first: usize, second: usize) -> String {
    let a = NODES[first % NODES.len()];
    let b = NODES[second % NODES.len()];
    match function.parameters.len() {
        1 => format!("{a}.{}", function.name),
        _ => format!("{}({a}, {b})", function.name),
    }
}

const COMPARISONS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

/// A condition on something measured.
fn measured(numbers: [usize; 5], schema: &Schema) -> String {
    let [which, first, second, op, value] = numbers;
    let nodes_only = |function: &&Function| {
        let nodes = function.parameters.iter();
        function.scope == Scope::Nodes && nodes.clone().all(|p| *p == Parameter::Node)
    };
    let functions: Vec<&Function> = FUNCTIONS.iter().filter(nodes_only).collect();
    let function = functions[which % functions.len()];
    let asked = call(function, first, second);
    let equality = COMPARISONS[op % 2];
    let comparison = COMPARISONS[op % COMPARISONS.len()];
    match function.result {
        Answer::Bool => match op % 3 {
            0 => asked,
            1 => format!("not {asked}"),
            _ => format!("{asked} {equality} {}", value % 2 == 0),
        },
        Answer::Int(..) => match op % 8 {
            6 => format!("{asked} in {{{}, {}}}", value % 4, value % 7),
            7 => format!("{} <= {asked}", value % 6),
            _ => format!("{asked} {comparison} {}", value % 5),
        },
        Answer::Float(..) => format!("{asked} {comparison} {}.5", value % 2),
        Answer::Text => format!("{asked} {equality} \"{}\"", ["甲", "乙"][value % 2]),
        Answer::Symbol(domain) => {
            let names = names(domain, schema);
            let name = &names[value % names.len()];
            let other = &names[value / 3 % names.len()];
            match (domain, op % 4) {
                (_, 0) => format!("{asked} in {{{name}, {other}}}"),
                (_, 1) => format!("{asked} not in {{{name}}}"),
                (Domain::Ordered(_), _) => format!("{asked} {comparison} {name}"),
                _ => format!("{asked} {equality} {name}"),
            }
        }
        Answer::Set(domain) => {
            let mut names = names(domain, schema);
            // A formula that begins with this name is a negation.
            names.retain(|name| name != "not");
            format!("{} in {asked}", names[value % names.len()])
        }
        Answer::SameAsArgument => "true".to_owned(),
    }
}

/// A condition on an attribute.
fn stored(numbers: [usize; 5], schema: &Schema) -> String {
    let [which, first, second, op, value] = numbers;
    let attribute = &schema.attributes[which % schema.attributes.len()];
    let own = format!("{}.{}", NODES[first % 5], attribute.name);
    let other = format!("{}.{}", NODES[second % 5], attribute.name);
    let equality = COMPARISONS[op % 2];
    let comparison = COMPARISONS[op % COMPARISONS.len()];
    match (attribute.value_type, op % 5) {
        (_, 3) => format!("same({own}, {other})"),
        (_, 4) => format!("known({own})"),
        (ValueType::Int | ValueType::Float, 2) => format!("{own} in {{1, -1}}"),
        (ValueType::Int | ValueType::Float, _) => {
            format!("{own} {comparison} {}", value as i64 % 3 - 1)
        }
        (ValueType::Time, 0) => format!("{own} {comparison} {other}"),
        (ValueType::Time, _) => format!("{own} {comparison} \"{}\"", TIMES[value % TIMES.len()]),
        (ValueType::Symbol, _) if !attribute.values.is_empty() => {
            let name = &attribute.values[value % attribute.values.len()];
            format!("{own} {equality} {name}")
        }
        (ValueType::Bool, _) => own,
        (ValueType::Set, _) => format!("count({own}) > {}", value % 2),
        (ValueType::Symbol | ValueType::Text, _) => format!("{own} {equality} {other}"),
    }
}

/// A condition that needs more than one look.
fn mixed(numbers: [usize; 5]) -> String {
    let [which, first, second, op, value] = numbers;
    let (a, b) = (NODES[first % 5], NODES[second % 5]);
    let comparison = COMPARISONS[op % COMPARISONS.len()];
    match which % 6 {
        0 => format!("{a}.length + {b}.length {comparison} {}", value % 6),
        1 => format!("level(A, B) {comparison} level(B, C)"),
        2 => format!("{a}.chars {comparison} {b}.words"),
        3 => format!("{a}.polarity {comparison} {b}.depth"),
        4 => format!(
            "is({a}, {})",
            ["Event", "Change", "Rise", "Plain"][value % 4]
        ),
        _ => format!("{a}.punct {} {b}.punct", COMPARISONS[op % 2]),
    }
}

const TIMES: [&str; 4] = ["2019", "2019-08", "2019-09", "2019-09-02"];

fn formula() -> impl Strategy<Value = String> {
    let numbers = prop::array::uniform5(0..1000usize);
    let schema = Arc::new(schema());
    let condition = (0..4usize, numbers).prop_map(move |(kind, numbers)| match kind {
        0 | 1 => measured(numbers, &schema),
        2 => stored(numbers, &schema),
        _ => mixed(numbers),
    });
    condition.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.join(" and ")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) or ({b}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(({a}) implies ({b}))")),
            inner.prop_map(|part| format!("not ({part})")),
        ]
    })
}

/// A leaf that numbers decide on.
fn leaf(n: u64, schema: &Schema) -> Leaf {
    let pick = |shift: u32, of: u64| n.rotate_right(shift) % of;
    let mut leaf = Leaf::plain(
        RelationId(pick(3, schema.relations.len() as u64) as u32),
        schema,
    );
    leaf.cue = (pick(7, 2) * pick(11, schema.cues.len() as u64 + 1)) as u16;
    leaf.cues = (leaf.cue > 0).then_some(leaf.cue).into_iter().collect();
    leaf.tail = pick(13, 17) as u8;
    leaf.speech = pick(17, 2) == 1;
    leaf.punct = pick(19, 15) as u8;
    leaf.kind = pick(23, 4) as u8;
    leaf.speaker = [None, Some("甲".into()), Some("乙".into())][pick(5, 3) as usize].clone();
    leaf.chars = pick(29, 6) as u32;
    leaf.words = pick(31, 4) as u32;
    leaf.verbs = pick(37, 3) as u32;
    leaf.opens_block = pick(41, 2) == 1;
    leaf.closes_block = pick(43, 2) == 1;
    leaf.level_after = pick(47, 16) as u8;
    leaf.brackets = Balance {
        open: pick(53, 2) as u32,
        closed: 0,
    };
    leaf.content = (0..pick(59, 3) as u32).collect();
    leaf.entities = (0..pick(61, 2) as u32).collect();
    let attributes = schema.attributes.iter().enumerate().map(|(at, attribute)| {
        let own = n.rotate_left(at as u32 * 5);
        value(attribute.value_type, &attribute.values, own)
    });
    leaf.attributes = attributes.collect();
    leaf
}

fn value(kind: ValueType, values: &[String], n: u64) -> Option<Value> {
    if n.is_multiple_of(3) {
        return None;
    }
    let n = (n / 3) as usize;
    let name: Arc<str> = match values.len() {
        0 => ["利率", "油价"][n % 2].into(),
        count => values[n % count].as_str().into(),
    };
    Some(match kind {
        ValueType::Bool => Value::Bool(n.is_multiple_of(2)),
        ValueType::Int => Value::Int(n as i64 % 3 - 1),
        ValueType::Float => Value::Float(n as f64 % 3.0 - 1.0),
        ValueType::Symbol => Value::Symbol(name),
        ValueType::Text => Value::Text(name),
        ValueType::Time => Value::Time(TIMES[n % TIMES.len()].into()),
        ValueType::Set => Value::Set(Arc::new([name].into())),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn compiled_reasons_agree_with_the_reference(
        reasons in prop::collection::vec(formula(), 1..5),
        seeds in prop::array::uniform7(any::<u64>()),
        present in 0..8u8,
    ) {
        let schema = schema();
        let tables = Tables::new(&schema);
        let text = Text::of_leaves(
            "t",
            seeds.iter().map(|_| Edu::new("涨。")).collect(),
            seeds.iter().map(|seed| leaf(*seed, &schema)).collect(),
        );
        // S = EDU 1, A = EDUs 2-3, B = EDUs 4-5, C = EDU 6, E = EDU 7.
        let spans: Vec<ParsedSpan> = (0..7).map(|at| ParsedSpan::leaf(&text, at)).collect();
        let join = |at: usize, relation, roles| {
            let joined = Joined { left: NodeIndex::new(at), right: NodeIndex::new(at + 1), relation, roles };
            ParsedSpan::join(&spans[at], &spans[at + 1], spans[at].symbol, joined, true)
        };
        let a = join(1, RhetoricId((seeds[0] % 20) as u32), Roles::NucleusSatellite);
        let b = join(3, RhetoricId((seeds[1] % 20) as u32), Roles::NucleusNucleus);
        let nodes = Nodes {
            a: Some(&a),
            b: Some(&b),
            c: (present & 1 == 0).then_some(&spans[5]),
            s: (present & 2 == 0).then_some(&spans[0]),
            e: (present & 5 == 0).then_some(&spans[6]),
        };
        let view = View {
            nodes,
            measurer: Measurer { text: &text, tables: &tables },
            schema: &schema,
        };
        // All reasons share their cuts, as those of a grammar do.
        let mut collector = Collector::new(&schema, &tables.class_names);
        let mut compiled = Vec::new();
        for reason in &reasons {
            let formula = load_reason(&Source::new("r", reason.as_str()), &schema);
            let Ok(formula) = formula else {
                prop_assert!(false, "{reason}: {formula:?}");
                return Ok(());
            };
            let atoms = collector.reason(Some(&formula));
            compiled.push((reason, formula, atoms));
        }
        let questions = collector.finish();
        for (reason, formula, atoms) in compiled {
            let holds = atoms.iter().all(|atom| {
                let atom = questions.atom(*atom);
                atom.holds(questions.bin(atom.slot, &view))
            });
            prop_assert_eq!(holds, formula.holds(&view), "{}", reason);
        }
    }
}
