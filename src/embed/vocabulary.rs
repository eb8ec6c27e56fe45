//! Phrases by number, and the cores of a corpus as such numbers.

use rustc_hash::FxHashMap;

use super::{Phrase, Phrases, Quad, ROLES, Role};

/// The phrases of the four roles, numbered from 1 in the order in which they were met; 0 is a
/// missing part.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    roles: [Entries; ROLES],
}

#[derive(Debug, Clone, Default)]
struct Entries {
    /// The phrase with number n stands at n - 1.
    phrases: Vec<(Phrase, u64)>,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// How many phrases a role has.
    pub fn len(&self, role: Role) -> usize {
        self.roles[role.index()].phrases.len()
    }

    /// True when no role has a phrase.
    pub fn is_empty(&self) -> bool {
        self.roles.iter().all(|entries| entries.phrases.is_empty())
    }

    /// The number of a phrase, by its text.
    pub fn number(&self, role: Role, text: &str) -> Option<u32> {
        self.roles[role.index()].numbers.get(text).copied()
    }

    /// The phrase with that number; none for 0.
    pub fn phrase(&self, role: Role, number: u32) -> Option<&Phrase> {
        let at = (number as usize).checked_sub(1)?;
        Some(&self.roles[role.index()].phrases.get(at)?.0)
    }

    /// All phrases of a role in the order of their numbers, each with how often it was met.
    pub fn phrases(&self, role: Role) -> impl ExactSizeIterator<Item = (&Phrase, u64)> {
        self.roles[role.index()]
            .phrases
            .iter()
            .map(|(phrase, count)| (phrase, *count))
    }

    /// Counts a phrase `times` times, under a new number if it has none.
    pub fn add(&mut self, role: Role, phrase: Phrase, times: u64) -> u32 {
        let entries = &mut self.roles[role.index()];
        let text = phrase.text();
        if let Some(number) = entries.numbers.get(text.as_str()) {
            entries.phrases[*number as usize - 1].1 += times;
            return *number;
        }
        entries.phrases.push((phrase, times));
        let number = entries.phrases.len() as u32;
        entries.numbers.insert(text.into_boxed_str(), number);
        number
    }

    /// Rows that the tables need: a row for each phrase, and one for what is missing.
    pub(crate) fn rows(&self) -> [usize; ROLES] {
        Role::ALL.map(|role| self.len(role) + 1)
    }
}

/// The cores of a corpus, as numbers of phrases.
#[derive(Debug, Clone, Default)]
pub struct CoreSet {
    /// What the numbers mean.
    pub vocabulary: Vocabulary,
    /// The cores, text after text.
    pub quads: Vec<Quad>,
    /// How many texts there were.
    pub texts: u64,
    hasher: blake3::Hasher,
}

impl CoreSet {
    /// Cores that go on from the vocabulary of a model: its phrases keep their numbers.
    pub fn continuing(vocabulary: Vocabulary) -> CoreSet {
        CoreSet {
            vocabulary,
            ..CoreSet::default()
        }
    }

    /// Adds the cores of a text.
    pub fn add(&mut self, cores: &[Phrases]) {
        self.texts += 1;
        for core in cores {
            let mut quad = [0; ROLES];
            for ((role, part), number) in Role::ALL.into_iter().zip(core).zip(&mut quad) {
                let spaced = part.as_ref().map_or("", Phrase::spaced);
                self.hasher.update(spaced.as_bytes()).update(b"\t");
                if let Some(phrase) = part {
                    *number = self.vocabulary.add(role, phrase.clone(), 1);
                }
            }
            self.quads.push(quad);
        }
        self.hasher.update(b"\n");
    }

    /// What the corpus was, in 64 hexadecimal digits: the same texts with the same cores.
    pub fn hash(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }

    /// Takes out phrases met fewer than `least` times, except the first `kept` of each role (those
    /// of an earlier model). Their place in a core counts as missing; a core without its state, or
    /// with nothing but its state, is taken out.
    pub fn without_rare(self, least: u64, kept: [usize; ROLES]) -> CoreSet {
        if least <= 1 {
            return self;
        }
        let mut vocabulary = Vocabulary::default();
        let mut renumbered: [Vec<u32>; ROLES] = Default::default();
        for role in Role::ALL {
            let numbers = &mut renumbered[role.index()];
            numbers.push(0);
            for (at, (phrase, count)) in self.vocabulary.phrases(role).enumerate() {
                numbers.push(if count >= least || at < kept[role.index()] {
                    vocabulary.add(role, phrase.clone(), count)
                } else {
                    0
                });
            }
        }
        let quads = self.quads.iter().map(|quad| -> Quad {
            std::array::from_fn(|role| renumbered[role][quad[role] as usize])
        });
        let quads = quads
            .filter(|[time, agent, object, state]| *state != 0 && (time | agent | object) != 0)
            .collect();
        CoreSet {
            vocabulary,
            quads,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(parts: [&str; ROLES]) -> Phrases {
        parts.map(|part| Phrase::new([part]))
    }

    #[test]
    fn phrases_are_numbered_as_they_come_and_missing_parts_are_zero() {
        let mut set = CoreSet::default();
        set.add(&[
            core(["2019-09", "", "黄金价格", "上涨"]),
            core(["2019-09", "央行", "利率", "下调"]),
        ]);
        set.add(&[core(["", "央行", "黄金价格", "上涨"])]);
        assert_eq!(set.quads, [[1, 0, 1, 1], [1, 1, 2, 2], [0, 1, 1, 1]]);
        assert_eq!(set.vocabulary.number(Role::Object, "利率"), Some(2));
        assert_eq!(set.texts, 2);
    }

    #[test]
    fn rare_phrases_are_taken_out_and_the_rest_closes_up() {
        let mut set = CoreSet::default();
        set.add(&[
            core(["", "央行", "利率", "下调"]),
            core(["", "工行", "金价", "上涨"]),
            core(["", "央行", "金价", "上涨"]),
            core(["", "工商局", "罚款", "上涨"]),
        ]);
        let set = set.without_rare(2, [0; ROLES]);
        // 下调 is rare, so its core goes; 工商局 and 罚款 are rare, so only 上涨 would be left.
        assert_eq!(set.quads, [[0, 0, 1, 1], [0, 1, 1, 1]]);
        assert_eq!(set.vocabulary.number(Role::Agent, "央行"), Some(1));
        assert_eq!(set.vocabulary.number(Role::Agent, "工行"), None);
    }

    #[test]
    fn the_hash_tells_corpora_apart() {
        let set = |texts: &[&[Phrases]]| {
            let mut set = CoreSet::default();
            texts.iter().for_each(|text| set.add(text));
            set.hash()
        };
        let one = core(["", "央行", "利率", "下调"]);
        let other = core(["", "央行", "", "利率下调"]);
        assert_eq!(
            set(&[std::slice::from_ref(&one)]),
            set(&[std::slice::from_ref(&one)])
        );
        assert_ne!(
            set(&[std::slice::from_ref(&one)]),
            set(&[std::slice::from_ref(&other)])
        );
        let both = [one.clone(), other.clone()];
        assert_ne!(set(&[&both]), set(&[&both[..1], &both[1..]]));
    }
}
