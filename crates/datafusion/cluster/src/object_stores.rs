//! Where files are: on a file system that all nodes share, or, with the feature `s3`, in an object store.
//!
//! The store is not part of a plan, only its address is. So client, scheduler and executors have to have it, each in its session, and
//! executors in what they run tasks with. Ballista 55 makes stores of S3 when an address of one is first seen, from the options `s3.…` of a
//! session and from `AWS_…` in the environment. **Options travel with each query, as plain text**, keys among them; here nobody sets any, so
//! that each node has its own, from its environment.
//!
//! Ballista's own `runtime_env_with_s3_support` leaves out where an executor puts what it spills: that is said here.

use std::path::Path;
use std::sync::Arc;

use ballista_core::RuntimeProducer;
use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;

/// The configuration of a session.
pub(crate) fn config() -> SessionConfig {
    #[cfg(feature = "s3")]
    let config = ballista_core::object_store::session_config_with_s3_support();
    #[cfg(not(feature = "s3"))]
    let config = <SessionConfig as ballista_core::extension::SessionConfigExt>::new_with_ballista();
    config
}

/// A session with that configuration.
pub(crate) fn state(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    #[cfg(feature = "s3")]
    let state = ballista_core::object_store::session_state_with_s3_support(config);
    #[cfg(not(feature = "s3"))]
    let state = ballista_core::utils::default_session_builder(config);
    state
}

/// What an executor runs tasks with, one that spills to this directory.
pub(crate) fn runtime(directory: &Path) -> RuntimeProducer {
    let directory = directory.to_owned();
    Arc::new(move |config: &SessionConfig| {
        let builder = RuntimeEnvBuilder::new().with_temp_file_path(directory.clone());
        #[cfg(feature = "s3")]
        let builder = {
            use ballista_core::object_store::{CustomObjectStoreRegistry, S3Options};
            let options = config.options().extensions.get::<S3Options>().cloned().unwrap_or_default();
            builder.with_object_store_registry(Arc::new(CustomObjectStoreRegistry::new(options)))
        };
        #[cfg(not(feature = "s3"))]
        let _ = config;
        Ok(Arc::new(builder.build()?))
    })
}
