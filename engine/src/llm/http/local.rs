//! A model server on this machine, for whoever asks for a model and names none.

use super::HttpConfig;
use serde::Deserialize;
use std::time::Duration;
use ureq::Agent;

/// Where servers of models listen unless told otherwise: Ollama, llama-server, LM Studio, vLLM.
pub const PORTS: [u16; 4] = [11_434, 8_080, 1_234, 8_000];
/// How long a server on this machine may take to name its models. Arbitrary.
const PATIENCE: Duration = Duration::from_secs(2);
/// Longest list of models, in bytes. Arbitrary.
const MAX_LIST: u64 = 1 << 20;

#[derive(Deserialize)]
struct Models {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

/// The first model of the first server that answers on one of these ports of the loopback interface, as `GET /v1/models`
/// names it; `None` where none does. Nothing is sent but that request. Cost at most two seconds a port, nothing where
/// nobody listens.
pub fn find(ports: &[u16]) -> Option<HttpConfig> {
    let config = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        .proxy(None);
    let agent = config.build().new_agent();
    ports.iter().find_map(|port| {
        let base_url = format!("http://127.0.0.1:{port}/v1");
        let mut response = agent.get(format!("{base_url}/models")).call().ok()?;
        let list = response.body_mut().with_config().limit(MAX_LIST).read_to_vec().ok()?;
        let models: Models = serde_json::from_slice(&list).ok()?;
        let model = models.data.into_iter().find(|model| !model.id.trim().is_empty())?;
        Some(HttpConfig::new(base_url, model.id))
    })
}
