//! Choosing what two nodes become: a relation by typing parts of its name, roles, a symbol.

use crate::automaton::Suggestion;
use crate::grammar::{Pattern, Roles};
use crate::schema::{RhetoricKind, Schema};

/// What is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Relation,
    Symbol,
}

/// A relation that can be chosen.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) name: String,
    pub(super) class: String,
    kind: RhetoricKind,
    /// How probable the grammar holds a reduction with it.
    pub(super) probability: f64,
    /// The roles and the symbol that the grammar would give it.
    usual: Option<(Roles, Option<String>)>,
}

#[derive(Debug)]
pub(super) struct Picker {
    choices: Vec<Choice>,
    symbols: Vec<String>,
    pub(super) field: Field,
    pub(super) query: String,
    pub(super) symbol_query: String,
    /// Which of the relations or symbols shown.
    pub(super) at: usize,
    roles: Option<Roles>,
    symbol: Option<String>,
}

impl Picker {
    /// All relations, those that the grammar suggests first.
    pub(super) fn new(schema: &Schema, suggestions: &[Suggestion]) -> Picker {
        let mut choices: Vec<Choice> = schema
            .rhetoric
            .iter()
            .enumerate()
            .map(|(at, rhetoric)| {
                let own = suggestions.iter().filter_map(|suggestion| {
                    let outcome = suggestion.outcome?;
                    (outcome.relation.index() == at).then_some((outcome, suggestion.probability))
                });
                let best = own.clone().next().map(|(outcome, _)| {
                    let symbol = match outcome.parent {
                        Pattern::Any => None,
                        Pattern::Symbol(symbol) => Some(schema.relation_name(symbol).to_owned()),
                    };
                    (outcome.roles, symbol)
                });
                Choice {
                    name: rhetoric.name.clone(),
                    class: rhetoric.class.clone(),
                    kind: rhetoric.kind,
                    probability: own.map(|(_, probability)| probability).sum(),
                    usual: best,
                }
            })
            .collect();
        choices.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        Picker {
            choices,
            symbols: schema.relations.iter().map(|r| r.name.clone()).collect(),
            field: Field::Relation,
            query: String::new(),
            symbol_query: String::new(),
            at: 0,
            roles: None,
            symbol: None,
        }
    }

    /// The relations that fit what was typed.
    pub(super) fn relations(&self) -> Vec<&Choice> {
        let fits = |choice: &&Choice| holds(&self.query, &[&choice.name, &choice.class]);
        self.choices.iter().filter(fits).collect()
    }

    /// The symbols that fit what was typed.
    pub(super) fn symbols(&self) -> Vec<&str> {
        let names = self.symbols.iter().map(String::as_str);
        names
            .filter(|name| holds(&self.symbol_query, &[name]))
            .collect()
    }

    pub(super) fn type_letter(&mut self, letter: char) {
        self.at = 0;
        match self.field {
            Field::Relation => self.query.push(letter),
            Field::Symbol => self.symbol_query.push(letter),
        }
    }

    pub(super) fn rub_out(&mut self) {
        self.at = 0;
        match self.field {
            Field::Relation => self.query.pop(),
            Field::Symbol => self.symbol_query.pop(),
        };
    }

    pub(super) fn step(&mut self, by: isize) {
        let count = match self.field {
            Field::Relation => self.relations().len(),
            Field::Symbol => self.symbols().len(),
        };
        let last = count.saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Says which is the nucleus; multi-nuclear relations have two in any case.
    pub(super) fn set_roles(&mut self, roles: Roles) {
        self.roles = Some(roles);
    }

    /// From the relation to its symbol and back; the relation stays chosen.
    pub(super) fn switch(&mut self) {
        match self.field {
            Field::Relation => {
                // What was found stands alone, so that it is still the chosen one afterwards.
                let name = self.chosen().map(|choice| choice.name.clone());
                self.query = name.unwrap_or_default();
                self.field = Field::Symbol;
            }
            Field::Symbol => {
                self.take_symbol();
                self.field = Field::Relation;
            }
        }
        self.at = 0;
    }

    /// Keeps the symbol under the cursor, if one was looked for.
    pub(super) fn take_symbol(&mut self) {
        let looked_for = !self.symbol_query.is_empty() || self.at > 0;
        let found = self.symbols().get(self.at).map(|name| (*name).to_owned());
        self.symbol = found.filter(|_| looked_for);
    }

    /// The relation under the cursor.
    pub(super) fn chosen(&self) -> Option<&Choice> {
        let relations = self.relations();
        let at = match self.field {
            Field::Relation => self.at,
            Field::Symbol => relations.iter().position(|c| c.name == self.query)?,
        };
        relations.get(at).copied()
    }

    /// The roles that the chosen relation gets.
    pub(super) fn roles(&self) -> Roles {
        let Some(choice) = self.chosen() else {
            return self.roles.unwrap_or(Roles::NucleusSatellite);
        };
        let usual = choice.usual.as_ref().map(|(roles, _)| *roles);
        let wanted = self.roles.or(usual).filter(|roles| roles.fit(choice.kind));
        wanted.unwrap_or_else(|| Roles::usual(choice.kind))
    }

    /// The symbol that the new node gets; none is the nucleus's.
    pub(super) fn symbol(&self) -> Option<&str> {
        let usual = || {
            let (roles, symbol) = self.chosen()?.usual.as_ref()?;
            symbol.as_deref().filter(|_| *roles == self.roles())
        };
        self.symbol.as_deref().or_else(usual)
    }
}

/// True when every word of a query stands in one of the texts, whatever the case.
fn holds(query: &str, texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    query.split_whitespace().all(|word| {
        let word = word.to_lowercase();
        texts.iter().any(|text| text.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::embedded_schema;

    #[test]
    fn typing_narrows_and_kinds_decide_roles() -> crate::Result<()> {
        let schema = embedded_schema("finance")?;
        let mut picker = Picker::new(&schema, &[]);
        "contr"
            .chars()
            .for_each(|letter| picker.type_letter(letter));
        let names: Vec<&str> = picker.relations().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["adversative-contrast"]);
        picker.set_roles(Roles::SatelliteNucleus);
        assert_eq!(picker.roles(), Roles::NucleusNucleus, "several nuclei only");
        for _ in 0.."contr".len() {
            picker.rub_out();
        }
        "causal cause"
            .chars()
            .for_each(|letter| picker.type_letter(letter));
        assert_eq!(picker.roles(), Roles::SatelliteNucleus);
        picker.switch();
        "rise".chars().for_each(|letter| picker.type_letter(letter));
        picker.switch();
        assert_eq!(picker.symbol(), Some("Rise"));
        assert_eq!(
            picker.chosen().map(|c| c.name.as_str()),
            Some("causal-cause")
        );
        Ok(())
    }
}
