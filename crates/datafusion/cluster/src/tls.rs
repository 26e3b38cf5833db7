//! TLS between client, scheduler and executors, each of which has to prove who it is.
//!
//! Ballista 55 has hooks for TLS, and leaves the rest to programs. Four things have to be done, and one that is forgotten shows as a
//! connection that is refused, since nobody here listens without TLS:
//!
//! - **who connects to an executor's results** (the client, the other executors) asks the session: `ballista_use_tls`, which travels with
//!   a query's settings, and an endpoint's configuration, which does not, so that each executor needs it in its `override_config_producer`;
//! - **an executor that connects to its scheduler** says `http://` in any case. `override_create_grpc_client_endpoint` may return another
//!   endpoint, and here returns one that says `https://`: without that, the connection is not encrypted, and nothing says so;
//! - **the scheduler's server** is made here from its service, and has that alone: no REST, no health route, no Flight SQL;
//! - **an executor's server of results** is made here as well (`override_arrow_flight_service`).
//!
//! Executors ask for work (`PullStaged`), so nobody connects to their port for orders, and none listens there.
//!
//! Certificates: a directory with `ca.pem`, whose signature all of them bear, `node.pem` and `node.key`. Servers refuse who has no
//! certificate of that authority. Clients compare the name or address in it with the one that they connect to.
//!
//! Without the feature `tls` this module has no TLS to offer: [`Tls`] has no value, and to load one is an error.

#[cfg(feature = "tls")]
pub(crate) use with::Tls;
#[cfg(not(feature = "tls"))]
pub(crate) use without::Tls;

#[cfg(feature = "tls")]
mod with {
    use std::fs;
    use std::net::SocketAddr;
    use std::path::Path;
    use std::sync::Arc;

    use arrow_flight::flight_service_server::FlightServiceServer;
    use ballista_core::error::BallistaError;
    use ballista_core::extension::EndpointOverrideFn;
    use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
    use ballista_core::utils::create_grpc_server;
    use ballista_executor::ArrowFlightServerProvider;
    use ballista_executor::flight_service::BallistaFlightService;
    use ballista_scheduler::cluster::BallistaCluster;
    use ballista_scheduler::config::SchedulerConfig;
    use ballista_scheduler::scheduler_process::create_scheduler;
    use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
    use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, Server, ServerTlsConfig};

    use crate::Outcome;

    /// The certificate of this node, and the one that signs all of them.
    #[derive(Clone)]
    pub(crate) struct Tls {
        authority: Certificate,
        identity: Identity,
    }

    impl Tls {
        /// The certificates of a directory.
        pub(crate) fn load(directory: &Path) -> Outcome<Self> {
            let read = |name| {
                let path = directory.join(name);
                fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
            };
            Ok(Self {
                authority: Certificate::from_pem(read("ca.pem")?),
                identity: Identity::from_pem(read("node.pem")?, read("node.key")?),
            })
        }

        fn server(&self) -> ServerTlsConfig {
            ServerTlsConfig::new().identity(self.identity.clone()).client_ca_root(self.authority.clone())
        }

        /// What makes of an endpoint one that connects by TLS, whatever its scheme was.
        pub(crate) fn endpoint(&self) -> EndpointOverrideFn {
            let config =
                ClientTlsConfig::new().ca_certificate(self.authority.clone()).identity(self.identity.clone());
            Arc::new(move |endpoint: Endpoint| {
                let endpoint = match endpoint.uri().scheme_str() {
                    Some("https") => endpoint,
                    _ => {
                        let place = endpoint.uri().authority().ok_or("an endpoint without a host")?;
                        Endpoint::from_shared(format!("https://{place}"))?.tcp_nodelay(true)
                    }
                };
                Ok(endpoint.tls_config(config.clone())?)
            })
        }

        /// Is a scheduler, for good.
        pub(crate) async fn schedule(
            &self,
            cluster: BallistaCluster,
            address: SocketAddr,
            config: Arc<SchedulerConfig>,
        ) -> Outcome {
            config.validate()?;
            let received = config.grpc_server_max_decoding_message_size as usize;
            let sent = config.grpc_server_max_encoding_message_size as usize;
            let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await?;
            let service = SchedulerGrpcServer::new(scheduler)
                .max_decoding_message_size(received)
                .max_encoding_message_size(sent);
            Ok(Server::builder().tls_config(self.server())?.add_service(service).serve(address).await?)
        }

        /// The server from which others fetch what an executor has computed.
        pub(crate) fn flight(&self, message_size: usize) -> Arc<ArrowFlightServerProvider> {
            let tls = self.server();
            Arc::new(move |directory, address, mut shutdown, config| {
                let tls = tls.clone();
                tokio::spawn(async move {
                    let service = FlightServiceServer::new(BallistaFlightService::new(directory))
                        .max_decoding_message_size(message_size)
                        .max_encoding_message_size(message_size);
                    create_grpc_server(&config)
                        .tls_config(tls)
                        .map_err(BallistaError::TonicError)?
                        .add_service(service)
                        .serve_with_shutdown(address, shutdown.recv())
                        .await
                        .map_err(BallistaError::TonicError)
                })
            })
        }
    }
}

#[cfg(not(feature = "tls"))]
mod without {
    use std::net::SocketAddr;
    use std::path::Path;
    use std::sync::Arc;

    use ballista_core::extension::EndpointOverrideFn;
    use ballista_executor::ArrowFlightServerProvider;
    use ballista_scheduler::cluster::BallistaCluster;
    use ballista_scheduler::config::SchedulerConfig;

    use crate::Outcome;

    #[derive(Clone)]
    pub(crate) enum Tls {}

    impl Tls {
        pub(crate) fn load(_: &Path) -> Outcome<Self> {
            Err("this program was built without TLS: build it with --features tls".into())
        }

        pub(crate) fn endpoint(&self) -> EndpointOverrideFn {
            match *self {}
        }

        pub(crate) async fn schedule(
            &self,
            _: BallistaCluster,
            _: SocketAddr,
            _: Arc<SchedulerConfig>,
        ) -> Outcome {
            match *self {}
        }

        pub(crate) fn flight(&self, _: usize) -> Arc<ArrowFlightServerProvider> {
            match *self {}
        }
    }
}
