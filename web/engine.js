// The module, which is the command: unpacked and compiled once, and run by a worker, which is ended where it is not to go on.
class Cancelled extends Error {}

// What a browser must have.
const able = typeof WebAssembly !== "undefined" && typeof ReadableStream !== "undefined";

// Bytes that were packed with xz and written as base64.
function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { XzReadableStream } = globalThis["xz-decompress"];
  return new Response(new XzReadableStream(new Blob([packed]).stream())).arrayBuffer();
}

class Engine {
  // From the packed module and the worker's program. `progress` is told of a request how far its files have been read, `changed` is called
  // when there may be more or fewer requests than before.
  constructor(module, worker, progress = () => {}, changed = () => {}) {
    Object.assign(this, { progress, changed, asked: new Map(), number: 0 });
    this.module = unpacked(module).then((bytes) => WebAssembly.compile(bytes));
    this.program = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    this.start();
  }

  start() {
    this.worker = new Worker(this.program);
    this.worker.onerror = ({ message }) => this.stop(new Error(message));
    this.worker.onmessage = ({ data }) => {
      const { request, resolve } = this.asked.get(data.number);
      if (data.answer) {
        this.asked.delete(data.number);
        resolve(data);
      } else {
        this.progress(request, data);
      }
      // One answer may lead to the next request.
      setTimeout(this.changed);
    };
  }

  stop(why) {
    this.worker.terminate();
    for (const { reject } of this.asked.values()) reject(why);
    this.asked.clear();
    this.start();
    this.changed();
  }

  cancel() {
    if (this.busy) this.stop(new Cancelled());
  }

  get busy() {
    return this.asked.size > 0;
  }

  // What the module answers, and the lines it says besides; a sentence of what is wrong is thrown.
  async ask(request, files = []) {
    const module = await this.module;
    const { answer, said } = await new Promise((resolve, reject) => {
      const number = ++this.number;
      this.asked.set(number, { request, resolve, reject });
      this.changed();
      this.worker.postMessage({ number, module, request, files });
    });
    if (answer.error) throw new Error(answer.error);
    return { ...answer, said };
  }
}
