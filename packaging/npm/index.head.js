// Estimates the share of positives from an imperfect classifier's scores, with WebAssembly.

// web/wasi.js reads files with FileReaderSync, which only workers have. Here a file is an array of bytes.
class FileReaderSync {
  readAsArrayBuffer(bytes) {
    return bytes;
  }
}

