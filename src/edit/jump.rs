//! Where things are declared and used, and how they get another name.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::names::{Mention, Thing};
use super::workspace::{FileKind, Workspace, named_file};
use crate::diagnostic::Place;
use crate::error::{Error, Result};
use crate::files::sources::normalize;
use crate::grammar::functions::FUNCTIONS;
use crate::grammar::is_on_shelf;
use crate::grammar::syntax::RESERVED;
use crate::schema::{Name, Schema, is_name, key};

/// A stretch of a file, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub range: Range<usize>,
}

impl Ord for Spot {
    fn cmp(&self, other: &Spot) -> Ordering {
        let key = |spot: &Spot| (spot.range.start, spot.range.end);
        let paths = self.path.cmp(&other.path);
        paths.then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Spot {
    fn partial_cmp(&self, other: &Spot) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Spot {
    /// A place of a diagnostic, which names its file.
    pub fn of(place: &Place) -> Spot {
        Spot {
            path: normalize(Path::new(place.source().name())),
            range: place.range(),
        }
    }
}

/// What to put in the place of a stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Edit {
    /// Where.
    #[serde(flatten)]
    pub spot: Spot,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Puts a text in the place of a stretch.
    pub(super) fn new(path: &Path, range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit {
            spot: Spot {
                path: path.to_owned(),
                range,
            },
            text: text.into(),
        }
    }
}

/// A text after edits that do not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.spot.range.start, edit.spot.range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in sorted {
        let Range { start, end } = edit.spot.range;
        if let Some(kept) = text.get(at..start) {
            out.push_str(kept);
            out.push_str(&edit.text);
            at = end.max(start);
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Where a schema declares something.
pub(super) fn declaration(schema: &Schema, thing: &Thing) -> Option<Place> {
    match thing {
        Thing::Symbol(name) => {
            let id = schema.relation(name)?;
            schema.relations.get(id.0 as usize)?.place.clone()
        }
        Thing::Relation(name) => schema.rhetoric(name)?.place.clone(),
        Thing::Class(name) => {
            let mut relations = schema.rhetoric.iter();
            relations.find(|own| own.class == *name)?.place.clone()
        }
        Thing::Attribute(name) => schema.attribute(name)?.place.clone(),
        Thing::Cue(name) => schema.cue(name)?.place.clone(),
        Thing::Concept(name) => {
            let mut concepts = schema.concepts.iter();
            concepts.find(|own| own.name == *name)?.place.clone()
        }
        _ => None,
    }
}

impl Workspace {
    /// Where what stands at a byte is declared: a name in its schema or its rule, a path at the start of its
    /// file.
    pub fn definition(&mut self, path: &Path, at: usize) -> Option<Spot> {
        let mention = self.mention_at(path, at)?;
        if let Some(file) = named_file(path, &mention.thing) {
            self.text(&file)?;
            return Some(Spot {
                path: file,
                range: 0..0,
            });
        }
        if let Thing::Rule(_) = mention.thing {
            return Some(Spot {
                path: normalize(path),
                range: mention.range,
            });
        }
        let schema = self.schema_of(path);
        let place = declaration(&schema, &mention.thing)?;
        let mut spot = Spot::of(&place);
        // The quotes around a Chinese name are not part of it.
        let declared = self.mentions(&spot.path).into_iter();
        let mut inside = declared.filter(|own| own.declares && own.thing == mention.thing);
        if let Some(own) = inside.next() {
            spot.range = own.range;
        }
        Some(spot)
    }

    /// All places that name what stands at a byte, in files that share its vocabulary, sorted; the
    /// declaration is left out unless it is asked for.
    pub fn references(&mut self, path: &Path, at: usize, with_declaration: bool) -> Vec<Spot> {
        let Some(mention) = self.mention_at(path, at) else {
            return Vec::new();
        };
        let found = self.uses_of(path, &mention.thing);
        let wanted = found
            .into_iter()
            .filter(|(_, own)| with_declaration || !own.declares);
        wanted
            .map(|(path, own)| Spot {
                path,
                range: own.range,
            })
            .collect()
    }

    /// Where a file names what stands at a byte, the byte's own word among them.
    pub fn same_names(&mut self, path: &Path, at: usize) -> Vec<Range<usize>> {
        let Some(mention) = self.mention_at(path, at) else {
            return Vec::new();
        };
        let all = self.mentions(path).into_iter();
        let same = all.filter(|own| own.thing == mention.thing);
        same.map(|own| own.range).collect()
    }

    pub(super) fn uses_of(&mut self, path: &Path, thing: &Thing) -> Vec<(PathBuf, Mention)> {
        let mut found = Vec::new();
        for file in self.family(path, thing) {
            let own = self.mentions(&file).into_iter();
            let same = own.filter(|mention| mention.thing == *thing);
            found.extend(same.map(|mention| (file.clone(), mention)));
        }
        found
    }

    /// The name at a byte that can be changed, and where it stands. An error says why it cannot.
    pub fn prepare_rename(&mut self, path: &Path, at: usize) -> Result<(Range<usize>, String)> {
        let mention = self
            .mention_at(path, at)
            .ok_or_else(|| Error::Usage("there is no name here".to_owned()))?;
        self.may_rename(path, &mention.thing)?;
        Ok((mention.range, mention.thing.name().to_owned()))
    }

    fn may_rename(&mut self, path: &Path, thing: &Thing) -> Result<()> {
        let name = thing.name();
        let refuse = |why: String| Err(Error::Usage(why));
        match thing {
            Thing::Rule(_) => return Ok(()),
            thing if thing.is_of_schema() => {}
            Thing::Module(_) | Thing::Schema(_) => {
                return refuse(format!("`{name}` is the path of a file: rename the file"));
            }
            _ => {
                let noun = thing.noun();
                return refuse(format!("`{name}` is a {noun}: it cannot be renamed"));
            }
        }
        let schema = self.schema_of(path);
        let Some(place) = declaration(&schema, thing) else {
            let noun = thing.noun();
            return refuse(format!("the schema declares no {noun} `{name}`"));
        };
        let home = normalize(Path::new(place.source().name()));
        let uses = self.uses_of(path, thing);
        if let Some((file, _)) = uses.iter().find(|(file, _)| is_on_shelf(file)) {
            let file = file.display();
            return refuse(format!(
                "`{name}` stands in `{file}`, which ships with arsg and cannot be changed"
            ));
        }
        if is_on_shelf(&home) {
            let home = home.display();
            return refuse(format!(
                "`{name}` is declared in `{home}`, which ships with arsg and cannot be changed"
            ));
        }
        Ok(())
    }

    /// What to change so that what stands at a byte gets another name everywhere. Refused where the name
    /// could not be written, or is taken.
    pub fn rename(&mut self, path: &Path, at: usize, new_name: &str) -> Result<Vec<Edit>> {
        let (_, old) = self.prepare_rename(path, at)?;
        if old == new_name {
            return Ok(Vec::new());
        }
        let Some(mention) = self.mention_at(path, at) else {
            return Ok(Vec::new());
        };
        let thing = mention.thing;
        self.check_new_name(path, &thing, new_name)?;
        let mut edits = BTreeSet::new();
        for (file, own) in self.uses_of(path, &thing) {
            edits.insert(self.renaming(&file, &own, new_name));
        }
        Ok(edits.into_iter().collect())
    }

    /// One place with its new name; a key of TOML gets quotes where the name needs them.
    fn renaming(&mut self, file: &Path, own: &Mention, new_name: &str) -> Edit {
        let mut text = new_name.to_owned();
        if own.declares && FileKind::of(file) == FileKind::Schema {
            let source = self.text(file);
            let before = own.range.start.checked_sub(1);
            let quoted = before.zip(source).is_some_and(|(at, source)| {
                let quote = source.text().get(at..own.range.start);
                matches!(quote, Some("\"" | "'"))
            });
            if !quoted {
                text = key(new_name);
            }
        }
        Edit::new(file, own.range.clone(), text)
    }

    fn check_new_name(&mut self, path: &Path, thing: &Thing, new_name: &str) -> Result<()> {
        let refuse = |why: String| Err(Error::Usage(why));
        if !is_name(new_name) {
            return refuse(format!(
                "`{new_name}` cannot be a name: it begins with a letter and has letters, digits, `-` and `_`"
            ));
        }
        let takes_keywords = matches!(thing, Thing::Rule(_) | Thing::Cue(_));
        if RESERVED.contains(&new_name) && !takes_keywords {
            return refuse(format!("`{new_name}` is a word of the language"));
        }
        if let Thing::Rule(_) = thing {
            let checked = self.checked(path);
            let taken = checked.is_some_and(|checked| {
                let grammar = &checked.loaded.grammar;
                let mut tables = grammar.tables.iter();
                grammar.rule(new_name).is_some() || tables.any(|t| *t.rule.id == *new_name)
            });
            return if taken {
                refuse(format!("another rule is called `{new_name}` already"))
            } else {
                Ok(())
            };
        }
        let schema = self.schema_of(path);
        let taken = match thing {
            Thing::Cue(_) => schema.cue(new_name).map(|_| "cue class"),
            Thing::Class(_) => {
                let mut relations = schema.rhetoric.iter();
                relations
                    .any(|own| own.class == new_name)
                    .then_some("class of relations")
            }
            _ => schema.lookup(new_name).map(|name| match name {
                Name::Relation(_) => "domain relation",
                Name::Concept(_) => "concept",
                Name::Rhetoric(_) => "rhetorical relation",
                Name::Attribute(_) => "attribute",
            }),
        };
        if let Some(noun) = taken {
            return refuse(format!("the schema has a {noun} `{new_name}` already"));
        }
        let is_function = FUNCTIONS.iter().any(|function| function.name == new_name);
        if is_function && matches!(thing, Thing::Attribute(_)) {
            return refuse(format!("`{new_name}` is a function of the language"));
        }
        Ok(())
    }
}
