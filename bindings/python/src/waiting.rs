//! Long work: it runs beside Python, with the interpreter free, and Ctrl-C stops it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::{Failure, What, guarded};

/// How often somebody who waits looks whether Ctrl-C was pressed.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Says that nobody waits for the work any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

/// What unwinds the stack of work that nobody waits for.
struct Stopped;

impl Stop {
    /// True when the work shall end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Ends the work from within a call-back of the library, which cannot return an error: the stack
    /// is unwound without a message.
    pub(crate) fn leave_if_set(&self) {
        if self.is_set() {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// Does long work in a thread of its own and waits for it. An exception of a signal handler
/// (`KeyboardInterrupt`) ends the waiting at once, and the work as soon as it looks.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    what: What,
    work: impl FnOnce(&Stop) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let stop = Stop::default();
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    let own = stop.clone();
    let thread = std::thread::Builder::new().name("arsg".to_owned());
    thread.spawn(move || {
        // Nobody may be waiting any more.
        let _ = sender.send(guarded(|| work(&own)));
    })?;
    loop {
        let told = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(LOOK_EVERY),
            Err(_) => Err(mpsc::RecvTimeoutError::Disconnected),
        });
        match told {
            Ok(done) => return done.map_err(|failure| failure.into_py(py, what)),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let lost = Failure::Panic("a thread ended without an answer".to_owned());
                return Err(lost.into_py(py, what));
            }
        }
        if let Err(interrupt) = py.check_signals() {
            stop.0.store(true, Ordering::Relaxed);
            return Err(interrupt);
        }
    }
}

/// Does work with threads of its own. The library's shared ones would not live on in a process that
/// is forked.
pub(crate) fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::Error(arsg::Error::Setting(error.to_string())))?;
    pool.install(work)
}

/// Short work, with the interpreter free.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    what: What,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let done = py.detach(|| guarded(work));
    done.map_err(|failure| failure.into_py(py, what))
}
