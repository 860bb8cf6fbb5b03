"""Checks that nothing leaves the page: its scripts and its worker try to reach a local server."""

import contextlib
import http.server
import threading
import time

ATTEMPTS = """async (address) => {
    const socketAddress = address.replace("http", "ws");
    const document = self.document;
    const add = (name, properties) => document.body.appendChild(Object.assign(document.createElement(name), properties));
    const attempts = [
        () => fetch(`${address}fetch`, { mode: "no-cors" }),
        () => fetch(`${address}post`, { method: "POST", body: "scores", mode: "no-cors" }),
        () => new EventSource(`${address}events`),
        () => new WebSocket(`${socketAddress}socket`),
        () => importScripts(`${address}import`),
        () => navigator.sendBeacon(`${address}beacon`, "scores"),
        () => { new Image().src = `${address}image`; },
        () => add("script", { src: `${address}script` }),
        () => add("link", { rel: "stylesheet", href: `${address}style` }),
        () => add("iframe", { src: `${address}frame` }),
        () => add("form", { action: `${address}form`, method: "post", target: add("iframe", { name: "inside" }).name }).submit(),
    ];
    for (const attempt of attempts) await Promise.resolve().then(attempt).catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
}"""

# Requests that arrive without the page's security policy: from the page, and from its worker.
UNBLOCKED_REQUESTS = [
    {"/fetch", "/post", "/events", "/socket", "/beacon", "/image", "/script", "/style", "/frame", "/form"},
    {"/fetch", "/post", "/events", "/socket", "/import"},
]


# Timeout in seconds, long enough for a busy machine.
TIMEOUT = 10


@contextlib.contextmanager
def run_server():
    """Runs a local server, and yields its address and the set of requested paths."""
    requested = set()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requested.add(self.path)
            self.send_error(404)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", requested
        server.shutdown()


def received_requests(visitor, expected):
    """Paths that the page and its worker could request; waits for the expected paths."""
    with run_server() as (address, requested):
        received = []
        for script, paths in zip([visitor.page, visitor.page.workers[0]], expected):
            script.evaluate(ATTEMPTS, address)
            end = time.monotonic() + TIMEOUT
            while not paths <= requested and time.monotonic() < end:
                time.sleep(0.05)
            received.append(set(requested))
            requested.clear()
        return received
