"""Nothing can leave the page: its scripts and its worker try to send something to a server that counts what comes."""

import contextlib
import http.server
import threading
import time

SENT = """async (address) => {
    const other = address.replace("http", "ws");
    const document = self.document;
    const added = (name, has) => document.body.appendChild(Object.assign(document.createElement(name), has));
    const attempts = [
        () => fetch(`${address}fetch`, { mode: "no-cors" }),
        () => fetch(`${address}post`, { method: "POST", body: "scores", mode: "no-cors" }),
        () => new EventSource(`${address}events`),
        () => new WebSocket(`${other}socket`),
        () => importScripts(`${address}import`),
        () => navigator.sendBeacon(`${address}beacon`, "scores"),
        () => { new Image().src = `${address}image`; },
        () => added("script", { src: `${address}script` }),
        () => added("link", { rel: "stylesheet", href: `${address}style` }),
        () => added("iframe", { src: `${address}frame` }),
        () => added("form", { action: `${address}form`, method: "post", target: added("iframe", { name: "inside" }).name }).submit(),
    ];
    for (const attempt of attempts) await Promise.resolve().then(attempt).catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
}"""

# What comes where nothing is barred: of a page, and of its worker.
WAYS = [
    {"/fetch", "/post", "/events", "/socket", "/beacon", "/image", "/script", "/style", "/frame", "/form"},
    {"/fetch", "/post", "/events", "/socket", "/import"},
]


# Seconds, on a machine that does other things too.
PATIENCE = 10


@contextlib.contextmanager
def listening():
    """A server on this machine: its address, and the paths that were asked for."""
    heard = set()

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            heard.add(self.path)
            self.send_error(404)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", heard
        server.shutdown()


def sent(visitor, expected):
    """What comes of all attempts, of the page and of its worker; what is expected may take its time."""
    with listening() as (address, heard):
        came = []
        for script, ways in zip([visitor.page, visitor.page.workers[0]], expected):
            script.evaluate(SENT, address)
            end = time.monotonic() + PATIENCE
            while not ways <= heard and time.monotonic() < end:
                time.sleep(0.05)
            came.append(set(heard))
            heard.clear()
        return came
