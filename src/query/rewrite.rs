//! Relations of trees changed by rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::bank::{Bank, Treebank};
use crate::automaton::cases::is_case_file;
use crate::error::{Error, Result};
use crate::files;
use crate::grammar::{Relabelling, RelationPattern, Wanted};
use crate::schema::Schema;
use crate::tree::{DeclaredRelation, Format, NodeId, Roles, Tree, UNLABELLED, WriteOptions, write};

/// A change of one node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeChange {
    /// The text's id.
    pub id: String,
    /// The node's EDUs: `3-5`.
    pub edus: String,
    /// What it was: `causal-cause SN`.
    pub from: String,
    /// What it becomes.
    pub to: String,
    /// The number of the change that says so, from 1.
    pub change: usize,
    /// Why it cannot be; nothing where it is done.
    pub refused: Option<String>,
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    /// The file.
    pub file: PathBuf,
    /// Its trees as they become.
    pub trees: Vec<Tree>,
    /// What changes in them, in the order of the texts.
    pub changes: Vec<TreeChange>,
}

/// What changes do to trees.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewriting {
    /// The files, in their order.
    pub files: Vec<FileChange>,
    /// The changes as written, each with how often it was done and how often refused.
    pub rules: Vec<(String, usize, usize)>,
    /// Trees that are no files of their own and stay as they are, a line each.
    pub notes: Vec<String>,
}

/// Applies changes to all trees of a treebank. Of several changes that fit a node the first one is taken;
/// conditions speak of the trees as they were.
pub fn rewrite(bank: &Treebank, rules: &[Relabelling]) -> Rewriting {
    let mut rewriting = Rewriting {
        files: Vec::new(),
        rules: rules.iter().map(|rule| (rule.text(), 0, 0)).collect(),
        notes: Vec::new(),
    };
    let mut cases = 0;
    for own in &bank.banks {
        if is_case_file(&own.file) {
            cases += 1;
            continue;
        }
        let (tree, changes) = rewrite_tree(bank, own, rules);
        for change in &changes {
            if let Some((_, done, refused)) = rewriting.rules.get_mut(change.change - 1) {
                match change.refused {
                    None => *done += 1,
                    Some(_) => *refused += 1,
                }
            }
        }
        match rewriting
            .files
            .last_mut()
            .filter(|last| last.file == own.file)
        {
            Some(last) => {
                last.trees.push(tree);
                last.changes.extend(changes);
            }
            None => rewriting.files.push(FileChange {
                file: own.file.clone(),
                trees: vec![tree],
                changes,
            }),
        }
    }
    if cases > 0 {
        rewriting.notes.push(format!(
            "regression cases are left as they are ({cases}): change the rules, then `arsg test -u`"
        ));
    }
    rewriting
}

fn rewrite_tree(bank: &Treebank, own: &Bank, rules: &[Relabelling]) -> (Tree, Vec<TreeChange>) {
    let asked = &own.asked;
    let mut tree = asked.tree().clone();
    let mut changes: Vec<(NodeId, TreeChange)> = Vec::new();
    for node in asked.nodes(false) {
        let fits = |rule: &&Relabelling| {
            let condition = rule.query.condition.as_ref();
            bank.fits(&rule.query, asked, node)
                && condition.is_none_or(|condition| condition.holds(&asked.facts(node)))
        };
        let Some((number, rule)) = rules.iter().enumerate().find(|(_, rule)| fits(rule)) else {
            continue;
        };
        let Some(pair) = asked.tree().node(node).pair() else {
            continue;
        };
        let roles = rule.roles.unwrap_or(pair.roles);
        if pair.relation.as_ref() == Some(&rule.relation) && roles == pair.roles {
            continue;
        }
        let refused = match misfit(&rule.relation, roles, &bank.schema) {
            Some(why) => Some(why),
            None if tree.relabel(node, &rule.relation, roles) => None,
            None => Some("a node of three nuclei or more keeps its roles".to_owned()),
        };
        let name = pair.relation.as_deref().unwrap_or(UNLABELLED);
        changes.push((
            node,
            TreeChange {
                id: own.id().to_owned(),
                edus: asked.tree().node(node).span().to_string(),
                from: format!("{name} {}", pair.roles),
                to: format!("{} {roles}", rule.relation),
                change: number + 1,
                refused,
            },
        ));
    }
    changes.sort_by_key(|(node, _)| {
        let span = asked.tree().node(*node).span();
        (span.start, std::cmp::Reverse(span.end))
    });
    if changes.iter().any(|(_, change)| change.refused.is_none()) {
        declare(&mut tree, rules, &bank.schema);
    }
    (
        tree,
        changes.into_iter().map(|(_, change)| change).collect(),
    )
}

/// Why a relation of the schema cannot have such roles.
fn misfit(relation: &str, roles: Roles, schema: &Schema) -> Option<String> {
    // What was found in trees alone has no kind that anybody declared.
    let known = schema
        .rhetoric(relation)
        .filter(|known| known.place.is_some())?;
    (!roles.fit(known.kind)).then(|| {
        let usual = Roles::usual(known.kind);
        format!(
            "`{relation}` is not {roles}: say which roles the nodes get (`to {relation} {usual}`)"
        )
    })
}

/// Brings the header up to date: a relation that is renamed everywhere gives its place to the new one.
fn declare(tree: &mut Tree, rules: &[Relabelling], schema: &Schema) {
    let declared = &mut tree.annotations.relations;
    for rule in rules {
        let Wanted::Joins(pattern) = &rule.query.wanted else {
            continue;
        };
        let renames = rule.query.condition.is_none() && pattern.roles.is_none();
        let RelationPattern::One(old) = pattern.relation else {
            continue;
        };
        let old = schema.rhetoric_of(old).map(|old| old.name.as_str());
        let at = declared.iter().position(|known| Some(&*known.name) == old);
        let (true, Some(at)) = (renames, at) else {
            continue;
        };
        if declared.iter().any(|known| known.name == rule.relation) {
            declared.remove(at);
        } else if let Some(known) = declared.get_mut(at) {
            let kind = known.kind.clone();
            let name = Arc::clone(&rule.relation);
            *known = DeclaredRelation { name, kind };
        }
    }
}

impl Rewriting {
    /// How many nodes change.
    pub fn done(&self) -> usize {
        self.rules.iter().map(|(_, done, _)| done).sum()
    }

    /// How many changes cannot be.
    pub fn refused(&self) -> usize {
        self.rules.iter().map(|(_, _, refused)| refused).sum()
    }

    /// Writes all files to the same places below a folder. Files in which nothing changes are copied byte
    /// for byte. `inputs` are the files and folders that were named.
    pub fn save(&self, inputs: &[PathBuf], folder: &Path) -> Result<usize> {
        let mut taken: BTreeMap<PathBuf, &Path> = BTreeMap::new();
        for change in &self.files {
            let place = folder.join(below(&change.file, inputs));
            if let Some(other) = taken.insert(place.clone(), &change.file) {
                return Err(Error::Exists(format!(
                    "`{}` and `{}` would both be written to `{}`",
                    other.display(),
                    change.file.display(),
                    place.display()
                )));
            }
        }
        for (place, file) in &taken {
            let Some(change) = self.files.iter().find(|change| change.file == **file) else {
                continue;
            };
            if let Some(parent) = place.parent() {
                files::disk::make_folder(parent)?;
            }
            let is_changed = change.changes.iter().any(|change| change.refused.is_none());
            if is_changed {
                files::replace(place, change.text()?.as_bytes())?;
            } else {
                files::replace(place, &files::read_bytes(file)?)?;
            }
        }
        Ok(taken.len())
    }
}

impl FileChange {
    /// The trees in the format of their file.
    pub fn text(&self) -> Result<String> {
        let bytes = files::read_bytes(&self.file)?;
        let format = match Format::from_extension(&self.file) {
            Some(format) => format,
            None => Format::from_content(&String::from_utf8_lossy(&bytes)),
        };
        let texts = self.trees.iter().map(|tree| {
            let mut tree = tree.clone();
            // A file of one tree gives it its name; only formats that had an id keep it.
            if !format.holds_many() {
                tree.id = None;
            }
            write(&tree, format, &WriteOptions::default())
        });
        let between = if format == Format::Json { "" } else { "\n" };
        Ok(texts.collect::<Vec<_>>().join(between))
    }
}

/// The path of a file below the folder that was named, or its name alone.
fn below(file: &Path, inputs: &[PathBuf]) -> PathBuf {
    let inside = inputs.iter().filter(|input| input.is_dir());
    let mut found = inside.filter_map(|input| file.strip_prefix(input).ok());
    match found.next() {
        Some(below) => below.to_owned(),
        None => file.file_name().map(PathBuf::from).unwrap_or_default(),
    }
}
