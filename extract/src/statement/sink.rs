//! Features go to a sink: added up while reading, collected while learning.

/// The identity of a feature: a hash of its name.
pub(crate) type FeatureId = u64;

/// Takes features, each a template and its values.
pub(crate) trait Sink {
    fn put(&mut self, template: &str, values: &[&str]);
}

/// The hash (FNV-1a, 64 bits) of `template=value&value`.
pub(crate) fn feature_id(template: &str, values: &[&str]) -> FeatureId {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    template.bytes().for_each(&mut eat);
    for (position, value) in values.iter().enumerate() {
        eat(if position == 0 { b'=' } else { b'&' });
        value.bytes().for_each(&mut eat);
    }
    hash
}

/// The name of a feature, as files show it.
pub(crate) fn feature_name(template: &str, values: &[&str]) -> String {
    if values.is_empty() {
        return template.to_owned();
    }
    format!("{template}={}", values.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_known_by_its_name() {
        assert_eq!(feature_id("a", &["b", "c"]), feature_id("a=b&c", &[]));
        assert_eq!(feature_name("a", &["b", "c"]), "a=b&c");
        assert_ne!(feature_id("a", &["b"]), feature_id("a", &["c"]));
    }
}
