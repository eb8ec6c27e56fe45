//! Which trees belong together, and how their nodes can be compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{Edu, Tree};
use super::level::{ends, text_of};
use crate::diagnostic::{Code, Diagnostic};

/// A gold tree and a predicted tree of the same text.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// The text's id.
    pub id: Arc<str>,
    /// What is right.
    pub gold: Tree,
    /// What is judged.
    pub predicted: Tree,
}

/// Pairs trees by their ids. One tree on either side makes a pair whatever the ids; trees that
/// find no partner are reported.
pub fn pair_by_id(gold: Vec<Tree>, predicted: Vec<Tree>) -> (Vec<Pairing>, Vec<Diagnostic>) {
    let id = |tree: &Tree| tree.id.clone().unwrap_or_else(|| "tree".into());
    if let ([only], [other]) = (gold.as_slice(), predicted.as_slice()) {
        let pair = Pairing {
            id: id(only),
            gold: only.clone(),
            predicted: other.clone(),
        };
        return (vec![pair], Vec::new());
    }
    let mut problems = Vec::new();
    let mut waiting: BTreeMap<Arc<str>, Tree> = BTreeMap::new();
    for tree in predicted {
        let id = id(&tree);
        if waiting.insert(Arc::clone(&id), tree).is_some() {
            let message = format!("two predicted trees have the id `{id}`: the last one counts");
            problems.push(Diagnostic::new(Code::R022, message));
        }
    }
    let mut pairs = Vec::new();
    for gold in gold {
        let id = id(&gold);
        match waiting.remove(&id) {
            Some(predicted) => pairs.push(Pairing {
                id,
                gold,
                predicted,
            }),
            None => problems.push(lonely(&id, "predicted")),
        }
    }
    problems.extend(waiting.keys().map(|id| lonely(id, "gold")));
    (pairs, problems)
}

fn lonely(id: &str, missing: &str) -> Diagnostic {
    Diagnostic::new(
        Code::R022,
        format!("there is no {missing} tree for `{id}`: left out"),
    )
    .help("files are matched by their names without the extension")
}

/// Where the EDUs of both trees end, in units that can be compared.
pub(super) struct Places {
    pub(super) gold: Vec<usize>,
    pub(super) predicted: Vec<usize>,
}

/// Characters where both texts are known and the same; else EDU numbers, if there are as many.
pub(super) fn find_places(pair: &Pairing) -> Result<(Places, Option<Diagnostic>), Box<Diagnostic>> {
    let (gold, predicted) = (&pair.gold.edus, &pair.predicted.edus);
    let numbers = |edus: &[Edu]| (1..=edus.len()).collect();
    let by_number = Places {
        gold: numbers(gold),
        predicted: numbers(predicted),
    };
    // An EDU without a single character would share its place with its neighbour.
    let told = |edus: &[Edu]| ends(edus).windows(2).all(|pair| pair[0] < pair[1]);
    let (gold_text, predicted_text) = (text_of(gold), text_of(predicted));
    let same = gold_text == predicted_text;
    if same && !gold_text.is_empty() && told(gold) && told(predicted) {
        let places = Places {
            gold: ends(gold),
            predicted: ends(predicted),
        };
        return Ok((places, None));
    }
    if gold.len() == predicted.len() {
        let unknown = gold_text.is_empty() || predicted_text.is_empty();
        let problem = (!same && !unknown).then(|| {
            let message = format!("the texts of `{}` differ: compared by EDU number", pair.id);
            Diagnostic::new(Code::R022, message)
        });
        return Ok((by_number, problem));
    }
    let common = gold_text.chars().zip(predicted_text.chars());
    let common = common.take_while(|(a, b)| a == b).count();
    let message = format!(
        "`{}` cannot be compared: {} gold EDUs, {} predicted, and the texts differ at character {}",
        pair.id,
        gold.len(),
        predicted.len(),
        common + 1
    );
    Err(Box::new(Diagnostic::new(Code::R021, message).help(
        "trees of different segmentations need the EDUs' texts, and the same text",
    )))
}
