//! [`Utf8Bytes`] for serde: a string in every format.
//!
//! A format may return bytes instead, as binary formats do for strings; they are checked.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Utf8Bytes;

impl Serialize for Utf8Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Utf8Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_string(Text)
    }
}

/// Receives text from a format.
struct Text;

impl Visitor<'_> for Text {
    type Value = Utf8Bytes;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text in UTF-8")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Utf8Bytes, E> {
        self.visit_string(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Utf8Bytes, E> {
        Ok(text.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Utf8Bytes, E> {
        self.visit_byte_buf(bytes.into())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Utf8Bytes, E> {
        Utf8Bytes::try_from(bytes).map_err(E::custom)
    }
}
