//! What the answer assumes, in three sentences: what that is, what was found of it, and what follows if it does not hold.

use super::{Page, text};
use crate::report::figures::sensitivity::{SUPPOSED, most as most_moved};
use crate::report::found::Checks;
use crate::report::trust::widened;
use crate::report::words::{among, points, share};
use maud::{Markup, html};
use truecount::{Estimate, Warning};

impl Page<'_> {
    pub fn assumption(&self) -> Markup {
        if self.found.models.first().method().is_uncorrected() {
            return html! {};
        }
        let sentences = match &self.found.audits {
            Some(audits) => self.assumed_by_audit(audits),
            None => self.assumed(),
        };
        html! {
            section id="assumption" {
                h2 { "What it rests on" }
                @for sentence in &sentences { p { (text(sentence)) } }
            }
        }
    }

    /// Of scores alone.
    fn assumed(&self) -> Vec<String> {
        let (items, are) = (self.words.items, self.words.are);
        let assumed = format!(
            "It is assumed that only the share has changed: {items} that are {are} score like the labelled ones that are, and the others like \
             the labelled others."
        );
        vec![assumed, self.checked(), self.consequence()]
    }

    /// What was found.
    fn checked(&self) -> String {
        let whole = match &self.found.checked {
            Checks::Impossible(error) => return format!("That cannot be checked {}.", Checks::impossible(error)),
            Checks::Done { whole, .. } if whole.is_of_few() => {
                return format!("That was not checked: {} scores are too few.", whole.shift.n);
            }
            Checks::Done { .. } => self.found.answer(),
        };
        let groups = self.found.checked.each().len();
        let differing: Vec<_> = self.found.rows().into_iter().filter(|row| differs(&row.estimate)).collect();
        let of_whole = differs(whole).then(|| share(unexplained(whole), 1));
        if groups < 2 {
            return match of_whole {
                None => "That was checked: the scores could be a mix of the labelled ones.".to_owned(),
                Some(part) => format!("That was checked: {part} of the scores fit no mix of the labelled ones."),
            };
        }
        let every = "That was checked: every group's scores could be a mix of the labelled ones";
        let together = of_whole.as_ref().map_or_else(String::new, |part| format!(", of all together {part}"));
        let most = share(differing.iter().map(|row| unexplained(&row.estimate)).fold(0.0, f64::max), 1);
        match differing[..] {
            [] => of_whole
                .map_or_else(|| format!("{every}."), |part| format!("{every}, but of all together {part} fit none.")),
            [only] => format!(
                "That was checked: of the scores of “{}”, {most} fit no mix of the labelled ones{together}; every other group's could be one.",
                self.name(only)
            ),
            _ => format!(
                "That was checked: in {}, up to {most} of the scores fit no mix of the labelled ones{together}.",
                among(differing.len(), groups)
            ),
        }
    }

    /// What follows if it does not hold.
    fn consequence(&self) -> String {
        let rows = self.found.rows();
        let each = rows.iter().map(|row| &row.estimate).chain([self.found.answer()]);
        let differing: Vec<&Estimate> = each.filter(|estimate| differs(estimate)).collect();
        let most = differing.iter().filter_map(|estimate| widened(estimate)).fold(0.0, f64::max);
        if differing.is_empty() {
            return self.unseen();
        }
        if most == 0.0 {
            return "Where it does not hold, estimates are off by more than their intervals say, which do not allow for it.".to_owned();
        }
        let up_to = if differing.len() > 1 { "up to " } else { "" };
        format!(
            "Where it does not hold, the estimate is off: the interval is wider there, by {up_to}{} at each end, which allows for an unseen \
             error as large as the one that is seen, but for none that is larger.",
            points(most)
        )
    }

    /// What no check sees.
    fn unseen(&self) -> String {
        if let Some(sweep) = self.found.models.first().binned_sweep() {
            return format!(
                "No check sees a change that looks like another share: if {} of the {} that are {}, or of the others, scored otherwise, the \
                 estimate would be off by up to {}.",
                share(SUPPOSED, 0),
                self.words.items,
                self.words.are,
                points(most_moved(sweep, self.found.answer().prevalence))
            );
        }
        format!(
            "No check sees a change that looks like another share: if 1 in 100 {} were {} but scored like the others, the estimate would be 1 \
             point too low.",
            self.words.items, self.words.are
        )
    }
}

fn differs(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}

/// The share of the scores that fit no mix of the labelled ones.
fn unexplained(estimate: &Estimate) -> f64 {
    estimate.misfit.map_or(0.0, |misfit| misfit.unexplained)
}
