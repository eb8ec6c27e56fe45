//! A training on disk: everything that the next epoch depends on and that does not follow from the
//! corpus and the parameters.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Epoch, Moments, Parameters, Trainer};
use crate::diagnostic::{Code, Diagnostic};
use crate::embed::model::{history_tensor, read_history, table_tensors, take_tables};
use crate::embed::store::{self, Stored, Tensor, inconsistent};
use crate::embed::{ROLES, Role};
use crate::error::{Error, Result};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    parameters: Parameters,
    corpora: Vec<String>,
    /// The best epoch so far; 0 for none.
    best: u32,
}

const KIND: &str = "checkpoint";

impl Trainer {
    /// Writes the training to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let header = Header {
            parameters: self.parameters.clone(),
            corpora: self.corpora.clone(),
            best: self.best.as_ref().map_or(0, |(epoch, _)| epoch.epoch),
        };
        let mut tensors = table_tensors("", &self.tables);
        tensors.push(("history".to_owned(), history_tensor(&self.history)));
        for (role, moments) in Role::ALL.into_iter().zip(&self.adam.moments) {
            let steps = Tensor::from_u32(&[moments.steps.len()], moments.steps.iter().copied());
            tensors.push((steps_name(role), steps));
        }
        let moments = self.adam.moments.each_ref();
        let first = moments.map(|moments| moments.first.clone());
        let second = moments.map(|moments| moments.second.clone());
        tensors.extend(table_tensors("first.", &first));
        tensors.extend(table_tensors("second.", &second));
        if let Some((_, tables)) = &self.best {
            tensors.extend(table_tensors("best.", tables));
        }
        store::write(path, KIND, &header, &tensors)
    }

    /// Takes up a training where the file left it. The corpus and the parameters must be those of
    /// the file; only the number of epochs and the patience may have changed.
    pub fn resume(&mut self, path: &Path) -> Result<()> {
        let (header, mut stored): (Header, _) = store::read(path, KIND)?;
        if let Some(difference) = self.difference(&header) {
            let message = format!("`{}` is a checkpoint of {difference}", path.display());
            let help = "begin anew with `--restart`, or call with what it was begun with";
            return Err(Error::Invalid(vec![
                Diagnostic::new(Code::E005, message).help(help),
            ]));
        }
        let rows = self.vocabulary.rows();
        let width = self.parameters.width;
        let history = read_history(&stored.take("history")?)?;
        let tables = take_tables(&mut stored, "", rows, width)?;
        let first = take_tables(&mut stored, "first.", rows, width)?;
        let second = take_tables(&mut stored, "second.", rows, width)?;
        let best = match history.iter().find(|epoch| epoch.epoch == header.best) {
            Some(epoch) => Some((*epoch, take_tables(&mut stored, "best.", rows, width)?)),
            None => None,
        };
        let numbered = |(at, epoch): (usize, &Epoch)| epoch.epoch as usize == at + 1;
        if !history.iter().enumerate().all(numbered) {
            return Err(inconsistent("its epochs are not in order"));
        }
        let mut moments = self.adam.moments.clone();
        let both = first.into_iter().zip(second);
        for ((role, (first, second)), moments) in Role::ALL.into_iter().zip(both).zip(&mut moments)
        {
            let steps = take_steps(&mut stored, role, rows)?;
            *moments = Moments {
                first,
                second,
                steps,
            };
        }
        self.adam.moments = moments;
        self.tables = tables;
        self.history = history;
        self.best = best;
        Ok(())
    }

    fn difference(&self, header: &Header) -> Option<&'static str> {
        let theirs = Parameters {
            epochs: self.parameters.epochs,
            patience: self.parameters.patience,
            ..header.parameters.clone()
        };
        match () {
            () if theirs != self.parameters => Some("a training with other parameters"),
            () if header.corpora != self.corpora => Some("a training on another corpus"),
            () => None,
        }
    }
}

fn steps_name(role: Role) -> String {
    format!("steps.{}", role.as_str())
}

fn take_steps(stored: &mut Stored, role: Role, rows: [usize; ROLES]) -> Result<Vec<u32>> {
    let name = steps_name(role);
    let steps = stored.take(&name)?.to_u32();
    let steps = steps.filter(|steps| steps.len() == rows[role.index()]);
    steps.ok_or_else(|| inconsistent(&format!("`{name}` has another shape")))
}
