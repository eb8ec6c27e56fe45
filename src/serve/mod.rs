//! The workbench: a page in the browser to see, correct and explain trees, and to grow a grammar.
//!
//! [`serve`] answers on one address until it is told to stop. Everything that the page shows comes from the
//! library by way of a [`Bench`]; everything that a person does is in a label's journal before the page shows
//! it as done. Each message has a JSON schema ([`json_schemas`]); `docs/workbench.md` lists them.

mod api;
mod bench;
mod compare;
mod desk;
mod editor;
mod grammars;
mod guard;
mod messages;
mod page;
mod reasons;
mod repairs;
mod shelf;
mod trade;
mod view;

pub use bench::Bench;
pub use messages::json_schemas;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use crate::error::{Error, Result};

/// Where and how to serve.
#[derive(Debug, Clone)]
pub struct Address {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// What every request must bring along.
    pub token: String,
}

/// Serves a bench until the process is told to stop. `ready` is told the address to open.
pub fn serve(bench: Bench, address: &Address, ready: impl FnOnce(&str)) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Error::Internal(format!("no threads to serve with: {error}")))?;
    runtime.block_on(listen(bench, address, ready))
}

async fn listen(bench: Bench, address: &Address, ready: impl FnOnce(&str)) -> Result<()> {
    let wanted = SocketAddr::new(address.host, address.port);
    let taken = |error: std::io::Error| {
        Error::Busy(format!(
            "cannot listen on {wanted}: {error}; `--port` takes another port"
        ))
    };
    let listener = tokio::net::TcpListener::bind(wanted).await.map_err(taken)?;
    let own = listener.local_addr().map_err(taken)?;
    let guard = Arc::new(guard::Guard::new(own, &address.token));
    let bench = Arc::new(bench);
    bench.measure();
    let app = api::router(Arc::clone(&bench), guard);
    let token = &address.token;
    ready(&format!("http://{own}/?token={token}"));
    let stopped = axum::serve(listener, app).with_graceful_shutdown(stop_asked());
    // Tabs that stay open do not keep a server that was told to stop.
    tokio::select! {
        served = stopped => served.map_err(|error| Error::Internal(error.to_string())),
        () = stop_and_wait() => Ok(()),
    }
}

async fn stop_asked() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// How long a server that was told to stop finishes what it is doing.
const GRACE: std::time::Duration = std::time::Duration::from_secs(2);

async fn stop_and_wait() {
    stop_asked().await;
    tokio::time::sleep(GRACE).await;
}
