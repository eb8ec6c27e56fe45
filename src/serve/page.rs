//! The page: ES modules, styles and pictures that are written here and embedded in the binary.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

macro_rules! files {
    ($($name:literal)*) => {
        /// The files of the page.
        const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("page/", $name)))),*
        ];
    };
}

files! {
    "index.html"
    "style.css"
    "app.js"
    "api.js"
    "words.js"
    "dom.js"
    "texts.js"
    "workspace.js"
    "layout.js"
    "draw.js"
    "outline.js"
    "panel.js"
    "picker.js"
    "steps.js"
    "questions.js"
    "compare.js"
    "grammar.js"
    "summary.js"
    "relations.json"
}

/// A file of the page. A debug build reads it from its folder, so that a change shows on reload.
fn file(name: &str) -> Option<String> {
    let (_, embedded) = FILES.iter().find(|(known, _)| *known == name)?;
    if cfg!(debug_assertions) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/serve/page/");
        let fresh = crate::files::read_text(std::path::Path::new(&format!("{folder}{name}")));
        if let Ok(text) = fresh {
            return Some(text);
        }
    }
    Some((*embedded).to_owned())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "application/json; charset=utf-8",
    }
}

/// `/`
pub(super) async fn index() -> Response {
    answer("index.html")
}

/// `/page/NAME`
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    answer(&name)
}

fn answer(name: &str) -> Response {
    match file(name) {
        Some(text) => ([(header::CONTENT_TYPE, kind(name))], text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}
