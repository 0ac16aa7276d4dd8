//! Which proxy leads to an endpoint.

/// The proxy for `base_url`: the configured one; else what the environment names for its scheme, as other programs
/// understand it: `https_proxy` or `http_proxy`, else `all_proxy`, in small or capital letters, but `HTTP_PROXY` in small
/// letters only, which a request to a web server could set otherwise. None for an endpoint on this machine, nor for one
/// that `no_proxy` names: a host, a domain or `*`.
pub(super) fn proxy(
    base_url: &str,
    configured: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    if let Some(address) = configured {
        return Some(address.to_owned());
    }
    let (scheme, rest) = base_url.split_once("://")?;
    let host = host(rest);
    let first = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| variable(name))
            .filter(|value| !value.is_empty())
    };
    let exempt = first(&["no_proxy", "NO_PROXY"]).unwrap_or_default();
    if is_local(host) || exempt.split(',').any(|entry| covers(entry.trim(), host)) {
        return None;
    }
    let own: &[&str] = if scheme == "https" {
        &["https_proxy", "HTTPS_PROXY"]
    } else {
        &["http_proxy"]
    };
    first(own).or_else(|| first(&["all_proxy", "ALL_PROXY"]))
}

/// The host of an address without its scheme.
fn host(rest: &str) -> &str {
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default();
    match place.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    }
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host == "::1" || host.starts_with("127.")
}

/// Whether an entry of `no_proxy` means this host: `*`, the host, or a domain that it is in.
fn covers(entry: &str, host: &str) -> bool {
    let domain = entry.trim_start_matches("*.").trim_start_matches('.');
    entry == "*" || (!domain.is_empty() && (host == domain || host.ends_with(&format!(".{domain}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        scheme: &str,
        place: &str,
        configured: Option<&str>,
        environment: &[(&str, &str)],
        expected: Option<&str>,
    ) {
        let variable = |name: &str| {
            let found = environment.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let url = format!("{scheme}://{place}/v1");
        assert_eq!(proxy(&url, configured, variable).as_deref(), expected, "{url}");
    }

    #[test]
    fn the_environment_names_one_by_scheme() {
        let all = [("https_proxy", "one"), ("http_proxy", "two"), ("ALL_PROXY", "three")];
        check("https", "models.example", None, &all, Some("one"));
        check("http", "models.example", None, &all, Some("two"));
        check("https", "models.example", None, &all[1..], Some("three"));
        check("http", "models.example", None, &[("HTTP_PROXY", "two")], None);
        check("https", "models.example", None, &[], None);
        check("https", "models.example", Some("mine"), &all, Some("mine"));
    }

    #[test]
    fn this_machine_and_what_is_exempt_are_reached_directly() {
        let all = [("all_proxy", "three"), ("NO_PROXY", "example, .inner.test")];
        for place in [
            "127.0.0.1:8080",
            "localhost",
            "[::1]:80",
            "key@models.example:443",
            "llm.inner.test",
        ] {
            check("http", place, None, &all, None);
        }
        check("https", "example.test", None, &all, Some("three"));
        check("https", "example.test", None, &[all[0], ("no_proxy", "*")], None);
    }
}
