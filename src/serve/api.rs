//! What the page asks: one address for each call, JSON in and out.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bench::Bench;
use super::guard::{self, Guard};
use super::messages::{Caller, Refusal};
use super::page;
use crate::error::{Error, Result};

/// The longest request. Texts and treebanks that are dropped on the page are larger than any answer.
const LONGEST: usize = 16 * 1024 * 1024;

type Shared = State<Arc<Bench>>;

/// All addresses.
pub(super) fn router(bench: Arc<Bench>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/page/{name}", get(page::asset))
        .route(
            "/api/project",
            post(|s, h, b| call(s, h, b, Bench::project)),
        )
        .route("/api/texts", post(|s, h, b| call(s, h, b, Bench::texts)))
        .route("/api/open", post(|s, h, b| call(s, h, b, Bench::open)))
        .route("/api/look", post(|s, h, b| call(s, h, b, Bench::look)))
        .route("/api/close", post(|s, h, b| call(s, h, b, Bench::close)))
        .route("/api/act", post(|s, h, b| call(s, h, b, Bench::act)))
        .route(
            "/api/propose",
            post(|s, h, b| call(s, h, b, Bench::propose)),
        )
        .route(
            "/api/suggest",
            post(|s, h, b| call(s, h, b, Bench::suggest)),
        )
        .route(
            "/api/questions",
            post(|s, h, b| call(s, h, b, Bench::questions)),
        )
        .route("/api/why", post(|s, h, b| call(s, h, b, Bench::why)))
        .route("/api/steps", post(|s, h, b| call(s, h, b, Bench::steps)))
        .route("/api/force", post(|s, h, b| call(s, h, b, Bench::force)))
        .route("/api/rule", post(|s, h, b| call(s, h, b, Bench::rule)))
        .route(
            "/api/compare",
            post(|s, h, b| call(s, h, b, Bench::compare)),
        )
        .route("/api/paste", post(|s, h, b| call(s, h, b, Bench::paste)))
        .route("/api/import", post(|s, h, b| call(s, h, b, Bench::import)))
        .route("/api/export", post(|s, h, b| call(s, h, b, Bench::export)))
        .route("/api/files", post(|s, h, b| call(s, h, b, Bench::files)))
        .route("/api/read", post(|s, h, b| call(s, h, b, Bench::read)))
        .route("/api/check", post(|s, h, b| call(s, h, b, Bench::check)))
        .route("/api/effect", post(|s, h, b| call(s, h, b, Bench::effect)))
        .route(
            "/api/complete",
            post(|s, h, b| call(s, h, b, Bench::complete)),
        )
        .route("/api/hover", post(|s, h, b| call(s, h, b, Bench::hover)))
        .route("/api/fix", post(|s, h, b| call(s, h, b, Bench::fix)))
        .route("/api/accept", post(|s, h, b| call(s, h, b, Bench::accept)))
        .route("/api/save", post(|s, h, b| call(s, h, b, Bench::save)))
        .route(
            "/api/summary",
            post(|s, h, b| call(s, h, b, Bench::summary)),
        )
        .layer(DefaultBodyLimit::max(LONGEST))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .with_state(bench)
}

/// Reads what is asked, does it on a thread that may take its time, and writes the answer.
async fn call<Q, A>(
    State(bench): Shared,
    headers: HeaderMap,
    body: Bytes,
    work: fn(&Bench, &Caller, Q) -> Result<A>,
) -> Response
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let asked: Q = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(error) => {
            let problem = crate::json::problem(&error);
            return refusal(&Error::Usage(format!(
                "not what this address takes: {problem}"
            )));
        }
    };
    let caller = Caller::of(
        headers
            .get("x-arsg-name")
            .and_then(|name| name.to_str().ok()),
    );
    let done = tokio::task::spawn_blocking(move || {
        let answer = work(&bench, &caller, asked)?;
        crate::json::line(&answer)
    });
    match done.await {
        Ok(Ok(json)) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(Err(error)) => refusal(&error),
        Err(error) => refusal(&Error::Internal(error.to_string())),
    }
}

fn refusal(error: &Error) -> Response {
    let status = match error {
        Error::Missing(_) => StatusCode::NOT_FOUND,
        Error::Busy(_) | Error::Exists(_) | Error::Duplicate(_) => StatusCode::CONFLICT,
        Error::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Error::Internal(_) | Error::Read { .. } | Error::Write { .. } => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        _ => StatusCode::BAD_REQUEST,
    };
    let json = crate::json::line(&Refusal::of(error)).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}
