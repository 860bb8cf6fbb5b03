//! Rows that belong together.

/// Which rows were drawn as one.
#[derive(Clone, clap::Args)]
pub struct Clusters {
    /// Column whose values say which labelled rows belong together, such as persons or days: standard errors are then those of clusters
    #[arg(long, value_name = "COL")]
    cluster: Option<String>,
}

impl Clusters {
    pub fn column(&self) -> Option<&str> {
        self.cluster.as_deref()
    }
}
