//! Methods that are fitted together, and therefore share what they learn; those that the labelled scores do not allow
//! have their error.

use truecount::{Batch, Error, Estimate, LabelledScores, Method, Model, Reporting, Settings};

/// The estimate of every method fitted to the labelled scores, or why there is none.
pub(crate) fn fitted<'a, const N: usize>(
    train: &LabelledScores,
    methods: &[Method; N],
    settings: &Settings,
    test: impl Into<Batch<'a>>,
) -> [Result<Estimate, Error>; N] {
    let settings = Settings { methods: methods.to_vec(), may_leave_out: true, ..settings.clone() };
    let estimated = Model::fit_telling(train, &settings)
        .map_err(|refusal| refusal.error)
        .and_then(|(model, refused)| Ok((model.without_check().estimate(test, &Reporting::default())?, refused)));
    let (estimates, refused) = match estimated {
        Ok(estimated) => estimated,
        Err(error) => return std::array::from_fn(|_| Err(error.clone())),
    };
    let mut possible = estimates.into_iter();
    methods.each_ref().map(|method| match refused.iter().find(|(refused, _)| refused == method) {
        None => Ok(possible.next().expect("an estimate of every method that is possible")),
        Some((_, error)) => Err(error.clone()),
    })
}
