//! Statements to begin with, with places to fill in.

/// A statement to begin with.
pub(super) struct Snippet {
    /// What the list shows.
    pub(super) label: &'static str,
    /// The word of the language that its doc is about.
    pub(super) word: &'static str,
    /// Said beside it.
    pub(super) detail: &'static str,
    /// The text, with `$1` and `${1:word}`.
    pub(super) insert: &'static str,
}

const fn snippet(
    label: &'static str,
    word: &'static str,
    detail: &'static str,
    insert: &'static str,
) -> Snippet {
    Snippet {
        label,
        word,
        detail,
        insert,
    }
}

pub(super) const SNIPPETS: &[Snippet] = &[
    snippet(
        "rule",
        "rule",
        "a named production",
        "rule ${1:name}\n  ${2:_}[${3:causal-cause}] <- ${4:_}:N ${5:_}:S  x ${6:1}\n  when ${7:B.cue = because}",
    ),
    snippet(
        "production",
        "production",
        "D[relation] <- A:N B:S",
        "${1:_}[${2:joint-list}] <- ${3:_}:${4:N} ${5:_}:${6:N}  x ${7:1}",
    ),
    snippet(
        "prefer shift",
        "prefer",
        "wait for what comes",
        "prefer shift  ${1:_} ${2:_} . ${3:_}  x ${4:1}\n  when ${5:level(B, C) < level(A, B)}",
    ),
    snippet(
        "prefer reduce",
        "prefer",
        "join the two topmost nodes first",
        "prefer reduce  ${1:_} ${2:_} . ${3:_}  x ${4:1}\n  when ${5:level(B, C) >= level(A, B)}",
    ),
    snippet(
        "boundary",
        "boundary",
        "an EDU begins here",
        "boundary  x ${1:1}\n  when ${2:prev.text = \"，\"}",
    ),
    snippet(
        "no boundary",
        "boundary",
        "no EDU begins here",
        "no boundary  x ${1:1}\n  when ${2:prev.text = \"，\"}",
    ),
    snippet(
        "block",
        "block",
        "what a line of a plain text is",
        "block ${1:heading 1}  x ${2:1}\n  when ${3:line.length < 20}",
    ),
    snippet(
        "table label",
        "table",
        "weights of relations",
        "table ${1:name}  label by ${2:B.cue}\n  | ${3:but}  ${4:adversative-*} ${5:NN}  ${6:+1.0}",
    ),
    snippet(
        "table reduce",
        "table",
        "weights of joining",
        "table ${1:name}  reduce by ${2:level(A, B)}\n  | ${3:comma}  ${4:+1.0}",
    ),
    snippet(
        "grammar",
        "grammar",
        "the head of a file",
        "grammar  ${1:name} ${2:1.0}\nschema   \"${3:general}\"\n$0",
    ),
    snippet(
        "schema",
        "schema",
        "the vocabulary",
        "schema   \"${1:general}\"",
    ),
    snippet(
        "use",
        "use",
        "the rules of another file",
        "use      \"${1:general}\"",
    ),
    snippet(
        "start",
        "start",
        "the symbol of a whole text",
        "start    ${1:Text}",
    ),
    snippet(
        "decide",
        "decide",
        "how rules decide",
        "decide   ${1|counts,weights|}",
    ),
    snippet(
        "fallback",
        "fallback",
        "what happens where no rule speaks",
        "fallback ${1:_[elaboration-additional] <- _:N _:S}",
    ),
];
