//! Model files. A damaged one is refused; one whose checksum somebody made to match may be accepted, and can then be used.

use crate::{Target, table};
use serde_json::Value;
use std::sync::OnceLock;
use truecount::{IntervalOptions, Method, Model, Settings};

/// Its target.
pub const TARGET: Target = Target { name: "model", seeds, words: &WORDS, read };

const WORDS: [&[u8]; 14] = [
    b",",
    b"0",
    b"1",
    b"-",
    b"1e308",
    b"5e-324",
    b"null",
    b"[]",
    b"{}",
    b"\"",
    b"\"o-cs\"",
    b"\"kde\"",
    b"\"normal\"",
    b"\"logit\"",
];

fn seeds() -> Vec<Vec<u8>> {
    let labelled = table::model().labelled();
    let fitted = |methods: &[&str]| {
        let methods = methods.iter().map(|name| name.parse::<Method>().expect("a method")).collect();
        let model = Model::fit(labelled, &Settings { methods, ..Settings::default() }).expect("classes that differ");
        model.to_json().into_bytes()
    };
    vec![fitted(&["ac"]), fitted(&["o-cs", "cc"])]
}

fn read(input: &[u8]) {
    static WHOLE: OnceLock<Vec<String>> = OnceLock::new();
    let text = String::from_utf8_lossy(input);
    if let Ok(model) = Model::from_json(&text) {
        let of = |seed: Vec<u8>| Model::from_json(&String::from_utf8_lossy(&seed)).expect("a model").fingerprint();
        let known = WHOLE.get_or_init(|| seeds().into_iter().map(of).collect());
        assert!(known.contains(&model.fingerprint()), "a damaged model is accepted");
    }
    let Some(sealed) = sealed(&text) else { return };
    if let Ok(model) = Model::from_json(&sealed) {
        assert!(Model::from_json(&model.to_json()).is_ok(), "what it writes is no model");
        // What is refused here is another thing than a panic.
        drop(model.estimate(&[-1.0, 0.25, 0.5, 3.0], &IntervalOptions::default()));
    }
}

/// The same with the checksum that its contents have.
fn sealed(text: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    *value.as_object_mut()?.get_mut("checksum")? = Value::from("");
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let checksum = value.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, step);
    value["checksum"] = Value::from(format!("{checksum:016x}"));
    Some(value.to_string())
}
