//! `arsg serve`, asked without a browser; `tests/browser` asks it with one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::fixtures::project;
use crate::run::{arsg, command};

/// A server, which ends with the test.
struct Server {
    child: Child,
    address: String,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(folder: &Path) -> Server {
    let mut child = command(folder, &["serve", "--json", "--annotator", "甲"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    let url = told["url"].as_str().unwrap().to_owned();
    let (address, token) = url.split_once("/?token=").unwrap();
    Server {
        child,
        address: address.trim_start_matches("http://").to_owned(),
        token: token.to_owned(),
    }
}

impl Server {
    /// The status and the body of an answer.
    fn ask(&self, request: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head = format!(
            "{request} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn call(&self, name: &str, body: Value) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("Authorization", bearer.as_str())];
        let (status, body) = self.ask(&format!("POST /api/{name}"), &headers, &body.to_string());
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }
}

#[test]
fn only_who_knows_the_token_and_the_name_is_answered() {
    let folder = project();
    let server = start(folder.path());
    assert_eq!(server.ask("GET /", &[], "").0, 401);
    assert_eq!(server.ask("GET /page/app.js", &[], "").0, 401);
    let entered = format!("GET /?token={}", server.token);
    assert_eq!(server.ask(&entered, &[], "").0, 303);
    assert_eq!(
        server.ask(&entered, &[("Host", "rebound.example")], "").0,
        421
    );
    let bearer = format!("Bearer {}", server.token);
    let foreign = [
        ("Authorization", bearer.as_str()),
        ("Origin", "http://other.example"),
    ];
    assert_eq!(server.ask("POST /api/project", &foreign, "{}").0, 403);
    let own = [("Authorization", bearer.as_str())];
    assert_eq!(server.ask("GET /page/..%2fmod.rs", &own, "").0, 404);
    assert_eq!(server.ask("POST /api/project", &own, "{}").0, 200);
    for path in ["../Cargo.toml", "/etc/passwd", "arsg.toml"] {
        assert_eq!(
            server.call("read", json!({ "path": path })).0,
            404,
            "{path}"
        );
    }
}

#[test]
fn what_the_page_did_annotate_goes_on_with() {
    let folder = project();
    let server = start(folder.path());
    let (_, opened) = server.call("open", json!({"id": "oil-stocks-flash"}));
    assert_eq!(opened["basis"], "parse");
    let unlink = json!({"id": "oil-stocks-flash", "version": 0, "act": {"edit": {"unlink": {"node": [1, 1]}}}});
    let (status, after) = server.call("act", unlink.clone());
    assert_eq!(
        (status, after["version"].as_u64()),
        (200, Some(2)),
        "{after}"
    );
    assert_eq!(after["complete"], false);
    // The same again is of an older state.
    assert_eq!(server.call("act", unlink).0, 409);
    let attach = json!({"id": "oil-stocks-flash", "version": 2, "act": {"edit": {"attach":
        {"node": [1, 1], "to": [2, 2], "role": "S", "relation": "attribution-positive"}}}});
    let (status, after) = server.call("act", attach);
    assert_eq!((status, &after["complete"]), (200, &json!(true)), "{after}");
    drop(server);
    let (code, _, notes) = arsg(
        folder.path(),
        &[
            "induce",
            "labels",
            "--decide",
            "counts",
            "-o",
            "out/own.arsg",
        ],
    );
    assert_eq!(code, Some(0), "{notes}");
    assert!(
        folder
            .path()
            .join("labels/oil-stocks-flash.label")
            .is_file()
    );
}

#[test]
fn other_machines_need_a_token_that_is_hard_to_guess() {
    let folder = project();
    let (code, _, said) = arsg(folder.path(), &["serve", "--host", "0.0.0.0"]);
    assert_eq!(code, Some(2), "{said}");
    let (code, _, said) = arsg(
        folder.path(),
        &["serve", "--host", "0.0.0.0", "--token", "short"],
    );
    assert_eq!(code, Some(2), "{said}");
    let (code, _, said) = arsg(folder.path(), &["serve", "nowhere"]);
    assert_eq!(code, Some(1), "{said}");
}
