//! The part of the language server protocol that the tests need. Every wait has an end.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A running rust-analyzer.
pub struct Server {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last: i64,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The next message; none at the end of the stream.
fn message(out: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok()?,
            _ if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    out.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

impl Server {
    /// Starts rust-analyzer for the crate in a folder and waits until it has loaded it.
    pub fn start(root: &Path, target: &Path) -> Server {
        let command = Command::new("rust-analyzer")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut process = command.expect("rust-analyzer starts");
        let input = process.stdin.take().expect("its input");
        let mut out = BufReader::new(process.stdout.take().expect("its output"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            while let Some(m) = message(&mut out) {
                if send.send(m).is_err() {
                    break;
                }
            }
        });
        let mut server = Server { process, input, messages, last: 0 };
        server.ask(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": format!("file://{}", root.display()),
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["markdown"] } },
                },
                "initializationOptions": {
                    "checkOnSave": false,
                    "cargo": { "targetDir": target, "extraEnv": { "CARGO_NET_OFFLINE": "true" } },
                    "completion": { "autoimport": { "enable": false } },
                },
            }),
        );
        server.tell("initialized", json!({}));
        let end = Instant::now() + Duration::from_secs(500);
        loop {
            let m = server.next(end);
            if m["method"] == "experimental/serverStatus" && m["params"]["quiescent"] == true {
                assert_eq!(m["params"]["health"], "ok", "{m}");
                return server;
            }
        }
    }

    fn next(&mut self, end: Instant) -> Value {
        let left = end.saturating_duration_since(Instant::now());
        let m = self.messages.recv_timeout(left).expect("an answer of rust-analyzer in time");
        if m.get("id").is_some() && m.get("method").is_some() {
            self.send(json!({ "jsonrpc": "2.0", "id": m["id"], "result": null }));
        }
        m
    }

    fn send(&mut self, m: Value) {
        let text = m.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("rust-analyzer reads");
        self.input.flush().expect("rust-analyzer reads");
    }

    /// A notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The answer to a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let end = Instant::now() + Duration::from_secs(120);
        loop {
            let mut m = self.next(end);
            if m["id"] == id && m.get("method").is_none() {
                assert!(m.get("error").is_none(), "{method}: {m}");
                return m["result"].take();
            }
        }
    }
}
