// Estimates the share of positives from an imperfect classifier's scores, with WebAssembly.

// WASI calls read files in a worker's manner. Here a file is its bytes.
class FileReaderSync {
  readAsArrayBuffer(bytes) {
    return bytes;
  }
}

