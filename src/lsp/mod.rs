//! The language server: what [`crate::edit`] answers, in the words of the protocol.
//!
//! One loop takes one message after another, so that no edit ever overtakes another. Problems are told when
//! nothing else waits. There is no thread but those that read and write, and nothing is asked of the network.

mod actions;
mod answers;
mod commands;
mod positions;
mod server;
mod tell;
mod uris;

use lsp_server::Connection;

use crate::error::{Error, Result};

/// Serves an editor over standard input and output until it says goodbye.
pub fn serve_stdio() -> Result<()> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection);
    // The threads end when both ends of their channels are gone.
    let joined = threads
        .join()
        .map_err(|error| Error::read("the editor's messages", error));
    served.and(joined)
}

/// Serves whoever is at the other end of a connection.
pub fn serve(connection: Connection) -> Result<()> {
    match server::Server::start(connection)? {
        Some(server) => server.run(),
        None => Ok(()),
    }
}
