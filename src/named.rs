//! Enums whose variants have names: one list says which they are and how they are written.

/// Declares an enum without fields together with the names of its variants:
///
/// ```ignore
/// named_enum! {
///     /// How rules decide.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Decide {
///         /// By counts.
///         Counts = "counts",
///         /// By weights.
///         Weights = "weights",
///     }
/// }
/// ```
///
/// The enum gets `ALL` and `NAMES` (in the order of the list), `as_str`, `find`, `Display`, and
/// `FromStr` with an [`UnknownName`] that lists the known names. It must be `Copy`.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Enum:ident {
            $($(#[$variant_meta:meta])* $Variant:ident = $name:expr),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        $visibility enum $Enum {
            $($(#[$variant_meta])* $Variant,)+
        }

        impl $Enum {
            /// All of them, in order.
            $visibility const ALL: [$Enum; [$($name),+].len()] = [$($Enum::$Variant),+];

            /// Their names, in the same order.
            $visibility const NAMES: [&'static str; $Enum::ALL.len()] = [$($name),+];

            /// Its name.
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)+
                }
            }

            /// The one of that name.
            $visibility fn find(name: &str) -> Option<$Enum> {
                $Enum::ALL.into_iter().find(|known| known.as_str() == name)
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $Enum {
            type Err = $crate::named::UnknownName;

            fn from_str(name: &str) -> Result<$Enum, Self::Err> {
                $Enum::find(name).ok_or_else(|| $crate::named::UnknownName::new(name, &$Enum::NAMES))
            }
        }
    };
}

pub(crate) use named_enum;

/// A name that none of the known things has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not known; known are {}", .known.join(", "))]
pub struct UnknownName {
    name: String,
    known: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(name: &str, known: &'static [&'static str]) -> UnknownName {
        UnknownName {
            name: name.to_owned(),
            known,
        }
    }

    /// The names that would do.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

#[cfg(test)]
mod tests {
    named_enum! {
        /// Where a price goes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        enum Trend {
            /// Up.
            Rise = "上涨",
            /// Down.
            #[default]
            Fall = "下跌",
        }
    }

    #[test]
    fn names_and_variants_find_each_other() {
        assert_eq!(Trend::NAMES, ["上涨", "下跌"]);
        for trend in Trend::ALL {
            assert_eq!(trend.as_str().parse(), Ok(trend));
            assert_eq!(trend.to_string(), trend.as_str());
        }
        assert_eq!(Trend::default(), Trend::Fall);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "持平".parse::<Trend>().expect_err("it is no trend");
        assert_eq!(error.known(), Trend::NAMES);
        let said = error.to_string();
        assert_eq!(said, "`持平` is not known; known are 上涨, 下跌");
    }
}
