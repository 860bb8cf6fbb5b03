//! Model files. A damaged model must be refused. If its checksum is made to match, the model may be
//! accepted, and must then be usable.

use crate::{Target, table};
use serde_json::Value;
use std::sync::OnceLock;
use truecount::{Method, Model, Settings};

/// The target of model files.
pub const TARGET: Target = Target { name: "model", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 14] = [
    b",", b"0", b"1", b"-", b"1e308", b"5e-324", b"null", b"[]", b"{}", b"\"", b"\"o-cs\"", b"\"kde\"", b"\"normal\"",
    b"\"logit\"",
];

fn seeds() -> Vec<Vec<u8>> {
    let labelled = table::model().labelled();
    let fit = |methods: &[&str]| {
        let methods = methods.iter().map(|name| name.parse::<Method>().expect("a method"));
        let model = Model::fit(labelled, &Settings::new(methods)).expect("classes that differ");
        model.to_json().into_bytes()
    };
    vec![fit(&["ac"]), fit(&["o-cs", "cc"])]
}

fn read(input: &[u8]) {
    static SEEDS: OnceLock<Vec<String>> = OnceLock::new();
    let text = String::from_utf8_lossy(input);
    if let Ok(model) = Model::from_json(&text) {
        let fingerprint =
            |seed: Vec<u8>| Model::from_json(&String::from_utf8_lossy(&seed)).expect("a model").fingerprint();
        let fingerprints = SEEDS.get_or_init(|| seeds().into_iter().map(fingerprint).collect());
        assert!(fingerprints.contains(&model.fingerprint()), "a damaged model is accepted");
    }
    let Some(sealed) = with_valid_checksum(&text) else { return };
    if let Ok(model) = Model::from_json(&sealed) {
        assert!(Model::from_json(&model.to_json()).is_ok(), "a written model cannot be read");
        // An error is fine here; a panic is not.
        drop(model.estimate(&[-1.0, 0.25, 0.5, 3.0]));
    }
}

/// Returns the model with the checksum of its contents, or `None` if it has no checksum.
fn with_valid_checksum(text: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    *value.as_object_mut()?.get_mut("checksum")? = Value::from("");
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let checksum = value.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, step);
    value["checksum"] = Value::from(format!("{checksum:016x}"));
    Some(value.to_string())
}
