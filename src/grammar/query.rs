//! Queries over finished trees, and changes of their relations: the grammar's formulas on what is there.
//!
//! ```text
//! causal-* SN : A.cue = none and level(A, B) = sentence
//! change causal-* SN to causal-cause NS when B.cue = because
//! ```

use std::sync::Arc;

use super::formula::{Formula, Type};
use super::parse::{parse_change, parse_formula, parse_query};
use super::syntax::{Expr, QueryItem, Span, Word};
use super::tables::{OutcomePattern, RelationPattern};
use super::typing::{TREES, Typist};
use super::vocabulary::Vocabulary;
use crate::diagnostic::{Code, Diagnostic, Place, Problems, Source};
use crate::error::{Error, Result};
use crate::schema::{Name, Schema, ValueType};
use crate::tree::Roles;

/// The word that stands for single EDUs in place of a relation.
pub const EDUS: &str = "edu";

/// What is looked for in trees.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Which nodes.
    pub wanted: Wanted,
    /// What must be known to hold of them.
    pub condition: Option<Formula>,
}

/// Which nodes are looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// `edu`: the leaves.
    Edus,
    /// Nodes that join others, by relation and roles.
    Joins(OutcomePattern),
}

/// One change of the relations of trees.
#[derive(Debug, Clone, PartialEq)]
pub struct Relabelling {
    /// The nodes that change.
    pub query: Query,
    /// Their new relation.
    pub relation: Arc<str>,
    /// Their new roles; nothing leaves them.
    pub roles: Option<Roles>,
    /// What its doc comment says.
    pub doc: Option<Arc<str>>,
    /// Where it is written.
    pub place: Place,
}

impl Relabelling {
    /// As it is written, on one line.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.place.text().split_whitespace().collect();
        words.join(" ")
    }
}

/// Loads a query. `schema` must have all relations of the trees that are searched.
pub fn load_query(source: &Arc<Source>, schema: &Schema) -> Result<Query> {
    let (written, diagnostics) = parse_query(source);
    let mut reader = Reader::new(source, schema, diagnostics);
    let query = written.and_then(|written| reader.query(&written));
    match query {
        Some(query) if reader.problems.is_empty() => Ok(query),
        _ => Err(Error::Invalid(reader.problems.into_vec())),
    }
}

/// Loads something that nodes of finished trees have a value of: `B.cue`, `level(A, B)`.
pub fn load_tree_value(source: &Arc<Source>, schema: &Schema) -> Result<Formula> {
    let (expr, diagnostics) = parse_formula(source);
    let mut reader = Reader::new(source, schema, diagnostics);
    let formula = expr.and_then(|expr| {
        let mut typist = Typist {
            vocabulary: &reader.vocabulary,
            problems: &mut reader.problems,
            context: TREES,
        };
        typist.infer(&expr, None).map(|(formula, _)| formula)
    });
    match formula {
        Some(formula) if reader.problems.is_empty() => Ok(formula),
        _ => Err(Error::Invalid(reader.problems.into_vec())),
    }
}

/// Loads a file of changes, a statement each. A statement begins at the start of a line; lines that
/// begin with blanks go on with it.
pub fn load_relabellings(source: &Arc<Source>, schema: &Schema) -> Result<Vec<Relabelling>> {
    let mut reader = Reader::new(source, schema, Vec::new());
    let mut changes = Vec::new();
    for (span, doc) in statements(source.text()) {
        changes.extend(reader.change(span, doc));
    }
    if changes.is_empty() && reader.problems.is_empty() {
        let help = "write `change RELATION to RELATION`, and `when` for a condition";
        let nothing = Diagnostic::new(Code::G001, "there is no change in this file");
        reader
            .problems
            .push(nothing.at(Place::new(source, 0..0)).help(help));
    }
    if reader.problems.is_empty() {
        return Ok(changes);
    }
    Err(Error::Invalid(reader.problems.into_vec()))
}

/// The statements of a file with their doc comments.
fn statements(text: &str) -> Vec<(Span, Option<String>)> {
    let mut all: Vec<(Span, Option<String>)> = Vec::new();
    let mut doc: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let (start, trimmed) = (at, line.trim());
        at += line.len();
        if let Some(said) = trimmed.strip_prefix("##") {
            doc.push(said.trim());
            open = false;
        } else if trimmed.is_empty() || trimmed.starts_with('#') {
            doc.clear();
            open = false;
        } else {
            let end = start + line.trim_end().len();
            let goes_on = line.starts_with(char::is_whitespace);
            match all.last_mut().filter(|_| open && goes_on) {
                Some((span, _)) => span.end = end,
                None => {
                    let said = (!doc.is_empty()).then(|| doc.join("\n"));
                    all.push((
                        Span::new(start + line.len() - line.trim_start().len(), end),
                        said,
                    ));
                    doc.clear();
                }
            }
            open = true;
        }
    }
    all
}

/// Resolves the names of queries, and types their conditions.
struct Reader<'s> {
    vocabulary: Vocabulary<'s>,
    problems: Problems,
}

impl<'s> Reader<'s> {
    fn new(source: &Arc<Source>, schema: &'s Schema, found: Vec<Diagnostic>) -> Reader<'s> {
        Reader {
            vocabulary: Vocabulary::new(schema),
            problems: Problems::with(source, found),
        }
    }

    fn query(&mut self, written: &QueryItem) -> Option<Query> {
        let wanted = self.wanted(&written.wanted, written.roles.as_ref());
        let condition = match &written.when {
            Some(expr) => self.condition(expr).map(Some),
            None => Some(None),
        };
        Some(Query {
            wanted: wanted?,
            condition: condition?,
        })
    }

    fn condition(&mut self, expr: &Expr) -> Option<Formula> {
        let mut typist = Typist {
            vocabulary: &self.vocabulary,
            problems: &mut self.problems,
            context: TREES,
        };
        typist.type_as(expr, Type::plain(ValueType::Bool))
    }

    fn change(&mut self, span: Span, doc: Option<String>) -> Option<Relabelling> {
        let source = Arc::clone(self.problems.source());
        let (written, found) = parse_change(&source, span);
        for problem in found {
            self.problems.push(problem);
        }
        let written = written?;
        let query = self.query(&written.query);
        let query = query?;
        if query.wanted == Wanted::Edus {
            let span = written.query.wanted.span;
            let message = "an EDU has no relation of its own";
            self.problems.report(Code::G018, span, message).help =
                Some("name the relation of the node above it".to_owned());
            return None;
        }
        let known = self.relation(&written.relation);
        if known.is_none() && !written.is_new {
            let name = &written.relation.text;
            self.unknown_relation(
                &written.relation,
                format!("for a name that is new, write it in quotes: `\"{name}\"`"),
            );
            return None;
        }
        Some(Relabelling {
            query,
            relation: written.relation.text.as_ref().into(),
            roles: written.roles.as_ref().map(roles_of),
            doc: doc.map(Into::into),
            place: span.place(&source),
        })
    }

    /// The nodes that a pattern stands for.
    fn wanted(&mut self, word: &Word, roles: Option<&Word>) -> Option<Wanted> {
        let schema = self.vocabulary.schema;
        let text = &*word.text;
        if text == EDUS && self.relation(word).is_none() {
            if let Some(roles) = roles {
                let message = "an EDU joins nothing: it has no roles";
                self.problems.report(Code::G018, roles.span, message).help =
                    Some("ask for its own role: `D.role = satellite`".to_owned());
                return None;
            }
            return Some(Wanted::Edus);
        }
        let relation = match (text, text.strip_suffix("-*")) {
            ("_" | "*", _) => RelationPattern::Any,
            (_, Some(class)) => {
                if !schema.rhetoric.iter().any(|known| *known.class == *class) {
                    let known = schema.rhetoric.iter().map(|known| known.class.as_str());
                    let message = format!("no relation has the class `{class}`");
                    let place = self.problems.place(word.span);
                    let problem = Diagnostic::new(Code::G018, message).at(place);
                    self.problems.push(problem.suggest(class, known));
                    return None;
                }
                RelationPattern::Class(class.into())
            }
            (_, None) => match schema.lookup(text) {
                Some(Name::Rhetoric(id)) => RelationPattern::One(id),
                _ => {
                    let help = "`_` stands for every relation, `causal-*` for those of a class, `edu` for \
                                single EDUs";
                    self.unknown_relation(word, help.to_owned());
                    return None;
                }
            },
        };
        Some(Wanted::Joins(OutcomePattern {
            relation,
            roles: roles.map(roles_of),
        }))
    }

    fn relation(&self, word: &Word) -> Option<()> {
        let found = self.vocabulary.schema.lookup(&word.text);
        matches!(found, Some(Name::Rhetoric(_))).then_some(())
    }

    fn unknown_relation(&mut self, word: &Word, help: String) {
        let known = &self.vocabulary.schema.rhetoric;
        let known = known.iter().map(|relation| relation.name.as_str());
        let message = format!(
            "neither the schema nor the trees have the relation `{}`",
            word.text
        );
        let place = self.problems.place(word.span);
        let problem = Diagnostic::new(Code::G018, message).at(place);
        self.problems
            .push(problem.help(help).suggest(&word.text, known));
    }
}

fn roles_of(word: &Word) -> Roles {
    match &*word.text {
        "NS" => Roles::NucleusSatellite,
        "SN" => Roles::SatelliteNucleus,
        _ => Roles::NucleusNucleus,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Renderer;
    use crate::schema::embedded_schema;

    fn query(text: &str) -> std::result::Result<Query, String> {
        let schema = embedded_schema("general").unwrap();
        load_query(&Source::new("query", text), &schema).map_err(told)
    }

    fn told(error: Error) -> String {
        match error {
            Error::Invalid(found) => Renderer::default().render(&found),
            other => other.to_string(),
        }
    }

    #[test]
    fn a_query_is_a_relation_and_a_formula() {
        for text in [
            "_",
            "*",
            "edu : D.cue = because",
            "causal-* SN : A.cue = none and level(A, B) = sentence",
            "joint-list NN when parent.relation = none or sibling.cue = but",
            "\"causal-cause\" : D.role = root and D.from = 1 and D.until > 2",
            "_ : has-text(D, \"受\") and D.side = left and D.above < 3",
        ] {
            assert!(query(text).is_ok(), "{text}\n{}", query(text).unwrap_err());
        }
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, said) in [
            (
                "causl-* : A.cue = none",
                "no relation has the class `causl`",
            ),
            ("causal-caus", "did you mean `causal-cause`?"),
            ("_ : A.cue = becuase", "did you mean `because`?"),
            ("_ : A.cue == none and", "the query ends here"),
            ("_ : prev.cue = none", "there is no `prev` in a query"),
            ("_ : D.rolle = root", "did you mean `role`?"),
            (
                "_ : B.tail = \"后\"",
                "`后` is in the class `hou`: write `hou`",
            ),
            ("_ : B.tail = 后", "`后` is in the class `hou`: write `hou`"),
            ("_ : has-text(B, 受)", "write `\"受\"` in quotes"),
            ("edu NS", "an EDU joins nothing"),
            (
                "_ : A.length",
                "expected true or false, found a whole number",
            ),
            ("", "expected a relation"),
            ("_ ： A.heading", "half-width"),
        ] {
            let found = query(text).unwrap_err();
            assert!(found.contains(said), "{text}\n{found}");
        }
    }

    #[test]
    fn changes_are_statements_of_a_line_or_more() {
        let schema = embedded_schema("general").unwrap();
        let load = |text: &str| load_relabellings(&Source::new("changes", text), &schema);
        let text = "# all\n\n## Lists that contrast.\nchange joint-list NN to adversative-contrast\n  \
                    when B.cue = but\nchange causal-* to \"reason\" NS\n";
        let changes = load(text).map_err(told).unwrap();
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0].doc.as_deref(), Some("Lists that contrast."));
        assert!(changes[0].query.condition.is_some());
        assert_eq!(changes[1].roles, Some(Roles::NucleusSatellite));
        for (text, said) in [
            ("change joint-list to resaon", "write it in quotes"),
            ("change edu to joint-list", "an EDU has no relation"),
            ("\n# nothing\n", "there is no change in this file"),
            ("change joint-list joint-other", "expected"),
            ("change _ to joint-list\nchnage _ to joint-list", "chnage"),
        ] {
            let found = told(load(text).unwrap_err());
            assert!(found.contains(said), "{text}\n{found}");
        }
    }
}
