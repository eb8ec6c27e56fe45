//! Profiles over time: a line for each commit, in a file under version control.

use serde::{Deserialize, Serialize};

use super::Profile;
use crate::plot::{Chart, Layer};

/// What is kept of a profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryLine {
    /// The commit, short.
    pub commit: String,
    /// The day of the commit.
    pub date: String,
    /// The grammar's name.
    pub grammar: String,
    /// Rules and tables.
    pub rules: usize,
    /// The share of them that spoke, in percent.
    pub coverage: f64,
    /// Gold texts.
    pub texts: usize,
    /// Spans.
    pub s: f64,
    /// Spans with nuclearity.
    pub n: f64,
    /// Spans with the class of their relation.
    pub r: f64,
    /// Regression cases that pass.
    pub passed: usize,
    /// All regression cases.
    pub cases: usize,
    /// EDUs parsed in a second, on the machine of that day: no two lines are compared by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edus_per_second: Option<u64>,
}

/// The lines of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    /// From the oldest to the newest.
    pub lines: Vec<HistoryLine>,
}

/// Two digits are enough, and keep diffs small.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

impl HistoryLine {
    /// What is kept of a profile at a commit.
    pub fn new(profile: &Profile, commit: &str, date: &str, speed: Option<u64>) -> HistoryLine {
        HistoryLine {
            commit: commit.to_owned(),
            date: date.to_owned(),
            grammar: profile.grammar.clone(),
            rules: profile.rules.len(),
            coverage: rounded(profile.coverage()),
            texts: profile.texts,
            s: rounded(profile.scores.s),
            n: rounded(profile.scores.n),
            r: rounded(profile.scores.r),
            passed: profile.cases.0,
            cases: profile.cases.1,
            edus_per_second: speed,
        }
    }
}

impl History {
    /// Reads the lines of a file; what is no line is passed over.
    pub fn read(text: &str) -> History {
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        History {
            lines: lines.collect(),
        }
    }

    /// Adds a line; one of the same commit takes the place of the older one.
    pub fn add(&mut self, line: HistoryLine) {
        match self.lines.last_mut() {
            Some(last) if last.commit == line.commit && last.grammar == line.grammar => {
                *last = line
            }
            _ => self.lines.push(line),
        }
    }

    /// The file as it becomes.
    pub fn to_lines(&self) -> String {
        let lines = self
            .lines
            .iter()
            .filter_map(|line| serde_json::to_string(line).ok());
        lines.map(|line| line + "\n").collect()
    }

    /// A small drawing for the terminal: S, N and R over the last commits, a bar each.
    pub fn draw_text(&self) -> String {
        let from = self.lines.len().saturating_sub(COLUMNS);
        let lines = self.lines.get(from..).unwrap_or_default();
        let mut out = String::new();
        for (name, value) in MEASURES {
            let bars: String = lines.iter().map(|line| bar(value(line))).collect();
            let (first, last) = (lines.first().map(value), lines.last().map(value));
            out.push_str(&format!(
                "{name} {:>5.1} {bars} {:.1}\n",
                first.unwrap_or_default(),
                last.unwrap_or_default()
            ));
        }
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            let (from, to) = (&first.commit, &last.commit);
            out.push_str(&format!(
                "  {from} ({}) to {to} ({})\n",
                first.date, last.date
            ));
        }
        out
    }

    /// The same as a chart.
    pub fn draw_svg(&self) -> String {
        let mut chart = Chart::new("S, N and R over commits", "commit", "F1 (%)");
        for (name, value) in MEASURES {
            let points = self.lines.iter().enumerate();
            let points = points.map(|(at, line)| (at as f64 + 1.0, value(line)));
            chart = chart.with(Layer::line(name, points.collect()));
        }
        chart.to_svg()
    }
}

/// A figure of a line.
type Measure = fn(&HistoryLine) -> f64;

/// What is drawn.
const MEASURES: [(&str, Measure); 3] = [
    ("S", |line| line.s),
    ("N", |line| line.n),
    ("R", |line| line.r),
];
/// So many commits are drawn.
const COLUMNS: usize = 60;
/// From nothing to all, eight steps.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar for a share in percent.
fn bar(percent: f64) -> char {
    let step = (percent / 100.0 * BARS.len() as f64) as usize;
    BARS[step.min(BARS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(commit: &str, s: f64) -> HistoryLine {
        HistoryLine {
            commit: commit.to_owned(),
            date: "2024-01-02".to_owned(),
            grammar: "新闻".to_owned(),
            rules: 3,
            coverage: 50.0,
            texts: 2,
            s,
            n: 50.0,
            r: 40.0,
            passed: 1,
            cases: 2,
            edus_per_second: None,
        }
    }

    #[test]
    fn a_commit_has_one_line_and_the_file_comes_back_as_it_was() {
        let mut history = History::default();
        history.add(line("aaa", 80.0));
        history.add(line("bbb", 81.0));
        history.add(line("bbb", 90.0));
        assert_eq!(history.lines.len(), 2);
        let written = history.to_lines();
        assert_eq!(History::read(&written), history);
        assert_eq!(History::read(&format!("no line\n{written}")), history);
        let drawn = history.draw_text();
        assert!(drawn.starts_with("S  80.0 ▇█ 90.0\n"), "{drawn}");
        assert!(history.draw_svg().contains("<svg"));
    }
}
