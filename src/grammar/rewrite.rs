//! Heads of rules that somebody wrote as in the paper or by ear, rewritten as they should be.

/// What to write for a production such as `D(Lf) <- A(N), B(S) 12` or `A B -> D`.
pub(super) fn rewrite_production(head: &str) -> Option<String> {
    let arrows = ["<-", "←", "->", "→"];
    let (at, arrow) = arrows
        .iter()
        .filter_map(|arrow| head.find(arrow).map(|at| (at, *arrow)))
        .min()?;
    let left = head.get(..at)?;
    let right = head.get(at + arrow.len()..)?;
    let (left, right) = (Side::of(left), Side::of(right));
    let points_right = matches!(arrow, "->" | "→");
    let (parent, children) = if points_right && right.symbols.len() == 1 {
        (right.symbols, left.symbols)
    } else {
        (left.symbols, right.symbols)
    };
    let count = right.count.map_or(String::new(), |n| format!("  x {n}"));
    match (parent.as_slice(), children.as_slice()) {
        ([parent], [a, b]) => {
            let relation = parent.inside.as_deref().map(|name| name.replace(' ', "-"));
            let relation = relation.as_deref().filter(|name| is_plain(name));
            Some(format!(
                "write `{}[{}] <- {} {}{count}`",
                parent.name,
                relation.unwrap_or("RELATION"),
                a.child(),
                b.child()
            ))
        }
        ([_], [_]) => Some("a production joins two neighbours: `D[relation] <- A:N B:S`".into()),
        ([parent], [a, b, ..]) => Some(format!(
            "a production joins two: join `{} {}` first, then what comes of it with the next, by a \
             rule of its own for `{}`",
            a.name, b.name, parent.name
        )),
        _ => None,
    }
}

/// What to write for the paper's `(ae): D(Lf) <- A(X), B(Y) n` and `(A, B, C, <, slf, p)`.
pub(super) fn rewrite_tuple(statement: &str) -> Option<String> {
    if let Some((_, production)) = statement.split_once("):") {
        let help = rewrite_production(production)?;
        return Some(format!(
            "{help}; the reason goes after `when`, the equations after `set`"
        ));
    }
    let inner = statement.trim_start_matches('(').split(')').next()?;
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let [a, b, c, sign, ..] = parts.as_slice() else {
        return None;
    };
    let action = if sign.contains(['<', '≺']) {
        "shift"
    } else {
        "reduce"
    };
    let number = parts
        .last()
        .filter(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    let count = number.map_or(String::new(), |n| format!("  x {n}"));
    Some(format!(
        "write `prefer {action} {a} {b} . {c}{count}`; the reason goes after `when`"
    ))
}

/// What to write for a preference without its dot, or with roles, commas or a bare count.
pub(super) fn rewrite_preference(head: &str) -> String {
    let mut words = head.trim_start_matches("prefer").trim_start();
    let action = ["shift", "reduce"]
        .into_iter()
        .find(|action| words.starts_with(action));
    if let Some(action) = action {
        words = words.get(action.len()..).unwrap_or_default();
    }
    let side = Side::of(&words.replace(['.', '>', '<'], " "));
    let count = side.count.map_or(String::new(), |n| format!("  x {n}"));
    match side.symbols.as_slice() {
        [a, b, c] => format!(
            "write `prefer {} {} {} . {}{count}`",
            action.unwrap_or("shift"),
            a.name,
            b.name,
            c.name
        ),
        _ => "a preference names three symbols, two on the stack and the next one after a dot: \
              `prefer shift A B . C`; `_` is any symbol"
            .to_owned(),
    }
}

/// What stands on one side of the arrow.
struct Side {
    symbols: Vec<Symbol>,
    count: Option<String>,
}

struct Symbol {
    name: String,
    /// What stands in brackets after it, or after a colon.
    inside: Option<String>,
}

impl Symbol {
    /// As a child, with its role if that was said.
    fn child(&self) -> String {
        match self.inside.as_deref().and_then(role_of) {
            Some(role) => format!("{}:{role}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Side {
    /// Reads names, each with what is in brackets or after a colon behind it, and a number.
    fn of(text: &str) -> Side {
        let mut side = Side {
            symbols: Vec::new(),
            count: None,
        };
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(|c: char| !is_name_letter(c) && !"([:".contains(c));
            let Some(first) = rest.chars().next() else {
                return side;
            };
            if is_name_letter(first) {
                let end = rest.find(|c| !is_name_letter(c)).unwrap_or(rest.len());
                side.word(rest.get(..end).unwrap_or_default());
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
            let (inside, after) = match first {
                ':' => {
                    let inner = rest.get(1..).unwrap_or_default().trim_start();
                    let end = inner.find(|c| !is_name_letter(c)).unwrap_or(inner.len());
                    inner.split_at_checked(end).unwrap_or((inner, ""))
                }
                _ => {
                    let inner = rest.get(1..).unwrap_or_default();
                    inner.split_once([')', ']']).unwrap_or((inner, ""))
                }
            };
            if let Some(symbol) = side.symbols.last_mut() {
                symbol.inside = Some(inside.trim().to_owned());
            }
            rest = after;
        }
    }

    fn word(&mut self, word: &str) {
        let number = word.trim_start_matches(['x', 'X']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_sign = matches!(word, "x" | "X" | "n");
        match (is_number, is_sign) {
            (true, _) => self.count = Some(number.to_owned()),
            // The paper's n, and an x that waits for its number, are no symbols after two others.
            (_, true) if self.symbols.len() >= 2 => {}
            _ => self.symbols.push(Symbol {
                name: word.to_owned(),
                inside: None,
            }),
        }
    }
}

/// `N` or `S` for every way to say so.
pub(super) fn role_of(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    match lower.as_str() {
        "n" | "nuc" | "nucl" | "nucleus" | "核" | "核心" => Some("N"),
        "s" | "sat" | "satellite" | "卫星" | "辅" | "辅助" => Some("S"),
        _ => None,
    }
}

fn is_plain(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.chars().all(is_name_letter)
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_production_becomes_ours() {
        for (written, wanted) in [
            (
                "上涨(因果) <- 上涨(N), 下跌(S)  12",
                "write `上涨[因果] <- 上涨:N 下跌:S  x 12`",
            ),
            (
                "上涨(A.x > 1) ← 上涨(N), 下跌(S)",
                "write `上涨[RELATION] <- 上涨:N 下跌:S`",
            ),
            ("上涨 下跌 -> 变动", "write `变动[RELATION] <- 上涨 下跌`"),
            (
                "上涨[cause] -> 上涨:N 下跌:S x12",
                "write `上涨[cause] <- 上涨:N 下跌:S  x 12`",
            ),
            (
                "上涨[cause] <- 上涨:N, 下跌:S * 3",
                "write `上涨[cause] <- 上涨:N 下跌:S  x 3`",
            ),
        ] {
            assert_eq!(rewrite_production(written).as_deref(), Some(wanted));
        }
        let three = rewrite_production("上涨[cause] <- 上涨 下跌 变动");
        assert!(three.is_some_and(|help| help.contains("joins two")));
        assert_eq!(rewrite_production("上涨"), None);
    }

    #[test]
    fn the_papers_tuples_become_ours() {
        assert_eq!(
            rewrite_tuple("(上涨, 下跌, _, ≺, B.speech, 12)").as_deref(),
            Some("write `prefer shift 上涨 下跌 . _  x 12`; the reason goes after `when`")
        );
        let production = rewrite_tuple("(ae): 上涨(cause) <- 上涨(N), 下跌(S) 3");
        assert!(production.is_some_and(|help| {
            help.starts_with("write `上涨[cause] <- 上涨:N 下跌:S  x 3`")
        }));
        assert_eq!(rewrite_tuple("(上涨"), None);
    }

    #[test]
    fn a_preference_gets_its_dot() {
        assert_eq!(
            rewrite_preference("prefer reduce 上涨:N 下跌:S _ x12"),
            "write `prefer reduce 上涨 下跌 . _  x 12`"
        );
        assert!(rewrite_preference("prefer shift 上涨 下跌").contains("three symbols"));
    }
}
