// Runs the module in a worker. The module is unpacked and compiled once; cancelling a request ends
// the worker and starts a new one.
class Cancelled extends Error {}

// Whether the browser has the required features.
const able = typeof WebAssembly !== "undefined" && typeof ReadableStream !== "undefined";

// Decompresses xz data in base64.
function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { XzReadableStream } = globalThis["xz-decompress"];
  return new Response(new XzReadableStream(new Blob([packed]).stream())).arrayBuffer();
}

class Engine {
  // Takes the packed module and the worker's script. `progress` is called with a request and the
  // number of bytes read; `changed` is called if the number of running requests may have changed.
  constructor(module, worker, progress = () => {}, changed = () => {}) {
    Object.assign(this, { progress, changed, pending: new Map(), number: 0 });
    this.module = unpacked(module).then((bytes) => WebAssembly.compile(bytes));
    this.workerUrl = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    this.start();
  }

  start() {
    this.worker = new Worker(this.workerUrl);
    this.worker.onerror = ({ message }) => this.stop(new Error(message));
    this.worker.onmessage = ({ data }) => {
      const { request, resolve } = this.pending.get(data.number);
      if (data.answer) {
        this.pending.delete(data.number);
        resolve(data);
      } else {
        this.progress(request, data);
      }
      // The caller may send the next request first.
      setTimeout(this.changed);
    };
  }

  stop(reason) {
    this.worker.terminate();
    for (const { reject } of this.pending.values()) reject(reason);
    this.pending.clear();
    this.start();
    this.changed();
  }

  cancel() {
    if (this.busy) this.stop(new Cancelled());
  }

  get busy() {
    return this.pending.size > 0;
  }

  // Returns the module's answer with its warnings, or throws an error with the module's sentence.
  async ask(request, files = []) {
    const module = await this.module;
    const { answer, warnings } = await new Promise((resolve, reject) => {
      const number = ++this.number;
      this.pending.set(number, { request, resolve, reject });
      this.changed();
      this.worker.postMessage({ number, module, request, files });
    });
    if (answer.error) throw Object.assign(new Error(answer.error), answer);
    return { ...answer, warnings };
  }
}
