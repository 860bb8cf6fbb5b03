//! `truecount man`: the help as manual pages, one for the command and one for each of its commands.

use crate::failure::CliError;
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
pub struct Manual {
    /// Folder for the pages truecount.1, truecount-estimate.1 and so on
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &Manual, command: Command) -> Result<(), CliError> {
    // There is no page of `truecount help`: the pages are the help.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut written = Vec::new();
    pages(&command, &mut written).map_err(CliError::at("manual pages"))?;
    whole_file::folder(&args.folder)?;
    let write = |(name, page): &(String, String)| whole_file::write(&args.folder.join(name), page.as_bytes());
    Ok(written.iter().try_for_each(write)?)
}

/// The page of a command, and those of the commands below it.
fn pages(command: &Command, written: &mut Vec<(String, String)>) -> io::Result<()> {
    let man = Man::new(command.clone()).source(concat!("truecount ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    // Lines are filled, but each point of a list begins one.
    let page = String::from_utf8(page).expect("help is text").replace("\n\\- ", "\n.br\n\\- ");
    written.push((man.get_filename(), page));
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| pages(below, written))
}
