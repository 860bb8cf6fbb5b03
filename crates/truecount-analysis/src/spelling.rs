//! How each interface writes the names of options and commands.
//!
//! A sentence has them in braces: `{--standardise}`, with a value `{--interval=bootstrap}`, and `{truecount check}`.

/// A place where options are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// The command: `--standardise`, `--interval bootstrap`.
    Shell,
    /// Python: `standardise`, `interval='bootstrap'`.
    Python,
    /// R: `standardise`, `interval = "bootstrap"`.
    R,
    /// The page, which replaces the command's options by the fields of its form.
    Page,
}

impl Interface {
    /// All interfaces.
    pub const ALL: [Self; 4] = [Self::Shell, Self::Python, Self::R, Self::Page];

    /// Returns whether the interface reads files.
    pub fn reads_files(self) -> bool {
        matches!(self, Self::Shell | Self::Page)
    }
}

/// The options with another name in Python.
const IN_PYTHON: [(&str, &str); 10] = [
    ("weight", "weights"),
    ("cluster", "clusters"),
    ("stratum", "strata"),
    ("replicates", "replicate_weights"),
    ("replicate-type", "replicate_kind"),
    ("label-weight", "train_weights"),
    ("label-cluster", "train_clusters"),
    ("label-stratum", "train_strata"),
    ("prob", "train_probabilities"),
    ("test", "test_scores"),
];

/// The options with another name in R.
const IN_R: [(&str, &str); 9] = [
    ("weight", "weights"),
    ("stratum", "strata"),
    ("model-stratum", "stratum"),
    ("missing", "na.action"),
    ("replicates", "replicate_weights"),
    ("label-weight", "weights"),
    ("label-cluster", "cluster"),
    ("prob", "probability"),
    ("test", "newdata"),
];

/// Replaces the names of options and commands in braces by their spelling in an interface. Other
/// names in braces remain.
pub fn spell(text: &str, interface: Interface) -> String {
    let mut pieces = text.split('{');
    let mut spelled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once('}').unwrap_or((piece, ""));
        let word = match (name.strip_prefix("--"), name.strip_prefix("truecount ")) {
            (Some(option), _) => spell_option(option, interface),
            (None, Some(command)) => spell_command(command, interface),
            (None, None) => format!("{{{name}}}"),
        };
        spelled.push_str(&word);
        spelled.push_str(rest);
    }
    spelled
}

fn spell_command(command: &str, interface: Interface) -> String {
    match interface {
        Interface::Shell | Interface::Page => format!("`truecount {command}`"),
        Interface::Python => format!("truecount.{command}"),
        Interface::R => format!("tc_{command}()"),
    }
}

fn spell_option(option: &str, interface: Interface) -> String {
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let argument = |names: &[(&str, &str)]| {
        let renamed = names.iter().find(|(known, _)| *known == name);
        renamed.map_or_else(|| name.replace('-', "_"), |(_, other)| (*other).to_owned())
    };
    // Numbers are not quoted.
    let (python_quote, r_quote) =
        if value.is_some_and(|value| value.parse::<f64>().is_ok()) { ("", "") } else { ("'", "\"") };
    match (interface, value) {
        (Interface::Shell | Interface::Page, None) => format!("--{name}"),
        (Interface::Shell | Interface::Page, Some(value)) => format!("--{name} {value}"),
        (Interface::Python, None) => argument(&IN_PYTHON),
        (Interface::Python, Some(value)) => format!("{}={python_quote}{value}{python_quote}", argument(&IN_PYTHON)),
        (Interface::R, None) => argument(&IN_R),
        (Interface::R, Some(value)) => format!("{} = {r_quote}{value}{r_quote}", argument(&IN_R)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_interface_spells_options() {
        let spell =
            |interface| spell("{--model-stratum} and {--interval=bootstrap}; see {truecount check}.", interface);
        assert_eq!(spell(Interface::Shell), "--model-stratum and --interval bootstrap; see `truecount check`.");
        assert_eq!(spell(Interface::Python), "model_stratum and interval='bootstrap'; see truecount.check.");
        assert_eq!(spell(Interface::R), "stratum and interval = \"bootstrap\"; see tc_check().");
        assert_eq!(spell(Interface::Page), spell(Interface::Shell));
        assert_eq!(super::spell("{--stratum} of {n}", Interface::Python), "strata of {n}");
    }
}
