//! The mark between the whole part of a number and its fraction.

/// What numbers in a text are written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    /// 0.25
    #[default]
    Point,
    /// 0,25
    Comma,
}

impl Decimal {
    /// The mark of a number, which is the last one in it: the others are between thousands.
    pub fn of(cell: &[u8]) -> Option<Self> {
        Some(if cell[memchr::memrchr2(b',', b'.', cell)?] == b',' { Self::Comma } else { Self::Point })
    }

    /// A number that is written so, with a point. One with another mark besides is none.
    pub fn pointed(self, text: &str) -> Option<String> {
        match self {
            Self::Point => Some(text.to_owned()),
            Self::Comma => (!text.contains('.')).then(|| text.replace(',', ".")),
        }
    }
}
