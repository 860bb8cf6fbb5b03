use super::Evaluated;
pub fn draw(_evaluated: &Evaluated, _reference: usize) -> Vec<(&'static str, String)> {
    Vec::new()
}
