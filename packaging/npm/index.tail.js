
async function moduleBytes() {
  const url = new URL("./truecount.wasm", import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

/** Compiles the module. A browser fetches it from the folder of this script. */
export async function load() {
  const module = await WebAssembly.compile(await moduleBytes());
  return {
    ask(request, files = {}) {
      const encoder = new TextEncoder();
      const entries = Object.entries(files).map(([name, content]) => {
        const bytes = typeof content === "string" ? encoder.encode(content) : content;
        return [name, { size: bytes.length, slice: (start, end) => bytes.subarray(start, end) }];
      });
      const { stdout, stderr, failure } = run(module, JSON.stringify(request), new Map(entries), () => {});
      if (failure) throw failure;
      const answer = JSON.parse(stdout);
      if (answer.error) throw new Error(answer.error);
      return { answer, warnings: stderr.split("\n").filter((line) => line) };
    },
  };
}
