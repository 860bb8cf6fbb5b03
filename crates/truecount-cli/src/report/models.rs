//! The models of a report.

use crate::failure::Failure;
use truecount::quantifier::Quantifier;
use truecount::{Method, Model, Settings};

/// Methods shown beside what is asked for, which rest on no fitted distribution.
const BESIDE: [Method; 2] = [Method::ES, Method::MAX];

/// The classifier's own count, corrected and as it is.
const COUNTS: [Method; 2] = [Method::AC, Method::CC];

pub struct Models {
    /// The model of the methods asked for.
    pub asked: Model,
    /// The same methods and a few others beside them, as far as the labelled scores allow.
    pub every: Model,
    /// What the classifier counts itself, if its cutoff tells the labelled scores apart, and unless a count is what was asked for.
    pub count: Option<Model>,
}

impl Models {
    pub fn new(asked: Model, weighted: bool) -> Result<Self, Failure> {
        let settings = asked.settings();
        let with = |methods| Settings { methods, ..settings.clone() };
        // A count that cannot be corrected tells nothing.
        let counts = Model::fit(asked.labelled(), &with(COUNTS.to_vec())).is_ok();
        let usable = BESIDE.into_iter().filter(|method| !weighted || method.takes_weights());
        let usable = usable.chain(COUNTS.into_iter().filter(|_| counts));
        let others = usable.filter(|method| !settings.methods.contains(method));
        let methods = settings.methods.iter().copied().chain(others).collect();
        let leaving_out = Settings { may_leave_out: true, ..with(methods) };
        let every = Model::fit_telling(asked.labelled(), &leaving_out).map_err(|refusal| refusal.error)?.0;
        let first = asked.quantifiers()[0].method();
        let count = (counts && !first.is_uncorrected()).then(|| Model::fit(asked.labelled(), &with(vec![Method::CC])));
        let count = count.transpose()?.map(Model::without_check);
        Ok(Self { asked, every, count })
    }

    /// The method that the report's sentences and figures are about.
    pub fn first(&self) -> &Quantifier {
        &self.asked.quantifiers()[0]
    }
}
