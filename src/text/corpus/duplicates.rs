//! Texts that have been seen before, word for word or nearly.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// How a text repeats an earlier one.
#[derive(Debug, Clone, PartialEq)]
pub enum Duplicate {
    /// The same characters.
    Exact {
        /// The id of the earlier text.
        of: String,
    },
    /// Nearly the same characters.
    Near {
        /// The id of the earlier text.
        of: String,
        /// The estimated share of common character 4-grams (Jaccard).
        similarity: f32,
    },
}

/// Remembers texts by signatures: about 350 bytes each, so that a million texts fit in memory.
///
/// Near duplicates are found by one-permutation minhashing of character 4-grams: texts whose
/// signatures agree in a whole band are compared, and count as near from a likeness of 0.75 on.
#[derive(Debug, Default)]
pub struct Duplicates {
    ids: Vec<String>,
    signatures: Vec<Signature>,
    exact: FxHashMap<u64, u32>,
    bands: FxHashMap<(u8, u64), u32>,
}

const BINS: usize = 64;
const ROWS_PER_BAND: usize = 4;
const GRAM: usize = 4;
/// Estimated Jaccard similarity from which two texts are nearly the same.
const NEAR: f32 = 0.75;
/// Shorter texts have too few 4-grams for an estimate.
const SHORTEST: usize = 60;

type Signature = [u32; BINS];
const EMPTY: u32 = u32::MAX;

impl Duplicates {
    /// Looks whether `text` repeats an earlier text, then remembers it.
    pub fn check(&mut self, id: &str, text: &str) -> Option<Duplicate> {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let whole = hash_letters(&letters);
        let number = self.ids.len() as u32;
        if let Some(&earlier) = self.exact.get(&whole) {
            let of = self.ids[earlier as usize].clone();
            return Some(Duplicate::Exact { of });
        }
        self.exact.insert(whole, number);
        self.ids.push(id.to_owned());
        let signature = sign(&letters);
        self.signatures.push(signature);
        if letters.len() < SHORTEST {
            return None;
        }
        let mut best: Option<(f32, u32)> = None;
        for (band, rows) in signature.chunks(ROWS_PER_BAND).enumerate() {
            if rows.contains(&EMPTY) {
                continue;
            }
            let mut hasher = FxHasher::default();
            rows.iter().for_each(|&row| hasher.write_u32(row));
            let key = (band as u8, hasher.finish());
            let earlier = *self.bands.entry(key).or_insert(number);
            if earlier != number {
                let similarity = agreement(&signature, &self.signatures[earlier as usize]);
                if best.is_none_or(|(highest, _)| similarity > highest) {
                    best = Some((similarity, earlier));
                }
            }
        }
        let (similarity, earlier) = best.filter(|(similarity, _)| *similarity >= NEAR)?;
        let of = self.ids[earlier as usize].clone();
        Some(Duplicate::Near { of, similarity })
    }
}

fn hash_letters(letters: &[char]) -> u64 {
    let mut hasher = FxHasher::default();
    letters
        .iter()
        .for_each(|&letter| hasher.write_u32(letter as u32));
    mix(hasher.finish())
}

fn sign(letters: &[char]) -> Signature {
    let mut signature = [EMPTY; BINS];
    for gram in letters.windows(GRAM) {
        let hash = hash_letters(gram);
        let bin = (hash >> 58) as usize;
        signature[bin] = signature[bin].min(hash as u32);
    }
    signature
}

/// FxHash leaves patterns in its low bits; this spreads them.
fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

/// The share of bins, filled in both, that agree: an estimate of the Jaccard similarity.
fn agreement(a: &Signature, b: &Signature) -> f32 {
    let both = a
        .iter()
        .zip(b)
        .filter(|(x, y)| **x != EMPTY || **y != EMPTY);
    let (same, all) = both.fold((0, 0), |(same, all), (x, y)| {
        (same + u32::from(x == y), all + 1)
    });
    same as f32 / all.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEWS: &str = "海川市统计局周一公布，上半年全市生产总值同比增长五点二个百分点，其中第三产业贡献最大，\
        制造业投资连续六个月回升，居民消费价格保持平稳，进出口总额创下历史同期新高，就业形势总体稳定。";

    #[test]
    fn same_nearly_same_and_other() {
        let mut seen = Duplicates::default();
        assert_eq!(seen.check("a", NEWS), None);
        let spaced = format!("　　{}", NEWS.replace('，', ", "));
        assert_eq!(
            seen.check("b", &spaced),
            Some(Duplicate::Exact { of: "a".to_owned() })
        );
        let edited = NEWS.replace("周一", "周二");
        assert!(matches!(
            seen.check("c", &edited),
            Some(Duplicate::Near { of, .. }) if of == "a"
        ));
        let other: String = NEWS.chars().rev().collect();
        assert_eq!(seen.check("d", &other), None);
    }
}
