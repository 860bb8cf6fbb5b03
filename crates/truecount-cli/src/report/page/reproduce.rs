//! What makes the report again.

use super::{Page, folded, table, text};
use crate::output::learnt;
use crate::report::provenance::{Input, Provenance};
use crate::report::words::count;
use maud::{Markup, html};
use truecount_analysis::results::visible;

impl Page<'_> {
    pub fn reproduce(&self, provenance: &Provenance) -> Markup {
        let learnt = serde_json::to_string_pretty(&learnt(&self.found.models.asked)).expect("numbers and text");
        let content = html! {
            @match provenance {
                Provenance::Files { command, files } => { (of_files(command, files)) }
                Provenance::InMemory => {
                    p { "truecount " (env!("CARGO_PKG_VERSION")) ", from its Python package: the scores were in memory, and no file can be named." }
                }
            }
            p { "The model's fingerprint, the same for the same settings and labelled scores: " code { (self.found.models.asked.fingerprint()) } }
            details {
                summary { "What was learnt" }
                pre { code { (learnt) } }
            }
        };
        folded("reproduce", "What makes it again", &content)
    }
}

fn of_files(command: &str, files: &[Input]) -> Markup {
    html! {
        p { "truecount " (env!("CARGO_PKG_VERSION")) ", with these files:" }
        (table::scroll("Files", &html! {
            table {
                thead { tr { th scope="col" { "file" } th.number scope="col" { "bytes" } th scope="col" { "SHA-256" } } }
                tbody {
                    @for file in files {
                        tr {
                            th scope="row" { (text(&file.name)) }
                            @match &file.content {
                                Some(content) => {
                                    td.number { (count(content.bytes)) }
                                    td { code { (content.hash) } }
                                }
                                None => { td {} td { "it was not kept" } }
                            }
                        }
                    }
                }
            }
        }))
        p { "The command:" }
        pre { code { (visible(command)) } }
    }
}
