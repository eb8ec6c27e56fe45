//! Ways out of problems, and lines over rules and cases.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams,
    Command, Diagnostic, NumberOrString,
};
use serde_json::json;

use super::server::Server;
use crate::edit::{Does, Fix, Lens};

impl Server {
    pub(super) fn actions(&mut self, params: CodeActionParams) -> Vec<CodeActionOrCommand> {
        let path = self.shelf.path(&params.text_document.uri);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let wanted = |kind: &CodeActionKind| {
            let only = params.context.only.as_ref();
            only.is_none_or(|only| {
                only.iter()
                    .any(|own| kind.as_str().starts_with(own.as_str()))
            })
        };
        let mut actions = Vec::new();
        if wanted(&CodeActionKind::QUICKFIX) {
            let bytes = self.lines(&source).bytes(params.range);
            let fixes = self.workspace.fixes(&path, bytes);
            for (number, fix) in fixes.iter().enumerate() {
                let is_first = fixes
                    .iter()
                    .take(number)
                    .all(|other| other.problem != fix.problem);
                actions.push(self.action(fix, is_first, &params.context.diagnostics, &source));
            }
        }
        if wanted(&CodeActionKind::SOURCE_FIX_ALL) {
            let edits = self.workspace.fix_all(&path);
            if !edits.is_empty() {
                actions.push(CodeAction {
                    title: "fix all problems that have one way out".to_owned(),
                    kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                    edit: Some(self.workspace_edit(&edits)),
                    ..CodeAction::default()
                });
            }
        }
        actions
            .into_iter()
            .map(CodeActionOrCommand::CodeAction)
            .collect()
    }

    fn action(
        &mut self,
        fix: &Fix,
        is_first: bool,
        told: &[Diagnostic],
        source: &crate::diagnostic::Source,
    ) -> CodeAction {
        let range = self.lines(source).range(fix.problem.range.clone());
        let own = told.iter().filter(|diagnostic| {
            let code = Some(NumberOrString::String(fix.code.to_owned()));
            diagnostic.code == code && diagnostic.range == range
        });
        CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(own.cloned().collect()),
            edit: Some(self.workspace_edit(&fix.edits)),
            is_preferred: Some(fix.sure && is_first),
            ..CodeAction::default()
        }
    }

    pub(super) fn lenses(&mut self, params: CodeLensParams) -> Vec<CodeLens> {
        let path = self.shelf.path(&params.text_document.uri);
        let found = self.workspace.lenses(&path);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let uri = params.text_document.uri;
        let mut lenses = Vec::new();
        for Lens { range, title, does } in found {
            let range = self.lines(&source).range(range);
            let (command, arguments) = match does {
                Does::Show { spots } => {
                    let places = spots.iter().filter_map(|spot| self.location(spot));
                    let places: Vec<_> = places.collect();
                    (
                        "arsg.show",
                        vec![json!(uri), json!(range.start), json!(places)],
                    )
                }
                Does::Count => ("arsg.count", vec![json!(uri)]),
                Does::Run { case } => ("arsg.runCase", vec![json!(uri), json!(case)]),
                Does::Take { case } => ("arsg.takeTree", vec![json!(uri), json!(case)]),
            };
            lenses.push(CodeLens {
                range,
                command: Some(Command {
                    title,
                    command: command.to_owned(),
                    arguments: Some(arguments),
                }),
                data: None,
            });
        }
        lenses
    }
}
