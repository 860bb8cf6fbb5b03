//! Rows that belong together.

/// Which rows were drawn as one.
#[derive(Clone, clap::Args)]
pub struct Clusters {
    /// Column of the labelled table whose values say which rows were drawn together, such as persons or days: standard errors are then
    /// those of clusters
    #[arg(long, value_name = "COL")]
    label_cluster: Option<String>,
}

impl Clusters {
    pub fn column(&self) -> Option<&str> {
        self.label_cluster.as_deref()
    }
}
