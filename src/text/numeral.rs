//! Numbers as Chinese texts write them: 12, １２, 3.5, 1,024, 十二, 二〇一九, 两, 三成, 六点二.

use nom::bytes::complete::take_while1;
use nom::{IResult, Parser};

/// The value of a digit of any width.
pub(crate) fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

/// The value of a Chinese numeral character that is a digit.
pub(crate) fn chinese_digit(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' | '○' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '贰' => 2,
        '三' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// The Chinese character of a digit: 三 for 3.
pub(crate) fn spell_digit(value: usize) -> Option<char> {
    "〇一二三四五六七八九".chars().nth(value)
}

fn chinese_unit(c: char) -> Option<u32> {
    Some(match c {
        '十' | '拾' => 10,
        '百' | '佰' => 100,
        '千' | '仟' => 1000,
        _ => return None,
    })
}

/// True for a character that a numeral can begin with.
pub(crate) fn begins_numeral(c: char) -> bool {
    digit(c).is_some() || chinese_digit(c).is_some() || chinese_unit(c).is_some()
}

/// A whole number below ten thousand, with how many characters it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole {
    pub(crate) value: u32,
    pub(crate) characters: usize,
    /// Written with Arabic digits.
    pub(crate) arabic: bool,
}

/// A whole number: `2019`, `２０１９`, `十二`, `二十三`, `二〇一九`.
pub(crate) fn whole(input: &str) -> IResult<&str, Whole> {
    const LONGEST: usize = 9;
    let mut rest = input.chars();
    let mut behind = input;
    let mut number = Whole {
        value: 0,
        characters: 0,
        arabic: true,
    };
    while let Some(digit) = rest.next().and_then(digit) {
        if number.characters == LONGEST {
            return Err(none(input));
        }
        number.value = number.value * 10 + digit;
        number.characters += 1;
        behind = rest.as_str();
    }
    match number.characters {
        0 => chinese_whole(input),
        _ => Ok((behind, number)),
    }
}

fn chinese_whole(input: &str) -> IResult<&str, Whole> {
    let is_numeral = |c| chinese_digit(c).is_some() || chinese_unit(c).is_some();
    let (rest, letters) = take_while1(is_numeral).parse(input)?;
    let characters = letters.chars().count();
    if characters > 7 {
        return Err(none(input));
    }
    let value = if letters.chars().any(|c| chinese_unit(c).is_some()) {
        let (sum, last) = letters.chars().fold((0, None), |(sum, last), c| {
            match (chinese_unit(c), chinese_digit(c)) {
                (Some(unit), _) => (sum + last.unwrap_or(1) * unit, None),
                (None, digit) => (sum, digit),
            }
        });
        sum + last.unwrap_or(0)
    } else {
        letters
            .chars()
            .filter_map(chinese_digit)
            .fold(0, |value, d| value * 10 + d)
    };
    Ok((
        rest,
        Whole {
            value,
            characters,
            arabic: false,
        },
    ))
}

fn none(input: &str) -> nom::Err<nom::error::Error<&str>> {
    nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_every_script() {
        for (text, value) in [
            ("2019", 2019),
            ("２０１２", 2012),
            ("十二", 12),
            ("二十三", 23),
            ("二〇一九", 2019),
            ("一百零五", 105),
            ("两", 2),
            ("三十", 30),
        ] {
            let (rest, found) = whole(text).unwrap();
            assert_eq!((rest, found.value), ("", value), "{text}");
        }
        assert!(whole("年").is_err());
        assert_eq!(spell_digit(3), Some('三'));
        assert_eq!(spell_digit(10), None);
        assert!(whole("12345678901").is_err());
    }
}
