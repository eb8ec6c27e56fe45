//! What the demo shows.

/// A step of the demo: what happens, why, and what came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DemoStep {
    /// What happens, in a few words.
    pub title: String,
    /// Why, in one line.
    pub why: String,
    /// What came of it, as text for a terminal.
    pub text: String,
    /// What came of it, as pictures.
    pub pictures: Vec<DemoPicture>,
}

/// A picture of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoPicture {
    /// What it shows.
    pub caption: String,
    /// The picture, as SVG.
    pub svg: String,
}

impl DemoStep {
    /// A step of which nothing has come yet.
    pub(super) fn new(title: &str, why: &str) -> DemoStep {
        DemoStep {
            title: title.to_owned(),
            why: why.to_owned(),
            ..DemoStep::default()
        }
    }

    /// Adds a line of text.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// Adds a picture.
    pub(super) fn picture(&mut self, caption: impl Into<String>, svg: String) {
        let caption = caption.into();
        self.pictures.push(DemoPicture { caption, svg });
    }
}
