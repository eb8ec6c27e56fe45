//! What an editor can have done: rules counted, cases run, texts parsed.

use std::path::PathBuf;

use lsp_server::ErrorCode;
use lsp_types::notification::{Notification as _, ShowMessage};
use lsp_types::request::{ApplyWorkspaceEdit, CodeLensRefresh, Request as _};
use lsp_types::{ExecuteCommandParams, MessageType, Uri};
use serde_json::{Value, json};

use super::answers::refused;
use super::server::{Refusal, Server};
use crate::edit::CaseRun;

/// The commands, by name.
pub(super) const COMMANDS: [&str; 4] =
    ["arsg.count", "arsg.runCase", "arsg.takeTree", "arsg.parse"];

impl Server {
    pub(super) fn execute(&mut self, params: ExecuteCommandParams) -> Result<Value, Refusal> {
        let mut arguments = params.arguments.into_iter();
        let uri: Option<Uri> = arguments
            .next()
            .and_then(|uri| serde_json::from_value(uri).ok());
        let path = uri.map(|uri| self.shelf.path(&uri)).ok_or_else(|| {
            let message = "the first argument of a command is the URI of a file";
            (ErrorCode::InvalidParams, message.to_owned())
        })?;
        let word = arguments
            .next()
            .and_then(|word| word.as_str().map(str::to_owned));
        match params.command.as_str() {
            "arsg.count" => self.count(path),
            "arsg.runCase" => self.run_case(path, word.as_deref()),
            "arsg.takeTree" => self.take_tree(path, &word.unwrap_or_default()),
            "arsg.parse" => {
                let text = word.unwrap_or_default();
                let parsed = self.workspace.parse_text(&path, &text).map_err(refused)?;
                Ok(json!(parsed))
            }
            other => Err((
                ErrorCode::InvalidParams,
                format!("`{other}` is not a command of arsg"),
            )),
        }
    }

    fn count(&mut self, path: PathBuf) -> Result<Value, Refusal> {
        let spoken = self.workspace.count(&path).ok_or_else(|| {
            let message = "the grammar has errors: mend them first";
            (ErrorCode::RequestFailed, message.to_owned())
        })?;
        // Clients that cannot be asked draw their lenses anew when the file changes.
        let _ = self.ask(CodeLensRefresh::METHOD, Value::Null);
        Ok(json!({"texts": spoken.texts}))
    }

    fn run_case(&mut self, path: PathBuf, case: Option<&str>) -> Result<Value, Refusal> {
        let runs = self.workspace.run_cases(&path, case).map_err(refused)?;
        let lines = runs.iter().map(|CaseRun { case, outcome, why }| {
            let why = why.as_ref().map_or(String::new(), |why| format!("\n{why}"));
            format!("{case}: {outcome}{why}")
        });
        let said = lines.collect::<Vec<_>>().join("\n");
        let is_fine = runs.iter().all(|run| run.outcome != "failed");
        let kind = if is_fine {
            MessageType::INFO
        } else {
            MessageType::WARNING
        };
        let shown = json!({"type": kind, "message": said});
        self.notify(ShowMessage::METHOD, shown).map_err(refused)?;
        Ok(json!(runs))
    }

    fn take_tree(&mut self, path: PathBuf, case: &str) -> Result<Value, Refusal> {
        let edits = self.workspace.take_tree(&path, case).map_err(refused)?;
        let edit = self.workspace_edit(&edits);
        let label = format!("take the found tree of `{case}`");
        self.ask(
            ApplyWorkspaceEdit::METHOD,
            json!({"label": label, "edit": edit}),
        )
        .map_err(refused)?;
        Ok(json!({"changes": edits.len()}))
    }
}
