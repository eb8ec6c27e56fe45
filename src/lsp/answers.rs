//! Requests that ask about a place, a file or the project.

use lsp_server::ErrorCode;
use lsp_types::{
    CompletionItem, CompletionParams, CompletionTextEdit, DocumentFormattingParams,
    DocumentHighlight, DocumentHighlightParams, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, DocumentSymbol, DocumentSymbolParams, Documentation,
    FoldingRange, FoldingRangeKind, FoldingRangeParams, GotoDefinitionParams, HoverContents,
    HoverParams, InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, InsertTextFormat,
    Location, MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams,
    SemanticToken, SemanticTokens, SemanticTokensParams, SymbolInformation,
    TextDocumentPositionParams, TextEdit, WorkspaceEdit, WorkspaceSymbolParams,
};
use std::path::PathBuf;

use super::server::{Refusal, Server};
use super::tell::{completion_kind, symbol_kind};
use crate::edit::{Colour, Coloured, Outlined};
use crate::error::Error;

impl Server {
    /// The file and the byte that a request asks about.
    fn place(&mut self, asked: &TextDocumentPositionParams) -> Option<(PathBuf, usize)> {
        let path = self.shelf.path(&asked.text_document.uri);
        let source = self.source(&path)?;
        let byte = self.lines(&source).byte(asked.position);
        Some((path, byte))
    }

    pub(super) fn completion(&mut self, params: CompletionParams) -> Vec<CompletionItem> {
        let Some((path, at)) = self.place(&params.text_document_position) else {
            return Vec::new();
        };
        let found = self.workspace.complete(&path, at);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        let items = found
            .into_iter()
            .enumerate()
            .map(|(number, own)| CompletionItem {
                kind: Some(completion_kind(own.kind)),
                detail: own.detail,
                documentation: own
                    .doc
                    .map(|doc| Documentation::MarkupContent(markdown(doc))),
                sort_text: Some(format!("{number:05}")),
                filter_text: Some(own.label.clone()),
                insert_text_format: own.snippet.then_some(InsertTextFormat::SNIPPET),
                text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                    range: lines.range(own.range),
                    new_text: own.insert,
                })),
                label: own.label,
                ..CompletionItem::default()
            });
        items.collect()
    }

    pub(super) fn hover(&mut self, params: HoverParams) -> Option<lsp_types::Hover> {
        let (path, at) = self.place(&params.text_document_position_params)?;
        let found = self.workspace.hover(&path, at)?;
        let source = self.source(&path)?;
        Some(lsp_types::Hover {
            range: Some(self.lines(&source).range(found.range)),
            contents: HoverContents::Markup(markdown(found.text)),
        })
    }

    pub(super) fn definition(&mut self, params: GotoDefinitionParams) -> Option<Location> {
        let (path, at) = self.place(&params.text_document_position_params)?;
        let spot = self.workspace.definition(&path, at)?;
        self.location(&spot)
    }

    pub(super) fn references(&mut self, params: ReferenceParams) -> Vec<Location> {
        let Some((path, at)) = self.place(&params.text_document_position) else {
            return Vec::new();
        };
        let declared = params.context.include_declaration;
        let spots = self.workspace.references(&path, at, declared);
        spots
            .iter()
            .filter_map(|spot| self.location(spot))
            .collect()
    }

    pub(super) fn highlights(&mut self, params: DocumentHighlightParams) -> Vec<DocumentHighlight> {
        let Some((path, at)) = self.place(&params.text_document_position_params) else {
            return Vec::new();
        };
        let ranges = self.workspace.same_names(&path, at);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        let marked = ranges.into_iter().map(|range| DocumentHighlight {
            range: lines.range(range),
            kind: None,
        });
        marked.collect()
    }

    pub(super) fn prepare_rename(
        &mut self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, Refusal> {
        let Some((path, at)) = self.place(&params) else {
            return Ok(None);
        };
        let (range, placeholder) = self.workspace.prepare_rename(&path, at).map_err(refused)?;
        let Some(source) = self.source(&path) else {
            return Ok(None);
        };
        let range = self.lines(&source).range(range);
        Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
            range,
            placeholder,
        }))
    }

    pub(super) fn rename(
        &mut self,
        params: RenameParams,
    ) -> Result<Option<WorkspaceEdit>, Refusal> {
        let Some((path, at)) = self.place(&params.text_document_position) else {
            return Ok(None);
        };
        let edits = self.workspace.rename(&path, at, &params.new_name);
        Ok(Some(self.workspace_edit(&edits.map_err(refused)?)))
    }

    pub(super) fn outline(&mut self, params: DocumentSymbolParams) -> Vec<DocumentSymbol> {
        let path = self.shelf.path(&params.text_document.uri);
        let found = self.workspace.outline(&path);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        found
            .into_iter()
            .map(|own| document_symbol(own, &lines))
            .collect()
    }

    pub(super) fn symbols(&mut self, params: WorkspaceSymbolParams) -> Vec<SymbolInformation> {
        let found = self.workspace.find_symbols(&params.query);
        let symbols = found.into_iter().filter_map(|(spot, own)| {
            #[expect(deprecated, reason = "the field has no other way to be left out")]
            Some(SymbolInformation {
                name: own.name,
                kind: symbol_kind(own.kind),
                tags: None,
                deprecated: None,
                location: self.location(&spot)?,
                container_name: (!own.detail.is_empty()).then_some(own.detail),
            })
        });
        symbols.collect()
    }

    pub(super) fn folds(&mut self, params: FoldingRangeParams) -> Vec<FoldingRange> {
        let path = self.shelf.path(&params.text_document.uri);
        let found = self.workspace.folds(&path);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        let folds = found.into_iter().map(|(range, is_comment)| {
            let range = lines.range(range);
            FoldingRange {
                start_line: range.start.line,
                end_line: range.end.line,
                kind: is_comment.then_some(FoldingRangeKind::Comment),
                ..FoldingRange::default()
            }
        });
        folds.collect()
    }

    pub(super) fn formatting(&mut self, params: DocumentFormattingParams) -> Vec<TextEdit> {
        let path = self.shelf.path(&params.text_document.uri);
        let edits = self.workspace.format(&path);
        self.text_edits(&path, &edits)
    }

    pub(super) fn range_formatting(
        &mut self,
        params: DocumentRangeFormattingParams,
    ) -> Vec<TextEdit> {
        let path = self.shelf.path(&params.text_document.uri);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let bytes = self.lines(&source).bytes(params.range);
        let edits = self.workspace.format_range(&path, bytes);
        self.text_edits(&path, &edits)
    }

    pub(super) fn typed_formatting(
        &mut self,
        params: DocumentOnTypeFormattingParams,
    ) -> Vec<TextEdit> {
        let Some((path, at)) = self.place(&params.text_document_position) else {
            return Vec::new();
        };
        let edits = self.workspace.format_typed(&path, at, &params.ch);
        self.text_edits(&path, &edits)
    }

    pub(super) fn colours(&mut self, params: SemanticTokensParams) -> SemanticTokens {
        let path = self.shelf.path(&params.text_document.uri);
        let found = self.workspace.colours(&path);
        let mut tokens = SemanticTokens::default();
        let Some(source) = self.source(&path) else {
            return tokens;
        };
        let lines = self.lines(&source);
        let mut before = lsp_types::Position::default();
        for own in found {
            let start = lines.position(own.range.start);
            let text = source.text().get(own.range.clone()).unwrap_or_default();
            let same_line = start.line == before.line;
            tokens.data.push(SemanticToken {
                delta_line: start.line.saturating_sub(before.line),
                delta_start: if same_line {
                    start.character.saturating_sub(before.character)
                } else {
                    start.character
                },
                length: self.encoding.columns(text),
                token_type: type_of(own.colour),
                token_modifiers_bitset: modifiers(&own),
            });
            before = start;
        }
        tokens
    }

    pub(super) fn hints(&mut self, params: InlayHintParams) -> Vec<InlayHint> {
        let path = self.shelf.path(&params.text_document.uri);
        let Some(source) = self.source(&path) else {
            return Vec::new();
        };
        let lines = self.lines(&source);
        let found = self.workspace.hints(&path, lines.bytes(params.range));
        let hints = found.into_iter().map(|own| InlayHint {
            position: lines.position(own.at),
            label: InlayHintLabel::String(own.text),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(own.tip)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
        hints.collect()
    }
}

fn document_symbol(own: Outlined, lines: &super::positions::Lines<'_>) -> DocumentSymbol {
    let range = lines.range(own.range);
    let head = lines.range(own.head);
    #[expect(deprecated, reason = "the field has no other way to be left out")]
    DocumentSymbol {
        // An empty name is refused by clients.
        name: if own.name.is_empty() {
            own.kind.to_owned()
        } else {
            own.name
        },
        detail: (!own.detail.is_empty()).then_some(own.detail),
        kind: symbol_kind(own.kind),
        tags: None,
        deprecated: None,
        range,
        selection_range: head,
        children: None,
    }
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

fn type_of(colour: Colour) -> u32 {
    let at = Colour::ALL.iter().position(|own| *own == colour);
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or_default()
}

fn modifiers(own: &Coloured) -> u32 {
    u32::from(own.declares) | u32::from(own.documents) << 1 | u32::from(own.shipped) << 2
}

/// An error as a refusal.
pub(super) fn refused(error: Error) -> Refusal {
    (ErrorCode::RequestFailed, said(&error))
}

/// An error in words: of a grammar that is wrong, the first problem.
fn said(error: &Error) -> String {
    match error {
        Error::Invalid(problems) => match problems.first() {
            Some(problem) => {
                let place = problem.place.as_ref();
                let place = place.map_or(String::new(), |place| format!("{place}: "));
                format!("{place}{}", problem.message)
            }
            None => error.to_string(),
        },
        _ => error.to_string(),
    }
}
