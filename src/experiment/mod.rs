//! The paper's tables as runs over any corpus: [`tabulate_statistics`], [`tabulate_rounds`],
//! [`Bench::tabulate_sizes`], [`tabulate_labels`], [`tabulate_baselines`] and [`tabulate_references`], with seeds and intervals, and
//! [one page](report_page) with all of them. A [`Bench`] reads and parses the texts once and runs all.

mod baselines;
mod bench;
mod interval;
mod labels;
mod material;
mod references;
mod report;
mod rounds;
mod sizes;
mod statistics;
mod table;

pub use baselines::{Baselines, Comparison, tabulate_baselines};
pub use bench::{Bench, REPORT_PAGE};
pub use interval::Interval;
pub use labels::{Labels, tabulate_labels};
pub use material::Material;
pub use references::{Contestant, References, Trees, tabulate_references};
pub use report::{Drawn, report_page};
pub use rounds::{GoldLabels, RoundSettings, tabulate_rounds};
pub use sizes::Sizes;
pub use statistics::tabulate_statistics;
pub use table::{Picture, Table};

/// The JSON schema of a table.
pub fn json_schema() -> String {
    crate::json::schema::<Table>()
}
