//! Rules for the publication of shares: which are suppressed, and which get a flag.

use super::estimates::{EstimateRow, Publication, se_widened};
use crate::AnalysisProblem;
use std::str::FromStr;
use truecount::{Error, Estimate};

/// A rule of a statistical office for the publication of shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PublicationRule {
    /// National Center for Health Statistics, Data Presentation Standards for Proportions (2017).
    Nchs,
    /// Statistics Canada's letters, by coefficient of variation.
    StatCan,
    /// Limits of the coefficient of variation above which a share gets a flag or is suppressed.
    Cv(f64, f64),
}

/// Statistics Canada's letters, each with the coefficient of variation that it is below. From the last
/// limit, the letter is F, and the share is suppressed.
const STATCAN_LIMITS: [(&str, f64); 5] = [("A", 0.05), ("B", 0.10), ("C", 0.15), ("D", 0.25), ("E", 0.35)];

impl PublicationRule {
    /// Judges an estimate. An estimate without a standard error is suppressed.
    ///
    /// The coefficient of variation is the standard error, widened by the misfit, divided by the share. The NCHS rule
    /// uses the width of the interval and the effective sample size, p(1 − p)/SE², or n if n is smaller.
    pub fn judge(self, estimate: &Estimate) -> Publication {
        let suppressed = |flag| Publication { flag: Some(flag), is_suppressed: true };
        let shown = |flag| Publication { flag, is_suppressed: false };
        let share = estimate.prevalence;
        let (Some(se), Some(interval)) = (se_widened(estimate), estimate.interval) else {
            return suppressed(match self {
                Self::Nchs => "Px",
                Self::StatCan => "F",
                Self::Cv(..) => "x",
            });
        };
        let cv = if se > 0.0 { se / share } else { 0.0 };
        match self {
            Self::Nchs => {
                let (n, width) = (estimate.n as f64, interval.width());
                let n_eff = if share > 0.0 && share < 1.0 { share * (1.0 - share) / (se * se) } else { n };
                if n.min(n_eff) < 30.0 || width > 0.05 && (width >= 0.30 || width > 1.3 * share) {
                    return suppressed("Px");
                }
                let is_complement_unreliable = width > 0.05 && width > 1.3 * (1.0 - share);
                let is_extreme = share <= 0.0 || share >= 1.0;
                shown(if is_complement_unreliable { Some("Pc") } else { is_extreme.then_some("P0") })
            }
            Self::StatCan => match STATCAN_LIMITS.iter().find(|(_, limit)| cv < *limit) {
                Some((letter, _)) => shown(Some(letter)),
                None => suppressed("F"),
            },
            Self::Cv(_, limit) if cv > limit => suppressed("x"),
            Self::Cv(limit, _) => shown((cv > limit).then_some("u")),
        }
    }

    /// Flags or suppresses the estimates of rows.
    pub fn apply<'r>(self, rows: impl IntoIterator<Item = &'r mut EstimateRow>) {
        rows.into_iter().for_each(|row| row.publication = Some(self.judge(&row.estimate)));
    }

    /// Returns the citation of the rule, which explains its flags.
    pub fn citation(self) -> String {
        match self {
            Self::Nchs => "NCHS Data Presentation Standards for Proportions (2017). Px, suppressed: fewer than 30 \
                           rows, p(1 − p)/SE² below 30, an interval of 0.30 or wider, or one wider than 0.05 and than \
                           1.3 times the share. Pc: wider than 1.3 times the complement. P0: review a share of 0 or 1"
                .to_owned(),
            Self::StatCan => "Statistics Canada's letters by coefficient of variation. A: below 5 %; B: 5 to \
                              10 %; C: 10 to 15 %; D: 15 to 25 %; E: 25 to 35 %, use with caution; F: 35 % or more, \
                              suppressed"
                .to_owned(),
            Self::Cv(flagged, suppressed) => format!(
                "by coefficient of variation. u: above {flagged}, of low reliability; x: above {suppressed}, \
                 suppressed"
            ),
        }
    }
}

impl FromStr for PublicationRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let limits = |text: &str| {
            let (flagged, suppressed) = text.strip_prefix("cv=")?.split_once(',')?;
            let limits: (f64, f64) = (flagged.trim().parse().ok()?, suppressed.trim().parse().ok()?);
            (0.0 < limits.0 && limits.0 <= limits.1 && limits.1 <= 1.0).then_some(Self::Cv(limits.0, limits.1))
        };
        match text {
            "nchs" => Ok(Self::Nchs),
            "statcan" => Ok(Self::StatCan),
            _ => limits(text).ok_or_else(|| AnalysisProblem::UnknownPublicationRule { name: text.to_owned() }.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Publication, PublicationRule};
    use truecount::inference::Interval;
    use truecount::{LabelledScores, Model, Settings};

    // The NCHS decisions are those of R's package surveytable for these shares, standard errors, intervals and numbers.
    #[test]
    fn rules_flag_and_suppress() {
        let (scores, positive): (Vec<f64>, Vec<bool>) = (0..40).map(|i| (f64::from(i), i >= 20)).unzip();
        let labelled = LabelledScores::new(&scores, &positive).unwrap();
        let model = Model::fit(&labelled, &Settings::default()).unwrap();
        let template = model.estimate(&scores).unwrap().into_iter().next().unwrap();
        let judge = |rule: &str, n: u64, share: f64, se: f64, (lower, upper): (f64, f64)| {
            let mut estimate = template.clone();
            (estimate.n, estimate.prevalence, estimate.std_error, estimate.misfit) = (n, share, Some(se), None);
            estimate.interval = Some(Interval { lower, upper });
            let Publication { flag, is_suppressed } = rule.parse::<PublicationRule>().unwrap().judge(&estimate);
            (flag.unwrap_or_default(), is_suppressed)
        };
        for (n, share, se, ends, expected) in [
            (29, 0.5, 0.01, (0.48, 0.52), ("Px", true)),
            (1000, 0.5, 0.0913, (0.40, 0.60), ("Px", true)),
            (1000, 0.5, 0.0912, (0.40, 0.60), ("", false)),
            (1000, 0.02, 0.01, (0.005, 0.055), ("", false)),
            (1000, 0.02, 0.01, (0.005, 0.056), ("Px", true)),
            (1000, 0.10, 0.03, (0.05, 0.17), ("", false)),
            (1000, 0.10, 0.03, (0.04, 0.171), ("Px", true)),
            (1000, 0.5, 0.07, (0.36, 0.65), ("", false)),
            (1000, 0.5, 0.07, (0.35, 0.65), ("Px", true)),
            (1000, 0.90, 0.03, (0.82, 0.951), ("Pc", false)),
            (1000, 0.0, 0.0, (0.0, 0.004), ("P0", false)),
        ] {
            assert_eq!(judge("nchs", n, share, se, ends), expected, "{n} {share} {se} {ends:?}");
        }
        for (rule, se, expected) in [
            ("statcan", 0.009, ("A", false)),
            ("statcan", 0.011, ("B", false)),
            ("statcan", 0.069, ("E", false)),
            ("statcan", 0.071, ("F", true)),
            ("cv=0.16,0.33", 0.032, ("", false)),
            ("cv=0.16,0.33", 0.033, ("u", false)),
            ("cv=0.16,0.33", 0.067, ("x", true)),
        ] {
            assert_eq!(judge(rule, 1000, 0.2, se, (0.1, 0.3)), expected, "{rule} {se}");
        }
        for unknown in ["ons", "cv=0.3", "cv=0.3,0.2", "cv=a,b", "cv=16,33"] {
            assert!(unknown.parse::<PublicationRule>().is_err(), "{unknown}");
        }
    }
}
