//! Shares as they are typed.

/// A share, as 0.02, 2% or "2 %".
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().map_err(|_| "it must be a share such as 2% or 0.02".to_owned())? / unit;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must lie between 0 and 1, or 0 and 100 %".to_owned()) }
}
