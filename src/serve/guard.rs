//! Who may ask: requests with the token, from this page, to this address.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What the page may do: nothing from elsewhere, no scripts or styles in the text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Knows the address, and the token that requests must bring.
#[derive(Debug)]
pub(super) struct Guard {
    token: String,
    /// What `Host` may say; none where the server answers to any name.
    hosts: Option<Vec<String>>,
    cookie: String,
}

impl Guard {
    pub(super) fn new(own: SocketAddr, token: &str) -> Guard {
        let port = own.port();
        let loopback = own.ip().is_loopback();
        let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let mut hosts = names.to_vec();
        hosts.push(own.to_string());
        let is_one = loopback || !own.ip().is_unspecified();
        Guard {
            token: token.to_owned(),
            hosts: is_one.then_some(hosts),
            cookie: format!("arsg-{port}"),
        }
    }

    /// Why a request is refused, if it is.
    fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if self
            .hosts
            .as_ref()
            .is_some_and(|known| !known.iter().any(|known| known == host))
        {
            return Some((
                StatusCode::MISDIRECTED_REQUEST,
                "this server does not answer to that name",
            ));
        }
        let origin = text(header::ORIGIN);
        let own = format!("http://{host}");
        let is_foreign = origin.is_some_and(|origin| origin != own);
        let site = headers
            .get("sec-fetch-site")
            .and_then(|value| value.to_str().ok());
        let is_cross = matches!(site, Some("cross-site" | "same-site"));
        if is_foreign || (is_cross && *method != Method::GET) {
            return Some((
                StatusCode::FORBIDDEN,
                "requests come from the workbench's own page",
            ));
        }
        None
    }

    /// True when the request brings the token, in its cookie or as a bearer.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut own = cookies
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(name, _)| *name == self.cookie)
            .map(|(_, value)| value);
        bearer.is_some_and(|given| self.is_token(given)) || own.any(|given| self.is_token(given))
    }

    /// Compares without telling by its time how much of it was right.
    fn is_token(&self, given: &str) -> bool {
        let (own, given) = (self.token.as_bytes(), given.as_bytes());
        let differs = own.iter().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b));
        own.len() == given.len() && differs == 0
    }

    /// The answer to the printed address: the token goes into a cookie and out of the address.
    fn entrance(&self, query: &str) -> Option<Response> {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, given) = pairs.find(|(name, _)| *name == "token")?;
        if !self.is_token(given) {
            return None;
        }
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie, self.token
        );
        let mut response = StatusCode::SEE_OTHER.into_response();
        let headers = response.headers_mut();
        headers.insert(header::LOCATION, HeaderValue::from_static("/"));
        headers.insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).ok()?);
        Some(response)
    }
}

/// Stands before everything else.
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let (method, headers) = (request.method(), request.headers());
    let query = request.uri().query().unwrap_or_default();
    let mut response = if let Some((status, why)) = guard.refuses(method, headers) {
        (status, why).into_response()
    } else if let Some(entered) = guard.entrance(query).filter(|_| method == Method::GET) {
        entered
    } else if guard.knows(headers) {
        next.run(request).await
    } else {
        let why = "open the address that `arsg serve` printed, with its token";
        (StatusCode::UNAUTHORIZED, why).into_response()
    };
    harden(&mut response);
    response
}

fn harden(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: &'static str| {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    };
    set("content-security-policy", POLICY);
    set("x-content-type-options", "nosniff");
    set("x-frame-options", "DENY");
    set("referrer-policy", "no-referrer");
    set("cache-control", "no-store");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(([127, 0, 0, 1], 4711).into(), "abc")
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        headers
    }

    #[test]
    fn other_names_and_other_pages_are_refused() {
        let guard = guard();
        let asks = |pairs: &[(&'static str, &str)]| {
            guard
                .refuses(&Method::POST, &headers(pairs))
                .map(|(status, _)| status.as_u16())
        };
        assert_eq!(asks(&[("host", "127.0.0.1:4711")]), None);
        assert_eq!(
            asks(&[
                ("host", "localhost:4711"),
                ("origin", "http://localhost:4711")
            ]),
            None
        );
        assert_eq!(asks(&[("host", "evil.example:4711")]), Some(421));
        assert_eq!(asks(&[("host", "127.0.0.1:4712")]), Some(421));
        assert_eq!(
            asks(&[
                ("host", "127.0.0.1:4711"),
                ("origin", "http://evil.example")
            ]),
            Some(403)
        );
        assert_eq!(
            asks(&[("host", "127.0.0.1:4711"), ("origin", "null")]),
            Some(403)
        );
        assert_eq!(
            asks(&[("host", "127.0.0.1:4711"), ("sec-fetch-site", "cross-site")]),
            Some(403)
        );
    }

    #[test]
    fn only_the_token_opens() {
        let guard = guard();
        assert!(guard.knows(&headers(&[("cookie", "a=b; arsg-4711=abc")])));
        assert!(guard.knows(&headers(&[("authorization", "Bearer abc")])));
        for wrong in ["arsg-4711=abd", "arsg-4711=ab", "arsg-4712=abc", ""] {
            assert!(!guard.knows(&headers(&[("cookie", wrong)])), "{wrong}");
        }
        assert!(guard.entrance("token=abc").is_some());
        assert!(guard.entrance("token=abd").is_none());
        assert!(guard.entrance("").is_none());
    }
}
