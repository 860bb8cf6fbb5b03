//! `truecount man`: the help as manual pages, one for the program and one for each command.

use crate::error::CliError;
use clap::Command;
use clap_mangen::Man;
use std::io;
use std::path::PathBuf;
use truecount_tables::whole_file;

const AFTER: &str = "\
Example:
  truecount man ~/.local/share/man/man1
  man truecount-estimate";

/// Writes truecount.1, and for each command another page.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct ManArgs {
    /// Folder for the pages truecount.1, truecount-estimate.1 and so on
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &ManArgs, command: Command) -> Result<(), CliError> {
    // `truecount help` needs no page, because the pages are the help.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages).map_err(CliError::at("manual pages"))?;
    whole_file::create_folder(&args.folder)?;
    let write = |(name, page): &(String, String)| whole_file::write(&args.folder.join(name), page.as_bytes());
    Ok(pages.iter().try_for_each(write)?)
}

/// Adds the pages of a command and its subcommands, each with its file name.
fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("truecount ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    // man joins lines, but each item of a list must begin a line.
    let page = String::from_utf8(page).expect("help is text").replace("\n\\- ", "\n.br\n\\- ");
    pages.push((man.get_filename(), page));
    let mut visible = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    visible.try_for_each(|subcommand| add_pages(subcommand, pages))
}
