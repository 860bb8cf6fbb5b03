//! How each interface writes the names of options.
//!
//! A sentence about options has their names in braces: `{total_weights}`, or with a value
//! `{interval=bootstrap}`. A name is the long option of the command, with underscores.

/// A place where options are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The command: `--total-weights`, `--interval bootstrap`.
    Shell,
    /// Python: `total_weights`, `interval='bootstrap'`.
    Python,
    /// R: `total_weights`, `interval = "bootstrap"`.
    R,
    /// The page, which shows the command's options.
    Page,
}

/// The options with another name in Python.
const IN_PYTHON: [(&str, &str); 5] = [
    ("weight", "weights"),
    ("cluster", "clusters"),
    ("stratum", "strata"),
    ("replicates", "replicate_weights"),
    ("replicate_type", "replicate_kind"),
];

/// The options with another name in R.
const IN_R: [(&str, &str); 5] = [
    ("weight", "weights"),
    ("stratum", "strata"),
    ("model_stratum", "stratum"),
    ("missing", "na.action"),
    ("replicates", "replicate_weights"),
];

/// Replaces the names of options in braces by their spelling in an interface.
pub fn spell(text: &str, interface: Interface) -> String {
    let mut pieces = text.split('{');
    let mut spelled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (option, rest) = piece.split_once('}').unwrap_or((piece, ""));
        spelled.push_str(&spell_option(option, interface));
        spelled.push_str(rest);
    }
    spelled
}

fn spell_option(option: &str, interface: Interface) -> String {
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let renamed =
        |names: &[(&str, &'static str)]| names.iter().find(|(known, _)| *known == name).map(|(_, other)| *other);
    let name = match interface {
        Interface::Shell | Interface::Page => name,
        Interface::Python => renamed(&IN_PYTHON).unwrap_or(name),
        Interface::R => renamed(&IN_R).unwrap_or(name),
    };
    match (interface, value) {
        (Interface::Shell | Interface::Page, None) => format!("--{}", name.replace('_', "-")),
        (Interface::Shell | Interface::Page, Some(value)) => format!("--{} {value}", name.replace('_', "-")),
        (Interface::Python | Interface::R, None) => name.to_owned(),
        (Interface::Python, Some(value)) => format!("{name}='{value}'"),
        (Interface::R, Some(value)) => format!("{name} = \"{value}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_interface_spells_options() {
        let spell = |interface| spell("{model_stratum} and {interval=bootstrap}.", interface);
        assert_eq!(spell(Interface::Shell), "--model-stratum and --interval bootstrap.");
        assert_eq!(spell(Interface::Python), "model_stratum and interval='bootstrap'.");
        assert_eq!(spell(Interface::R), "stratum and interval = \"bootstrap\".");
        assert_eq!(spell(Interface::Page), spell(Interface::Shell));
        assert_eq!(super::spell("{stratum}, {population}", Interface::Python), "strata, population");
    }
}
