//! What is asked of where a node stands in a finished tree: in queries only.

use super::MANY;
use crate::measure::domain::{
    Answer::{self, Int, Symbol},
    Domain::Values,
    ROLES, SIDES,
};
use crate::measure::function::{Function, Measure, Parameter, Scope};
use crate::measure::measured::Measured;
use crate::measure::place::TreePlace;
use crate::tree::Role;

const fn place(
    name: &'static str,
    result: Answer,
    [doc, zh]: [&'static str; 2],
    measure: fn(&TreePlace) -> Measured<'static>,
) -> Function {
    let parameters = &[Parameter::Node];
    let measure = Measure::Place(measure);
    Function::new(name, parameters, (Scope::Trees, result), [doc, zh], measure)
}

pub(super) const FUNCTIONS: &[Function] = &[
    place(
        "role",
        Symbol(Values(ROLES)),
        ["what it is to its parent", "对父结点的角色"],
        |place| {
            Measured::code(match place.role {
                None => 0,
                Some(Role::Nucleus) => 1,
                Some(Role::Satellite) => 2,
            })
        },
    ),
    place(
        "side",
        Symbol(Values(SIDES)),
        ["which child of its parent it is", "是父结点的左子还是右子"],
        |place| {
            Measured::code(match place.is_left {
                None => 0,
                Some(true) => 1,
                Some(false) => 2,
            })
        },
    ),
    place(
        "above",
        Int(0, MANY),
        [
            "how many nodes stand above it; 0 for the root",
            "其上的结点数，根为 0",
        ],
        |place| Measured::count(place.above),
    ),
    place(
        "from",
        Int(1, MANY),
        ["the number of its first EDU", "首个 EDU 的编号"],
        |place| Measured::count(place.span.first()),
    ),
    place(
        "until",
        Int(1, MANY),
        ["the number of its last EDU", "末个 EDU 的编号"],
        |place| Measured::count(place.span.last()),
    ),
];
