//! How long a step took, for the log. No result depends on it.

use std::fmt;
use std::time::{Duration, Instant};

/// Runs from when it is started; printed, it says how long that is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }
}

impl fmt::Display for Stopwatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(self.0.elapsed(), f)
    }
}

/// `340 ms`, `2.71 s`.
fn write_time(time: Duration, f: &mut impl fmt::Write) -> fmt::Result {
    if time < Duration::from_secs(1) {
        write!(f, "{} ms", time.as_millis())
    } else {
        write!(f, "{:.2} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_are_told_in_milliseconds() {
        let told = |milliseconds| {
            let mut text = String::new();
            write_time(Duration::from_millis(milliseconds), &mut text).expect("strings take all");
            text
        };
        assert_eq!(told(7), "7 ms");
        assert_eq!(told(999), "999 ms");
        assert_eq!(told(2_714), "2.71 s");
    }
}
