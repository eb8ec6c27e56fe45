//! Option structs that can grow: who uses the library makes them from what is usual.

/// Gives an option struct one method for each of its fields, so that it can be made in one expression:
/// `ParseOptions::default().search(Search::Beam(8))`.
macro_rules! setters {
    ($Options:ident { $($field:ident: $Type:ty),+ $(,)? }) => {
        impl $Options {
            $(
                #[doc = concat!(
                    "The same with another [`", stringify!($field), "`](Self#structfield.", stringify!($field), ")."
                )]
                #[must_use]
                pub fn $field(mut self, $field: $Type) -> $Options {
                    self.$field = $field;
                    self
                }
            )+
        }
    };
}

pub(crate) use setters;
