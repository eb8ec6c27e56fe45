//! Typing what is asked about nodes and words: attributes and functions.

use super::formula::*;
use super::functions::{Answer, FUNCTIONS, Parameter, Scope};
use super::syntax::{Expr, ExprKind, Span, Word};
use super::typing::{FLOAT, Typed, Typist, answer_type, is_bare};
use super::wording::*;
use crate::diagnostic::{Code, Diagnostic, plural};
use crate::schema::{Name, ValueType};

impl<'a> Typist<'a> {
    pub(super) fn type_feature(&mut self, node: &Word, name: &Word) -> Option<Typed> {
        let Some(found) = Node::find(&node.text) else {
            let names: Vec<&str> = self.context.nodes.iter().map(|n| n.as_str()).collect();
            let message = format!("unknown node `{}`", node.text);
            let place = self.problems.place(node.span);
            self.problems.push(
                Diagnostic::new(Code::G021, message)
                    .at(place)
                    .help(format!(
                        "known {} are {}",
                        self.context.place,
                        list_names(&names)
                    ))
                    .suggest(&node.text, names.iter().copied()),
            );
            return None;
        };
        self.node_is_here(found, node.span)?;
        let function = if self.is_unmade(found) {
            None
        } else {
            FunctionId::find(&name.text, self.context.scope)
        };
        if let Some(id) = function {
            let parameters = id.get().parameters;
            if matches!(
                parameters,
                [Parameter::Node | Parameter::Word | Parameter::Line]
            ) {
                let formula = Formula::Call(id, vec![Argument::Node(found)]);
                return Some((formula, answer_type(id.get().result, FLOAT)));
            }
        }
        match self.vocabulary.schema.lookup(&name.text) {
            Some(Name::Attribute(at)) if !found.is_word() => {
                let value = self.vocabulary.attribute_type(at)?;
                Some((Formula::Attribute(found, at as u32), value))
            }
            _ => {
                self.unknown_feature(found, name, function);
                None
            }
        }
    }

    fn unknown_feature(&mut self, node: Node, name: &Word, function: Option<FunctionId>) {
        let place = self.problems.place(name.span);
        if let Some(function) = function {
            let example = usage(function.get());
            let message = format!("`{}` is not asked about one node", name.text);
            let diagnostic = Diagnostic::new(Code::G025, message).at(place);
            self.problems
                .push(diagnostic.help(format!("write `{example}`")));
            return;
        }
        let elsewhere = FUNCTIONS.iter().any(|f| f.name == &*name.text);
        if elsewhere && !self.is_unmade(node) {
            return self.unknown_function(name);
        }
        let known = self.features_of(node);
        let mut diagnostic =
            Diagnostic::new(Code::G019, format!("unknown attribute `{}`", name.text)).at(place);
        if let Some((before, _)) = name.text.split_once('-')
            && known.contains(&before)
        {
            diagnostic = diagnostic.help("to subtract, put spaces around `-`");
            self.problems.push(diagnostic);
            return;
        }
        if self.is_unmade(node) && FunctionId::find(&name.text, Scope::Nodes).is_some() {
            diagnostic = diagnostic
                .help("D does not exist yet: only attributes that the same rule sets can be read");
        } else {
            diagnostic = diagnostic
                .help(format!(
                    "declare it in the schema with `[attribute.{}]`; `docs/grammar.md` lists what \
                     else can be asked",
                    name.text
                ))
                .suggest(&name.text, known.iter().copied());
        }
        self.problems.push(diagnostic);
    }

    /// True for the node that a production is only about to make. In a finished tree D is there.
    fn is_unmade(&self, node: Node) -> bool {
        node == Node::D && self.context.scope != Scope::Trees
    }

    /// Everything that can be asked about one node here.
    fn features_of(&self, node: Node) -> Vec<&'a str> {
        let scope = self.context.scope;
        let functions = FUNCTIONS
            .iter()
            .filter(|f| f.scope != Scope::Anywhere && scope.has(f.scope) && !self.is_unmade(node))
            .filter(|f| {
                matches!(
                    f.parameters,
                    [Parameter::Node | Parameter::Word | Parameter::Line]
                )
            })
            .map(|f| f.name);
        let attributes = self.vocabulary.schema.attributes.iter();
        let attributes = attributes
            .filter(|_| !node.is_word())
            .map(|attribute| attribute.name.as_str());
        functions.chain(attributes).collect()
    }

    fn node_is_here(&mut self, node: Node, span: Span) -> Option<()> {
        if self.context.nodes.contains(&node) {
            return Some(());
        }
        let names: Vec<&str> = self.context.nodes.iter().map(|n| n.as_str()).collect();
        let message = format!("there is no `{}` {}", node.as_str(), self.context.place);
        let help = if names.is_empty() {
            "use the variables of the formula".to_owned()
        } else {
            format!("there are {}", list_names(&names))
        };
        self.problems.report(Code::G021, span, message).help = Some(help);
        None
    }

    pub(super) fn type_call(
        &mut self,
        expr: &Expr,
        name: &Word,
        arguments: &[Expr],
        hint: Option<Type>,
    ) -> Option<Typed> {
        let Some(id) = FunctionId::find(&name.text, self.context.scope) else {
            self.unknown_function(name);
            return None;
        };
        let function = id.get();
        if arguments.len() != function.parameters.len() {
            let message = format!(
                "`{}` takes {}, found {}",
                name.text,
                plural(function.parameters.len(), "argument"),
                arguments.len()
            );
            self.problems.report(Code::G025, expr.span, message).help =
                Some(format!("write `{}`", usage(function)));
            return None;
        }
        let mut typed = Vec::with_capacity(arguments.len());
        let mut common: Option<Type> = match function.result {
            Answer::SameAsArgument => hint,
            _ => None,
        };
        // Bare names are read last, by the type of the others.
        let mut order: Vec<usize> = (0..arguments.len()).collect();
        order.sort_by_key(|at| is_bare(&arguments[*at], self.context.scope));
        let mut settled = false;
        for at in order {
            let parameter = function.parameters[at];
            let argument = self.argument(&arguments[at], parameter, &mut common, &mut settled)?;
            typed.push((at, argument));
        }
        typed.sort_by_key(|(at, _)| *at);
        let typed = typed.into_iter().map(|(_, argument)| argument).collect();
        let found = answer_type(function.result, common.unwrap_or(FLOAT));
        Some((Formula::Call(id, typed), found))
    }

    /// One argument; `common` is the type that all arguments of type "any" share.
    fn argument(
        &mut self,
        expr: &Expr,
        parameter: Parameter,
        common: &mut Option<Type>,
        settled: &mut bool,
    ) -> Option<Argument> {
        match parameter {
            Parameter::Node | Parameter::Word | Parameter::Line => return self.node_argument(expr),
            Parameter::Relation => {
                let wanted = Type {
                    value: ValueType::Symbol,
                    domain: Domain::Relations,
                };
                return self.type_as(expr, wanted).map(Argument::Value);
            }
            Parameter::Truth => return self.type_condition(expr).map(Argument::Value),
            Parameter::Text => {
                let wanted = Type::plain(ValueType::Text);
                return self.type_as(expr, wanted).map(Argument::Value);
            }
            _ => {}
        }
        let hint = match (parameter, *common) {
            // A member is looked for in a set.
            (Parameter::Any, Some(common))
                if common.value == ValueType::Set && is_bare(expr, self.context.scope) =>
            {
                Some(Type {
                    value: ValueType::Symbol,
                    domain: common.domain,
                })
            }
            _ => *common,
        };
        let (formula, found) = self.infer(expr, hint)?;
        let fits = match parameter {
            Parameter::Number => found.is_number(),
            Parameter::Ordered => found.is_ordered(),
            Parameter::Set => found.value == ValueType::Set,
            _ => true,
        };
        let member = common.is_some_and(|c| c.value == ValueType::Set)
            && found.value == ValueType::Symbol
            && parameter == Parameter::Any;
        let agrees = !*settled || member || common.is_none_or(|c| self.comparable(found, c));
        if !fits || !agrees {
            let wanted = match (fits, *common) {
                (true, Some(common)) => with_article(common),
                _ => wanted_by(parameter).to_owned(),
            };
            let message = format!("expected {wanted}, found {} `{expr}`", with_article(found));
            self.problems.report(Code::G023, expr.span, message);
            return None;
        }
        *common = Some(match *common {
            Some(known) if *settled => wider(known, found),
            _ => found,
        });
        *settled = true;
        Some(Argument::Value(formula))
    }

    fn node_argument(&mut self, expr: &Expr) -> Option<Argument> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(node) = Node::find(name)
        {
            self.node_is_here(node, expr.span)?;
            return Some(Argument::Node(node));
        }
        let names: Vec<&str> = self.context.nodes.iter().map(|n| n.as_str()).collect();
        let message = format!("expected a node, found `{expr}`");
        self.problems.report(Code::G021, expr.span, message).help =
            Some(format!("there are {}", list_names(&names)));
        None
    }

    fn unknown_function(&mut self, name: &Word) {
        let scope = self.context.scope;
        let place = self.problems.place(name.span);
        let message = format!("unknown function `{}`", name.text);
        let mut diagnostic = Diagnostic::new(Code::G020, message).at(place);
        let elsewhere = FUNCTIONS.iter().find(|f| f.name == &*name.text);
        match elsewhere.map(|f| f.scope) {
            Some(Scope::Words) => {
                diagnostic = diagnostic.help("it can be used in boundary rules only");
            }
            Some(Scope::Lines) => {
                diagnostic = diagnostic.help("it can be used in block rules only");
            }
            Some(Scope::Trees) => {
                diagnostic =
                    diagnostic.help("it can be asked of finished trees only: `arsg query`");
            }
            Some(_) => {
                diagnostic = diagnostic.help("it is about nodes, and there are none here");
            }
            None => {
                let known = FUNCTIONS.iter().filter(|f| scope.has(f.scope));
                diagnostic = diagnostic
                    .help("`docs/grammar.md` lists all functions")
                    .suggest(&name.text, known.map(|f| f.name));
            }
        }
        self.problems.push(diagnostic);
    }
}

/// The type that holds the values of both.
fn wider(known: Type, found: Type) -> Type {
    match (known.value, found.value) {
        (ValueType::Int, ValueType::Float) => found,
        (ValueType::Symbol, ValueType::Symbol) if known.domain != found.domain => {
            Type::plain(ValueType::Symbol)
        }
        _ => known,
    }
}
