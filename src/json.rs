//! What machines read: values as lines of JSON, and the schemas of those lines.

use serde::Serialize;

use crate::error::{Error, Result};

/// A value as one line, with its line end.
pub(crate) fn line(value: &impl Serialize) -> Result<String> {
    written(serde_json::to_string(value))
}

/// A value laid out for people, with its line end.
pub(crate) fn pretty(value: &impl Serialize) -> Result<String> {
    written(serde_json::to_string_pretty(value))
}

/// The JSON schema of a type, laid out for people.
pub(crate) fn schema<T: schemars::JsonSchema>() -> String {
    pretty(&schemars::schema_for!(T)).unwrap_or_default()
}

/// What the reader of JSON says, in plain words and without its place.
pub(crate) fn problem(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    plain(message)
}

/// A message of a reader of JSON or TOML without names that only Rust knows.
pub(crate) fn plain(message: &str) -> String {
    if let Some(what) = message.strip_prefix("EOF while parsing ") {
        return format!("the text ends in the middle of {what}");
    }
    if message.starts_with("data did not match any variant") {
        return "this is not a value of any known kind".to_owned();
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("the field {field} stands twice");
    }
    let message = message.replace("unknown variant", "unknown value");
    let Some((found, expected)) = message.split_once(", expected ") else {
        return message;
    };
    let expected = plain_kind(expected);
    let found = found
        .replace("sequence", "a list")
        .replace("map", "an object");
    format!("{found}, expected {expected}")
}

/// A type of Rust as what people write.
fn plain_kind(kind: &str) -> String {
    let bare = kind.strip_prefix("a ").unwrap_or(kind);
    if let Some(length) = bare.strip_prefix("tuple of size ") {
        return format!("a list of {length} items");
    }
    let known = match bare {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "bool" | "boolean" => "`true` or `false`",
        "sequence" => "a list",
        "map" => "an object",
        "unit" => "nothing",
        "borrowed string" => "a string",
        _ if bare.starts_with("struct ") => "an object",
        _ if bare.starts_with("tuple struct ") => "a list",
        _ if bare.contains("enum ") || bare == "variant identifier" => "a known word",
        _ => kind,
    };
    known.to_owned()
}

fn written(text: serde_json::Result<String>) -> Result<String> {
    match text {
        Ok(text) => Ok(text + "\n"),
        Err(error) => Err(Error::Internal(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_names_of_rust() {
        #[derive(serde::Deserialize, Debug)]
        #[expect(dead_code, reason = "only its messages are looked at")]
        struct SpanJson {
            span: (u32, u32),
            kind: Kind,
        }
        #[derive(serde::Deserialize, Debug)]
        #[serde(rename_all = "lowercase")]
        enum Kind {
            Shift,
        }
        let said = |text: &str| problem(&serde_json::from_str::<SpanJson>(text).unwrap_err());
        for text in [
            "",
            "{\"span\":",
            "3",
            "[1]",
            "{\"span\":[1]}",
            "{\"span\":3}",
            "{\"span\":[\"a\",2]}",
            "{\"span\":[1,2],\"kind\":3}",
            "{\"span\":[1,2],\"kind\":\"go\"}",
            "{\"span\":[1,2],\"span\":[1,2]}",
        ] {
            let said = said(text);
            for word in ["struct", "tuple", "EOF", "u32", "enum", "variant", "Json"] {
                assert!(!said.contains(word), "{text}: {said}");
            }
        }
        assert!(matches!(
            serde_json::from_str("\"shift\"").unwrap(),
            Kind::Shift
        ));
    }
}
