//! The program in a page: a request on standard input, the answer on standard output, both JSON, and warnings on standard error. The page
//! starts it anew for every request, so that its memory is given back.

use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let mut request = String::new();
    io::stdin().read_to_string(&mut request)?;
    io::stdout().write_all(truecount_cli::page::answer(&request).to_string().as_bytes())
}
