//! The paper's four tables as runs over any corpus: [`statistics()`], [`rounds()`], [`labels()`] and
//! [`baselines()`], with seeds and intervals, and [one page](report_page) with all of them.

mod baselines;
mod interval;
mod labels;
mod report;
mod rounds;
mod statistics;
mod table;

pub use baselines::{Baselines, Comparison, baselines};
pub use interval::Interval;
pub use labels::{Labels, labels};
pub use report::{Drawn, report_page};
pub use rounds::{Gold, RoundSettings, rounds};
pub use statistics::statistics;
pub use table::{Picture, Table};

/// The JSON schema of a table.
pub fn json_schema() -> String {
    crate::json::schema::<Table>()
}
