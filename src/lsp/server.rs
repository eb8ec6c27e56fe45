//! The loop: messages in, answers out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::positions::{Encoding, Lines};
use super::tell::capabilities;
use super::uris::Shelf;
use crate::diagnostic::Source;
use crate::edit::{Workspace, files_below};
use crate::error::{Error, Result};
use crate::files::Disk;

/// What the server knows of its client and of the client's files.
pub(super) struct Server {
    connection: Connection,
    pub(super) workspace: Workspace,
    pub(super) shelf: Shelf,
    pub(super) encoding: Encoding,
    /// Folders whose grammars are known.
    folders: Vec<PathBuf>,
    /// The numbers that the client gives the texts of open files.
    pub(super) versions: BTreeMap<PathBuf, i32>,
    /// Files that changed since problems were told last.
    changed: BTreeSet<PathBuf>,
    /// The number of the next request to the client.
    next: i32,
    watches: bool,
}

/// Why a request was not answered.
pub(super) type Refusal = (ErrorCode, String);

impl Server {
    /// Shakes hands; nothing where the client is gone before it said a word.
    pub(super) fn start(connection: Connection) -> Result<Option<Server>> {
        let (id, params) = match connection.initialize_start() {
            Ok(greeting) => greeting,
            Err(error) if error.channel_is_disconnected() => return Ok(None),
            Err(error) => return Err(broken(error)),
        };
        let params: InitializeParams = serde_json::from_value(params).map_err(|error| {
            Error::Usage(format!("the client's greeting is not understood: {error}"))
        })?;
        let general = params.capabilities.general.as_ref();
        let encoding = Encoding::among(general.and_then(|own| own.position_encodings.as_ref()));
        let greeting = json!({
            "capabilities": capabilities(encoding),
            "serverInfo": {"name": "arsg", "version": env!("CARGO_PKG_VERSION")},
        });
        connection.initialize_finish(id, greeting).map_err(broken)?;
        let options = params.initialization_options.as_ref();
        let named = options
            .and_then(|own| own.get("shelf"))
            .and_then(Value::as_str);
        let watching = params.capabilities.workspace.as_ref();
        let watching = watching.and_then(|own| own.did_change_watched_files.as_ref());
        let mut server = Server {
            connection,
            workspace: Workspace::new(Box::new(Disk::default())),
            shelf: Shelf::new(named),
            encoding,
            folders: Vec::new(),
            versions: BTreeMap::new(),
            changed: BTreeSet::new(),
            next: 0,
            watches: watching.and_then(|own| own.dynamic_registration) == Some(true),
        };
        for uri in folders(&params) {
            let folder = server.shelf.path(&uri);
            server.know(folder);
        }
        Ok(Some(server))
    }

    /// Answers until the client says goodbye.
    pub(super) fn run(mut self) -> Result<()> {
        if self.watches {
            self.watch_files()?;
        }
        loop {
            // Problems are told when nothing else waits: fast typing asks for them once.
            if self.connection.receiver.is_empty() {
                self.tell_problems()?;
            }
            let Ok(message) = self.connection.receiver.recv() else {
                return Ok(());
            };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request).map_err(broken)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.send(Message::Response(response))?;
                }
                Message::Notification(notification) => {
                    if notification.method == notification::Exit::METHOD {
                        return Ok(());
                    }
                    self.notice(notification);
                }
                // What the client did with an edit shows in its next change.
                Message::Response(_) => {}
            }
        }
    }

    pub(super) fn send(&self, message: Message) -> Result<()> {
        self.connection.sender.send(message).map_err(|_| gone())
    }

    pub(super) fn notify(&self, method: &str, params: impl serde::Serialize) -> Result<()> {
        self.send(Message::Notification(Notification::new(
            method.to_owned(),
            params,
        )))
    }

    /// Asks the client for something; its answer is not waited for.
    pub(super) fn ask(&mut self, method: &str, params: impl serde::Serialize) -> Result<()> {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Message::Request(Request::new(
            id,
            method.to_owned(),
            params,
        )))
    }

    fn watch_files(&mut self) -> Result<()> {
        let watchers: Vec<Value> = ["**/*.arsg", "**/*.toml", "**/*.case"]
            .iter()
            .map(|pattern| json!({"globPattern": pattern}))
            .collect();
        let registration = json!({
            "id": "files",
            "method": notification::DidChangeWatchedFiles::METHOD,
            "registerOptions": {"watchers": watchers},
        });
        self.ask(
            request::RegisterCapability::METHOD,
            json!({"registrations": [registration]}),
        )
    }

    /// Looks for grammars below a folder, once.
    fn know(&mut self, folder: PathBuf) {
        if self.folders.iter().any(|known| folder.starts_with(known)) {
            return;
        }
        match files_below(&folder) {
            Ok(files) => self.workspace.know(files),
            Err(error) => tracing::warn!("{error}"),
        }
        self.folders.push(folder);
    }

    fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(params) = read::<DidOpenTextDocumentParams>(params) {
                    self.opened(params);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(params) = read::<DidChangeTextDocumentParams>(params) {
                    self.typed(params);
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(params) = read::<DidCloseTextDocumentParams>(params) {
                    let path = self.shelf.path(&params.text_document.uri);
                    let touched = self.workspace.touched_by(&path);
                    self.workspace.close(&path);
                    self.versions.remove(&path);
                    self.changed.extend(touched);
                }
            }
            notification::DidChangeWatchedFiles::METHOD => {
                if let Some(params) = read::<DidChangeWatchedFilesParams>(params) {
                    let paths = params
                        .changes
                        .iter()
                        .map(|change| self.shelf.path(&change.uri));
                    let paths: Vec<PathBuf> = paths.collect();
                    self.workspace.refresh(paths);
                    self.changed
                        .extend(self.workspace.open_files().map(Path::to_owned));
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let path = self.shelf.path(&params.text_document.uri);
        if Shelf::holds(&path) {
            return;
        }
        if !self.folders.iter().any(|folder| path.starts_with(folder)) {
            self.know(project_of(&path));
        }
        let document = params.text_document;
        self.workspace.open(&path, document.text);
        self.versions.insert(path.clone(), document.version);
        self.changed.extend(self.workspace.touched_by(&path));
    }

    fn typed(&mut self, params: DidChangeTextDocumentParams) {
        let path = self.shelf.path(&params.text_document.uri);
        for change in params.content_changes {
            match change.range {
                None => self.workspace.open(&path, change.text),
                Some(range) => {
                    let Some(source) = self.workspace.text(&path) else {
                        continue;
                    };
                    let bytes = Lines::new(source.text(), self.encoding).bytes(range);
                    self.workspace.change(&path, bytes, &change.text);
                }
            }
        }
        self.versions
            .insert(path.clone(), params.text_document.version);
        self.changed.extend(self.workspace.touched_by(&path));
    }

    fn tell_problems(&mut self) -> Result<()> {
        for path in std::mem::take(&mut self.changed) {
            if let Some(params) = self.problems_of(&path) {
                self.notify(notification::PublishDiagnostics::METHOD, params)?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match self.answer_to(&method, params) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn answer_to(&mut self, method: &str, params: Value) -> std::result::Result<Value, Refusal> {
        match method {
            request::Completion::METHOD => told(self.completion(params_of(params)?)),
            request::HoverRequest::METHOD => told(self.hover(params_of(params)?)),
            request::GotoDefinition::METHOD => told(self.definition(params_of(params)?)),
            request::References::METHOD => told(self.references(params_of(params)?)),
            request::DocumentHighlightRequest::METHOD => told(self.highlights(params_of(params)?)),
            request::PrepareRenameRequest::METHOD => told(self.prepare_rename(params_of(params)?)?),
            request::Rename::METHOD => told(self.rename(params_of(params)?)?),
            request::DocumentSymbolRequest::METHOD => told(self.outline(params_of(params)?)),
            request::WorkspaceSymbolRequest::METHOD => told(self.symbols(params_of(params)?)),
            request::FoldingRangeRequest::METHOD => told(self.folds(params_of(params)?)),
            request::Formatting::METHOD => told(self.formatting(params_of(params)?)),
            request::RangeFormatting::METHOD => told(self.range_formatting(params_of(params)?)),
            request::OnTypeFormatting::METHOD => told(self.typed_formatting(params_of(params)?)),
            request::SemanticTokensFullRequest::METHOD => told(self.colours(params_of(params)?)),
            request::InlayHintRequest::METHOD => told(self.hints(params_of(params)?)),
            request::CodeLensRequest::METHOD => told(self.lenses(params_of(params)?)),
            request::CodeActionRequest::METHOD => told(self.actions(params_of(params)?)),
            request::ExecuteCommand::METHOD => self.execute(params_of(params)?),
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("`{method}` is not answered"),
            )),
        }
    }

    /// The text of a file with its lines.
    pub(super) fn source(&mut self, path: &Path) -> Option<Arc<Source>> {
        self.workspace.text(path)
    }

    pub(super) fn lines<'s>(&self, source: &'s Source) -> Lines<'s> {
        Lines::new(source.text(), self.encoding)
    }
}

fn told(value: impl serde::Serialize) -> std::result::Result<Value, Refusal> {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn params_of<T: DeserializeOwned>(params: Value) -> std::result::Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    let read = serde_json::from_value(params);
    read.map_err(|error| tracing::warn!("a message is not understood: {error}"))
        .ok()
}

/// The folders that the client works in.
fn folders(params: &InitializeParams) -> Vec<Uri> {
    let named = params.workspace_folders.iter().flatten();
    let mut folders: Vec<Uri> = named.map(|folder| folder.uri.clone()).collect();
    if folders.is_empty() {
        #[expect(deprecated, reason = "older clients name their folder so")]
        let root = params.root_uri.clone();
        folders.extend(root);
    }
    folders.retain(|uri| Uri::from_str(uri.as_str()).is_ok());
    folders
}

/// The folder that a file belongs to: the nearest one upwards that is marked, else the one above its own.
fn project_of(path: &Path) -> PathBuf {
    let own = path.parent().unwrap_or(path);
    let marks = [crate::project::FILE, ".git"];
    let mut above = own.ancestors();
    let marked = above.find(|folder| marks.iter().any(|mark| folder.join(mark).exists()));
    marked.or(own.parent()).unwrap_or(own).to_owned()
}

fn broken(error: lsp_server::ProtocolError) -> Error {
    Error::Usage(format!("the client does not keep to the protocol: {error}"))
}

fn gone() -> Error {
    Error::Usage("the client is gone".to_owned())
}
