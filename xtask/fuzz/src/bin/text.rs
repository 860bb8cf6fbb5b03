//! Searches the target `text`.
#![no_main]
#![allow(unsafe_code, missing_docs)] // libFuzzer's, in its macros
truecount_fuzz::search!(truecount_fuzz::text::TARGET);
