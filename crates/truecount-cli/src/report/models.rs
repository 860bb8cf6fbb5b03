//! The models of a report.

use crate::failure::Failure;
use truecount::quantifier::Quantifier;
use truecount::{Method, Model, Settings};

/// Methods shown beside what is asked for: none of them rests on a fitted distribution, and they go from the default to the plain count.
const BESIDE: [Method; 4] = [Method::ES, Method::DYS, Method::AC, Method::CC];

pub struct Models {
    /// The model of the methods asked for.
    pub asked: Model,
    /// The same methods and a few others beside them, as far as the labelled scores allow.
    pub every: Model,
    /// What the classifier counts itself, if the labelled scores allow a count, and unless that is what was asked for.
    pub count: Option<Model>,
}

impl Models {
    pub fn new(asked: Model, weighted: bool) -> Result<Self, Failure> {
        let mut methods = asked.settings().methods.clone();
        let usable = BESIDE.into_iter().filter(|method| !weighted || method.takes_weights());
        methods.extend(usable.filter(|method| !asked.settings().methods.contains(method)));
        let with = |methods| Settings { methods, may_leave_out: true, ..asked.settings().clone() };
        let every = Model::fit_telling(asked.labelled(), &with(methods)).map_err(|refusal| refusal.error)?.0;
        let count = Model::fit(asked.labelled(), &with(vec![Method::CC])).ok();
        let count = count.filter(|_| !asked.quantifiers()[0].method().is_uncorrected()).map(Model::without_check);
        Ok(Self { asked, every, count })
    }

    /// The method that the report's sentences and figures are about.
    pub fn first(&self) -> &Quantifier {
        &self.asked.quantifiers()[0]
    }
}
