//! A client that knows the protocol and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// How long an answer may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Client {
    connection: Connection,
    server: Option<JoinHandle<arsg::Result<()>>>,
    next: i32,
    pub(super) folder: PathBuf,
    /// The problems told last, by URI.
    pub(super) problems: BTreeMap<String, Value>,
    /// What the server asked for or told beside that.
    pub(super) heard: Vec<(String, Value)>,
    pub(super) greeting: Value,
    /// The texts as this client has them.
    texts: BTreeMap<String, String>,
    utf8: bool,
    /// The number of the last text, and the file that has it.
    version: i64,
    last: Option<String>,
    /// The numbers of the texts that problems were told of last.
    told: BTreeMap<String, i64>,
}

impl Client {
    pub(super) fn start(folder: &Path) -> Client {
        Client::start_with(folder, json!({}))
    }

    pub(super) fn start_with(folder: &Path, capabilities: Value) -> Client {
        Client::start_in(folder, "", capabilities)
    }

    /// A client that works in a folder below.
    pub(super) fn start_in(folder: &Path, below: &str, capabilities: Value) -> Client {
        let folder = folder.canonicalize().unwrap();
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || arsg::lsp::serve(theirs));
        let mut client = Client {
            connection: ours,
            server: Some(server),
            next: 0,
            problems: BTreeMap::new(),
            heard: Vec::new(),
            greeting: Value::Null,
            texts: BTreeMap::new(),
            utf8: false,
            version: 0,
            last: None,
            told: BTreeMap::new(),
            folder,
        };
        let shelf = client.folder.join(".shelf");
        let root = client.uri(below);
        client.greeting = client.ask(
            "initialize",
            json!({
                "capabilities": capabilities,
                "workspaceFolders": [{"uri": root.trim_end_matches('/'), "name": "project"}],
                "initializationOptions": {"shelf": shelf},
            }),
        );
        client.utf8 = client.greeting["capabilities"]["positionEncoding"] == "utf-8";
        client.tell("initialized", json!({}));
        client
    }

    /// A URI, as a client writes it that knows of percent signs.
    pub(super) fn uri(&self, path: &str) -> String {
        let whole = self.folder.join(path).display().to_string();
        let written = whole.bytes().map(|byte| match byte {
            b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02x}"),
        });
        format!("file://{}", written.collect::<String>())
    }

    pub(super) fn tell(&self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection
            .sender
            .send(Message::Notification(message))
            .unwrap();
    }

    /// Asks, and waits for the answer; an error is an object with `error`.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection
            .sender
            .send(Message::Request(request))
            .unwrap();
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
                Message::Response(Response {
                    id: own,
                    result,
                    error,
                }) => {
                    assert_eq!(own, id);
                    return match error {
                        Some(error) => json!({"error": error.message}),
                        None => result.unwrap_or_default(),
                    };
                }
                other => self.hear(other),
            }
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Notification(Notification { method, params }) => {
                if method == "textDocument/publishDiagnostics" {
                    let uri = params["uri"].as_str().unwrap().to_owned();
                    let version = params["version"].as_i64().unwrap_or_default();
                    self.told.insert(percent_decoded(&uri), version);
                    self.problems.insert(uri, params["diagnostics"].clone());
                } else {
                    self.heard.push((method, params));
                }
            }
            Message::Request(Request { id, method, params }) => {
                self.heard.push((method, params));
                let answer = Response::new_ok(id, Value::Null);
                self.connection
                    .sender
                    .send(Message::Response(answer))
                    .unwrap();
            }
            Message::Response(_) => {}
        }
    }

    /// Opens a file with the text that lies on the disk.
    pub(super) fn open(&mut self, path: &str) {
        let text = fs::read_to_string(self.folder.join(path)).unwrap();
        self.open_with(path, &text);
    }

    pub(super) fn open_with(&mut self, path: &str, text: &str) {
        self.texts.insert(path.to_owned(), text.to_owned());
        let version = self.count(path);
        let item =
            json!({"uri": self.uri(path), "languageId": "arsg", "version": version, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": item}));
    }

    fn count(&mut self, path: &str) -> i64 {
        self.version += 1;
        self.last = Some(path.to_owned());
        self.version
    }

    pub(super) fn text(&self, path: &str) -> &str {
        &self.texts[path]
    }

    /// Puts a text in the place of a stretch of bytes, as typing does.
    pub(super) fn type_at(&mut self, path: &str, range: std::ops::Range<usize>, new: &str) {
        let (start, end) = (
            self.position(path, range.start),
            self.position(path, range.end),
        );
        let change = json!({"range": {"start": start, "end": end}, "text": new});
        let document = json!({"uri": self.uri(path), "version": self.count(path)});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        );
        self.texts.get_mut(path).unwrap().replace_range(range, new);
    }

    /// Puts a text in the place of another.
    pub(super) fn retype(&mut self, path: &str, old: &str, new: &str) {
        let at = self
            .text(path)
            .find(old)
            .unwrap_or_else(|| panic!("{old} is not in {path}"));
        self.type_at(path, at..at + old.len(), new);
    }

    fn width(&self, text: &str) -> usize {
        if self.utf8 {
            text.len()
        } else {
            text.encode_utf16().count()
        }
    }

    pub(super) fn position(&self, path: &str, byte: usize) -> Value {
        let before = &self.text(path)[..byte];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        json!({"line": before.matches('\n').count(), "character": self.width(&before[line..])})
    }

    fn byte(&self, path: &str, position: &Value) -> usize {
        let text = self.text(path);
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let wanted = position["character"].as_u64().unwrap() as usize;
        let mut column = 0;
        for (at, letter) in text[start..].char_indices() {
            if column == wanted {
                return start + at;
            }
            column += self.width(letter.encode_utf8(&mut [0; 4]));
        }
        text.len()
    }

    /// The text that a range of the protocol stands for.
    pub(super) fn stretch(&self, path: &str, range: &Value) -> std::ops::Range<usize> {
        self.byte(path, &range["start"])..self.byte(path, &range["end"])
    }

    /// Where a text begins in a file, and so many bytes behind it, as a request names it.
    pub(super) fn place(&self, path: &str, near: &str, more: usize) -> Value {
        let at = self
            .text(path)
            .find(near)
            .unwrap_or_else(|| panic!("{near} is not in {path}"));
        json!({
            "textDocument": {"uri": self.uri(path)},
            "position": self.position(path, at + more),
        })
    }

    pub(super) fn document(&self, path: &str) -> Value {
        json!({"textDocument": {"uri": self.uri(path)}, "options": {"tabSize": 2, "insertSpaces": true}})
    }

    /// Does what text edits say.
    pub(super) fn apply(&mut self, path: &str, edits: &Value) {
        let mut made: Vec<(std::ops::Range<usize>, String)> = edits
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| {
                let range = self.stretch(path, &edit["range"]);
                (range, edit["newText"].as_str().unwrap().to_owned())
            })
            .collect();
        made.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
        for (range, text) in made {
            self.type_at(path, range, &text);
        }
    }

    /// Does what a workspace edit says; files that are not open are opened.
    pub(super) fn apply_all(&mut self, edit: &Value) -> Vec<String> {
        let mut files = Vec::new();
        for change in edit["documentChanges"].as_array().unwrap() {
            let uri = change["textDocument"]["uri"].as_str().unwrap();
            let known = self.texts.keys().find(|path| self.same(path, uri)).cloned();
            let path = known.unwrap_or_else(|| {
                let root = self.uri("");
                let path = percent_decoded(uri)
                    .strip_prefix(&percent_decoded(&root))
                    .unwrap()
                    .to_owned();
                self.open(&path);
                path
            });
            self.apply(&path, &change["edits"]);
            files.push(path);
        }
        files
    }

    fn same(&self, path: &str, uri: &str) -> bool {
        percent_decoded(&self.uri(path)) == percent_decoded(uri)
    }

    /// The problems of a file, after everything that was sent so far.
    pub(super) fn problems_of(&mut self, path: &str) -> Vec<Value> {
        // Problems are told when nothing else waits: those of the last text, then those that it touches.
        if let Some(last) = self.last.take() {
            let uri = percent_decoded(&self.uri(&last));
            while self.told.get(&uri) != Some(&self.version) {
                let message = self.connection.receiver.recv_timeout(PATIENCE).unwrap();
                self.hear(message);
            }
            let params = self.document(path);
            self.ask("textDocument/foldingRange", params);
        }
        let wanted = percent_decoded(&self.uri(path));
        let found = self
            .problems
            .iter()
            .find(|(uri, _)| percent_decoded(uri) == wanted);
        found.map_or_else(Vec::new, |(_, all)| all.as_array().unwrap().clone())
    }

    /// An answer with the folder taken out of it, for snapshots.
    pub(super) fn plain(&self, value: &Value) -> String {
        let text = serde_json::to_string_pretty(value).unwrap();
        let root = self.uri("");
        text.replace(root.trim_end_matches('/'), "DIR")
            .replace(&*self.folder.display().to_string(), "DIR")
    }

    pub(super) fn stop(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut left = uri.bytes();
    while let Some(byte) = left.next() {
        match byte {
            b'%' => {
                let digits = [left.next().unwrap(), left.next().unwrap()];
                let digits = std::str::from_utf8(&digits).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap()
}
