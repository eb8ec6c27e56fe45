//! Files of vectors: safetensors, which others can open, with a header that says what they are.
//!
//! The header is JSON under the metadata key `arsg`: the kind of file, the version of its layout,
//! a checksum over everything, and the content. One key, since the format does not keep the order
//! of several, and the same model shall be the same bytes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, View};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Code, Diagnostic};
use crate::error::{Error, Result};
use crate::files;

/// The version of the layout.
pub(super) const VERSION: u64 = 1;
const KEY: &str = "arsg";
const CHECKSUM: &str = "\"checksum\":\"";
const NO_CHECKSUM: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Numbers by name, with what they mean.
pub(super) struct Stored {
    tensors: Vec<(String, Tensor)>,
}

/// An array of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

macro_rules! numbers {
    ($($from:ident $to:ident $number:ty, $dtype:ident;)*) => {
        impl Tensor {
            $(
                pub(super) fn $from(shape: &[usize], values: impl Iterator<Item = $number>) -> Tensor {
                    let mut bytes = Vec::with_capacity(shape.iter().product::<usize>() * size_of::<$number>());
                    values.for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
                    Tensor { dtype: Dtype::$dtype, shape: shape.to_vec(), bytes }
                }

                pub(super) fn $to(&self) -> Option<Vec<$number>> {
                    let (numbers, _) = self.bytes.as_chunks::<{ size_of::<$number>() }>();
                    let numbers = numbers.iter().map(|bytes| <$number>::from_le_bytes(*bytes));
                    (self.dtype == Dtype::$dtype).then(|| numbers.collect())
                }
            )*
        }
    };
}

numbers! {
    from_f32 to_f32 f32, F32;
    from_f64 to_f64 f64, F64;
    from_u32 to_u32 u32, U32;
}

impl View for &Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

/// Writes a file of vectors, whole or not at all.
pub(super) fn write(
    path: &Path,
    kind: &str,
    content: &impl Serialize,
    tensors: &[(String, Tensor)],
) -> Result<()> {
    let fail = |error: &dyn std::fmt::Display| {
        Error::Internal(format!("cannot write `{}`: {error}", path.display()))
    };
    let content = serde_json::to_string(content).map_err(|error| fail(&error))?;
    let header = format!(
        "{{\"kind\":\"{kind}\",\"version\":{VERSION},{CHECKSUM}{NO_CHECKSUM}\",\"content\":{content}}}"
    );
    let checksum = checksum(
        &header,
        tensors
            .iter()
            .map(|(name, tensor)| (&name[..], &tensor.bytes[..])),
    );
    let header = header.replacen(NO_CHECKSUM, &checksum, 1);
    let views = tensors.iter().map(|(name, tensor)| (name, tensor));
    let bytes = safetensors::serialize(views, Some(HashMap::from([(KEY.to_owned(), header)])));
    let bytes = bytes.map_err(|error| match error {
        safetensors::SafeTensorError::HeaderTooLarge => {
            fail(&"the vocabulary is too large for the format; raise the least count of phrases")
        }
        other => fail(&other),
    })?;
    files::replace(path, &bytes)
}

/// Reads a file of vectors and checks that it is whole, of this kind and of this version.
pub(super) fn read<T: DeserializeOwned>(path: &Path, kind: &str) -> Result<(T, Stored)> {
    let bytes = files::read_up_to(path, files::LARGEST_MODEL)?;
    parse(&bytes, kind).map_err(|diagnostic| {
        let message = format!("`{}` {}", path.display(), diagnostic.message);
        Error::Invalid(vec![Diagnostic {
            message,
            ..*diagnostic
        }])
    })
}

fn parse<T: DeserializeOwned>(bytes: &[u8], kind: &str) -> Result<(T, Stored), Box<Diagnostic>> {
    let damaged = |what: &str| {
        let found = Diagnostic::new(Code::E001, format!("is damaged: {what}"));
        Box::new(found.help("write it again with `arsg embed`, or take it from a backup"))
    };
    let foreign = || {
        let message = format!("is no {kind} file of arsg");
        Box::new(Diagnostic::new(Code::E003, message))
    };
    if is_cut_short(bytes) {
        let found = Diagnostic::new(Code::E002, "is cut short");
        let help = "copy it again, or write it again with `arsg embed`";
        return Err(Box::new(found.help(help)));
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|_| foreign())?;
    let all = SafeTensors::deserialize(bytes).map_err(|error| damaged(&error.to_string()))?;
    let header = metadata.metadata().as_ref().and_then(|map| map.get(KEY));
    let header = header.ok_or_else(foreign)?;
    let outer: Outer = serde_json::from_str(header).map_err(|_| damaged("its header"))?;
    if outer.kind != kind {
        let message = format!("holds {}, not {kind}", outer.kind);
        return Err(Box::new(Diagnostic::new(Code::E003, message)));
    }
    if outer.version != VERSION {
        let message = format!(
            "has layout version {}; this arsg reads {VERSION}",
            outer.version
        );
        let help = "train it again, or use the arsg that wrote it";
        return Err(Box::new(Diagnostic::new(Code::E004, message).help(help)));
    }
    let mut names: Vec<&str> = all.names();
    names.sort_unstable();
    let mut tensors = Vec::with_capacity(names.len());
    for name in names {
        let view = all
            .tensor(name)
            .map_err(|error| damaged(&error.to_string()))?;
        let tensor = Tensor {
            dtype: view.dtype(),
            shape: view.shape().to_vec(),
            bytes: view.data().to_vec(),
        };
        tensors.push((name.to_owned(), tensor));
    }
    let blank = header.replacen(&outer.checksum, NO_CHECKSUM, 1);
    let found = checksum(
        &blank,
        tensors
            .iter()
            .map(|(name, tensor)| (&name[..], &tensor.bytes[..])),
    );
    if found != outer.checksum {
        return Err(damaged("the checksum does not agree with the content"));
    }
    let content = serde_json::from_value(outer.content)
        .map_err(|error| damaged(&format!("its header has {error}")))?;
    Ok((content, Stored { tensors }))
}

impl Stored {
    /// Takes out an array by its name.
    pub(super) fn take(&mut self, name: &str) -> Result<Tensor> {
        let at = self.tensors.iter().position(|(known, _)| known == name);
        match at {
            Some(at) => Ok(self.tensors.swap_remove(at).1),
            None => Err(inconsistent(&format!("`{name}` is missing"))),
        }
    }

    /// The columns of a table.
    pub(super) fn width(&self, name: &str) -> Result<usize> {
        let tensor = self.tensors.iter().find(|(known, _)| known == name);
        match tensor.map(|(_, tensor)| tensor.shape.as_slice()) {
            Some(&[_, width]) => Ok(width),
            _ => Err(inconsistent(&format!("`{name}` is no table"))),
        }
    }

    /// Takes out a table of so many rows and columns.
    pub(super) fn take_f32(&mut self, name: &str, rows: usize, width: usize) -> Result<Vec<f32>> {
        let tensor = self.take(name)?;
        let values = tensor.to_f32().filter(|_| tensor.shape == [rows, width]);
        let values = values.ok_or_else(|| inconsistent(&format!("`{name}` has another shape")))?;
        if values.iter().all(|value| value.is_finite()) {
            Ok(values)
        } else {
            Err(inconsistent(&format!("`{name}` holds what is no number")))
        }
    }
}

/// A file whose checksum is right and whose content still makes no sense.
pub(super) fn inconsistent(what: &str) -> Error {
    let message = format!("the file of vectors is damaged: {what}");
    Error::Invalid(vec![Diagnostic::new(Code::E001, message)])
}

#[derive(serde::Deserialize)]
struct Outer {
    kind: String,
    version: u64,
    checksum: String,
    content: serde_json::Value,
}

/// True when the file says that it is longer than it is.
fn is_cut_short(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return true;
    };
    let length = u64::from_le_bytes(*length);
    // Any other file has letters here, which make an absurd length.
    const ABSURD: u64 = 1 << 32;
    if length > rest.len() as u64 {
        return length < ABSURD;
    }
    let Some(header) = rest.get(..length as usize) else {
        return false;
    };
    let Ok(serde_json::Value::Object(header)) = serde_json::from_slice(header) else {
        return false;
    };
    let end = |tensor: &serde_json::Value| tensor.get("data_offsets")?.get(1)?.as_u64();
    let end = header.values().filter_map(end).max().unwrap_or(0);
    end > rest.len() as u64 - length
}

fn checksum<'a>(header: &str, tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut tensors: Vec<(&str, &[u8])> = tensors.collect();
    tensors.sort_unstable_by_key(|(name, _)| *name);
    let mut hasher = blake3::Hasher::new();
    hasher.update(header.as_bytes());
    for (name, bytes) in tensors {
        hasher.update(name.as_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.safetensors");
        let tensor = Tensor::from_f32(&[2, 3], (0..6).map(|x| x as f32 / 3.0));
        let steps = Tensor::from_u32(&[2], [7, 9].into_iter());
        write(
            &path,
            "model",
            &["上涨", "下跌"],
            &[("state".to_owned(), tensor), ("steps".to_owned(), steps)],
        )
        .expect("written");
        std::fs::read(path).expect("read")
    }

    fn code(bytes: &[u8], kind: &str) -> Option<Code> {
        let result: Result<(Vec<String>, Stored), Box<Diagnostic>> = parse(bytes, kind);
        result.err().map(|diagnostic| diagnostic.code)
    }

    #[test]
    fn what_is_written_is_read() {
        let (words, mut stored): (Vec<String>, Stored) = parse(&sample(), "model").expect("whole");
        assert_eq!(words, ["上涨", "下跌"]);
        let state = stored.take_f32("state", 2, 3).expect("there");
        assert_eq!(state[5], 5.0 / 3.0);
        assert_eq!(
            stored.take("steps").expect("there").to_u32(),
            Some(vec![7, 9])
        );
        assert!(stored.take_f32("agent", 2, 3).is_err());
    }

    #[test]
    fn every_kind_of_damage_has_its_code() {
        let whole = sample();
        assert_eq!(code(&whole, "model"), None);
        assert_eq!(code(&whole, "impacts"), Some(Code::E003));
        assert_eq!(
            code(b"<doc>\n<url>http://a.b</url>", "model"),
            Some(Code::E003)
        );
        for length in 0..whole.len() {
            assert_eq!(
                code(&whole[..length], "model"),
                Some(Code::E002),
                "{length}"
            );
        }
        let mut last = whole.clone();
        *last.last_mut().expect("not empty") ^= 1;
        assert_eq!(code(&last, "model"), Some(Code::E001));
        let text = String::from_utf8_lossy(&whole);
        let at = text.find("version").expect("it has a version");
        let mut newer = whole.clone();
        let digit = newer[at..]
            .iter()
            .position(|byte| *byte == b'1')
            .expect("1");
        newer[at + digit] = b'2';
        assert_eq!(code(&newer, "model"), Some(Code::E004));
    }

    proptest! {
        #[test]
        fn no_change_of_a_byte_goes_unnoticed(at in 0_usize..4096, change in 1_u8..) {
            let mut bytes = sample();
            let at = at % bytes.len();
            bytes[at] ^= change;
            // Padding behind the header may change from one white space to another.
            let is_padding = sample()[at] == b' ' && bytes[at].is_ascii_whitespace();
            prop_assert!(code(&bytes, "model").is_some() || is_padding);
        }
    }
}
