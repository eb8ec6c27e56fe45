//! What the server can do, and the library's answers as the protocol writes them.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeDescription,
    CodeLensOptions, CompletionItemKind, CompletionOptions, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, DocumentChanges, DocumentOnTypeFormattingOptions,
    ExecuteCommandOptions, FoldingRangeProviderCapability, HoverProviderCapability, Location,
    NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, PublishDiagnosticsParams,
    RenameOptions, SemanticTokenModifier, SemanticTokenType, SemanticTokensFullOptions,
    SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities, SymbolKind, TextDocumentEdit,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, WorkspaceEdit,
};

use std::path::Path;

use super::commands::COMMANDS;
use super::positions::Encoding;
use super::server::Server;
use crate::edit::{Colour, Edit, Problem, Spot, Weight, by_file};

/// What has no options.
fn yes<T>() -> Option<OneOf<bool, T>> {
    Some(OneOf::Left(true))
}

/// What the server can do.
pub(super) fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(strings(&[
                ".", "[", ":", "\"", "=", "(", ",", "{", "|", " ",
            ])),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: yes(),
        references_provider: yes(),
        document_highlight_provider: yes(),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: yes(),
        workspace_symbol_provider: yes(),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: yes(),
        document_range_formatting_provider: yes(),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: Some(strings(&WIDE_MARKS)),
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: Colour::NAMES.map(SemanticTokenType::new).to_vec(),
                    token_modifiers: MODIFIERS.map(SemanticTokenModifier::new).to_vec(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        inlay_hint_provider: yes(),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::SOURCE_FIX_ALL,
            ]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: strings(&COMMANDS),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Full-width marks that become plain while one types.
const WIDE_MARKS: [&str; 12] = [
    "：", "，", "。", "（", "）", "【", "】", "＝", "“", "”", "、", "－",
];

/// What is said of coloured words beside their kind.
pub(super) const MODIFIERS: [&str; 3] = ["declaration", "documentation", "defaultLibrary"];

impl Server {
    /// Everything wrong in a file, to be told.
    pub(super) fn problems_of(&mut self, path: &Path) -> Option<PublishDiagnosticsParams> {
        let uri = self.shelf.uri(path)?;
        let found = self.workspace.problems(path);
        if found.iter().any(|problem| problem.code.is_some()) {
            // The pages that problems lead to; where they cannot be written, there are none.
            let _ = self.shelf.lay_out();
        }
        let source = self.source(path);
        let lines = source.as_deref().map(|source| self.lines(source));
        let told = found.iter().filter_map(|problem| {
            let range = lines.as_ref()?.range(problem.spot.range.clone());
            Some(lsp_types::Diagnostic {
                range,
                severity: Some(match problem.weight {
                    Weight::Error => DiagnosticSeverity::ERROR,
                    Weight::Warning => DiagnosticSeverity::WARNING,
                    Weight::Hint => DiagnosticSeverity::HINT,
                }),
                code: problem
                    .code
                    .map(|code| NumberOrString::String(code.to_owned())),
                code_description: problem.code.and_then(|code| {
                    let href = self.shelf.code_page(code)?;
                    Some(CodeDescription { href })
                }),
                source: Some("arsg".to_owned()),
                message: message(problem),
                related_information: None,
                tags: problem.unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
                data: None,
            })
        });
        let mut diagnostics: Vec<lsp_types::Diagnostic> = told.collect();
        for (told, problem) in diagnostics.iter_mut().zip(&found) {
            let related = problem.related.iter().filter_map(|(spot, said)| {
                Some(DiagnosticRelatedInformation {
                    location: self.location(spot)?,
                    message: said.clone(),
                })
            });
            let related: Vec<DiagnosticRelatedInformation> = related.collect();
            told.related_information = (!related.is_empty()).then_some(related);
        }
        Some(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version: self.versions.get(path).copied(),
        })
    }

    /// A place in a file.
    pub(super) fn location(&mut self, spot: &Spot) -> Option<Location> {
        let source = self.source(&spot.path)?;
        if super::uris::Shelf::holds(&spot.path) {
            self.shelf.lay_out().ok()?;
        }
        let range = self.lines(&source).range(spot.range.clone());
        let uri = self.shelf.uri(&spot.path)?;
        Some(Location { uri, range })
    }

    /// Edits of one file.
    pub(super) fn text_edits(&mut self, path: &Path, edits: &[Edit]) -> Vec<TextEdit> {
        let Some(source) = self.source(path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        let edits = edits.iter().map(|edit| TextEdit {
            range: lines.range(edit.spot.range.clone()),
            new_text: edit.text.clone(),
        });
        edits.collect()
    }

    /// Edits of several files.
    pub(super) fn workspace_edit(&mut self, edits: &[Edit]) -> WorkspaceEdit {
        let mut documents = Vec::new();
        for (path, own) in by_file(edits) {
            let Some(uri) = self.shelf.uri(&path) else {
                continue;
            };
            let own = self.text_edits(&path, &own);
            documents.push(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
                edits: own.into_iter().map(OneOf::Left).collect(),
            });
        }
        WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(documents)),
            ..WorkspaceEdit::default()
        }
    }
}

/// The message with its help on a line of its own.
fn message(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{}\nhelp: {help}", problem.message),
        None => problem.message.clone(),
    }
}

/// The picture beside a completion.
pub(super) fn completion_kind(kind: &str) -> CompletionItemKind {
    match kind {
        "keyword" => CompletionItemKind::KEYWORD,
        "symbol" => CompletionItemKind::STRUCT,
        "relation" => CompletionItemKind::CLASS,
        "attribute" => CompletionItemKind::PROPERTY,
        "function" => CompletionItemKind::FUNCTION,
        "node" => CompletionItemKind::VARIABLE,
        "file" => CompletionItemKind::FILE,
        "snippet" => CompletionItemKind::SNIPPET,
        _ => CompletionItemKind::ENUM_MEMBER,
    }
}

/// The picture beside a name in an outline.
pub(super) fn symbol_kind(kind: &str) -> SymbolKind {
    match kind {
        "rule" => SymbolKind::METHOD,
        "table" => SymbolKind::ARRAY,
        "domain relation" => SymbolKind::STRUCT,
        "rhetorical relation" => SymbolKind::CLASS,
        "attribute" => SymbolKind::PROPERTY,
        "cue class" => SymbolKind::ENUM,
        "concept" => SymbolKind::CONSTANT,
        _ => SymbolKind::EVENT,
    }
}
