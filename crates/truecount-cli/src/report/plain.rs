//! Warnings in words that anybody reads.

use truecount::{Condition, Warning};

/// What each says, by its code, of scores and the two kinds of things they are of.
const TABLE: &[(&str, &str)] = &[
    (
        "outside-unit-interval",
        "the formula gives a share below 0 % or above 100 %, and the nearest possible one is shown",
    ),
    (
        "far-outside-unit-interval",
        "the formula gives a share far below 0 % or above 100 %: these scores are not of the kind that was labelled",
    ),
    ("single-score", "a single score says next to nothing"),
    ("uneven-weights", "a few large weights decide the estimate"),
    (
        "none-in-region",
        "no score lies where the labelled ones tell most, so only how many lie on either side of that counts",
    ),
    ("no-spread", "all scores are worth the same, so they tell nothing"),
    (
        "single-cut-used",
        "the scores nowhere tell as much as the method asks for, so the best single threshold was used",
    ),
    ("not-converged", "the computation stopped before it had an answer"),
    ("stopped-short", "the computation stopped by its rule before the best answer"),
    (
        "zero-standard-error",
        "the labelled scores hardly vary, so that the error is shown too small; it takes more labelled ones",
    ),
    ("useless-cutoff", "the threshold does not tell the two kinds apart"),
    ("fit-at-limit", "the labelled scores end abruptly, or are too few, for the curve that was fitted to them"),
    ("few-labelled", "fewer than ten of one kind are labelled, too few to tell how large the error is"),
    ("few-labelled-units", "by their weights or clusters too few are labelled to tell how large the error is"),
    ("few-values", "the labelled scores have few different values, which no fitted curve has"),
    ("family-in-doubt", "the labelled scores do not quite follow the curves that were fitted to them"),
    (
        "family-contradicted",
        "the labelled scores do not follow the curves that were fitted to them, and the interval does not allow for that",
    ),
    (
        "weak-separation",
        "the scores hardly tell the two kinds apart; it takes more labelled ones or a better classifier",
    ),
    ("poor-mixture", "the scores differ from the labelled ones by more than chance; the interval is wider for it"),
    ("no-mixture", "the scores are too different from the labelled ones"),
    (
        "not-corrected",
        "nothing is corrected: where the classifier errs one way more often than the other, the true share is another",
    ),
    ("not-calibrated", "the probabilities are not as often right as they say, so that what is made of them is off"),
    (
        "probabilities-of-another-share",
        "the probabilities are for another share of positives than that of the labelled ones, so that what is made of them is off",
    ),
    (
        "rates-contradicted",
        "no share goes with so many positive tests at these error rates, which are not those of the test as it was used here",
    ),
    ("missing-scores", "rows without a score are not counted"),
    ("resamples-lost", "some of the samples drawn for the interval gave no estimate and are left out"),
    ("too-many-resamples-lost", "most of the samples drawn for the interval gave no estimate, so there is none"),
];

pub fn plain(warning: &Warning) -> String {
    let known = TABLE.iter().find(|(code, _)| *code == warning.code());
    known.map_or_else(|| warning.to_string(), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_words_for_every_warning() {
        let codes = |table: &mut dyn Iterator<Item = &'static str>| {
            let mut codes: Vec<&str> = table.collect();
            codes.sort_unstable();
            codes
        };
        let warnings = codes(&mut Warning::TABLE.iter().map(|(code, ..)| *code));
        assert_eq!(codes(&mut TABLE.iter().map(|(code, _)| *code)), warnings);
    }
}
