//! Fields of objects for programs.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;
use std::time::Duration;

/// A field that may be missing, or there and `null`; to readers of its value both are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field<T> {
    is_missing: bool,
    value: Option<T>,
}

impl<T> Field<T> {
    /// A field that is there, and `null`.
    pub fn null() -> Self {
        None.into()
    }

    /// Whether it is not there.
    pub fn is_missing(&self) -> bool {
        self.is_missing
    }
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self { is_missing: true, value: None }
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        Self { is_missing: false, value }
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Some(value).into()
    }
}

impl<T> Deref for Field<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.value
    }
}

impl<T: Serialize> Serialize for Field<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Option::deserialize(from).map(Self::from)
    }
}

/// Writes a number where it fits into 64 bits.
pub(crate) fn in_64_bits<S: Serializer>(number: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    number.and_then(|number| u64::try_from(number).ok()).serialize(to)
}

/// Reads seconds of wall-clock time, which are no negative number and no larger than a [`Duration`].
///
/// # Errors
/// When they are none.
pub fn seconds<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: From<Option<f64>>,
{
    let seconds = Option::<f64>::deserialize(from)?;
    match seconds.map_or(Ok(Duration::ZERO), Duration::try_from_secs_f64) {
        Ok(_) => Ok(T::from(seconds)),
        Err(error) => Err(D::Error::custom(error)),
    }
}

/// As the value alone, like an [`Option`].
#[cfg(feature = "schema")]
impl<T: ts_rs::TS> ts_rs::TS for Field<T> {
    type WithoutGenerics = Self;
    type OptionInnerType = T;
    const IS_OPTION: bool = true;

    fn name(config: &ts_rs::Config) -> String {
        Option::<T>::name(config)
    }

    fn inline(config: &ts_rs::Config) -> String {
        Option::<T>::inline(config)
    }
}

/// As the value alone; that it may be missing, the attributes of its place say.
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Option<T>>()
    }
}
