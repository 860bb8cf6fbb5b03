// WASI (preview 1) system calls for a program that reads files and writes text. The files are
// read-only and lie in the single directory ".".
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
"use strict";

// Error numbers of WASI.
const OK = 0, BADF = 8, INVAL = 28, IO = 29, NOENT = 44, NOSYS = 52, ROFS = 69, SPIPE = 70;
const UNKNOWN = 0, DIRECTORY = 3, REGULAR = 4;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;
// The right to write, and the flags O_CREAT, O_EXCL and O_TRUNC.
const RIGHT_TO_WRITE = 1n << 6n, CREATE_FLAGS = 1 | 4 | 8;
// The descriptor of the program's directory, after standard input, output and error.
const ROOT = 3;
// Files are read in blocks of this many bytes. One block is kept, so that files of any size can be
// read.
const BLOCK = 1 << 20;

class Exit extends Error {}

// An open file. `onRead` is called with the inode and the position after each block.
class OpenFile {
  constructor(file, inode, onRead) {
    Object.assign(this, { file, inode, onRead, position: 0, start: 0, block: new Uint8Array(0) });
  }

  // Returns the next bytes, at most `length`; no bytes at the end.
  next(length) {
    if (this.position < this.start || this.position >= this.start + this.block.length) {
      this.start = this.position;
      const slice = this.file.slice(this.start, this.start + BLOCK);
      this.block = new Uint8Array(new FileReaderSync().readAsArrayBuffer(slice));
      this.onRead(this.inode, this.start + this.block.length);
    }
    const from = this.position - this.start;
    const bytes = this.block.subarray(from, from + length);
    this.position += bytes.length;
    return bytes;
  }
}

// Runs a compiled program with this text on standard input. Returns its standard output and error,
// and the exception if it failed.
function run(module, input, files, onRead) {
  const names = [...files.keys()];
  const open = new Map();
  let nextDescriptor = ROOT + 1;
  const stdin = { rest: new TextEncoder().encode(input) };
  stdin.next = (length) => {
    const bytes = stdin.rest.subarray(0, length);
    stdin.rest = stdin.rest.subarray(bytes.length);
    return bytes;
  };
  const written = { 1: [], 2: [] };
  let memory;
  // Memory moves when it grows, so each access needs a new view.
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const setU32 = (at, value) => view().setUint32(at, value, true);
  const setU64 = (at, value) => view().setBigUint64(at, BigInt(value), true);
  const buffers = (at, number) => Array.from({ length: number }, (_, i) => {
    const [start, length] = [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)];
    return bytes(start, length);
  });
  const path = (at, length) => new TextDecoder().decode(bytes(at, length)).replace(/^(\.\/)+/, "");
  const setFileStat = (at, type, inode, size) => {
    bytes(at, 64).fill(0);
    setU64(at + 8, inode);
    view().setUint8(at + 16, type);
    setU64(at + 24, 1);
    setU64(at + 32, size);
    return OK;
  };
  const emptyList = (number, length) => {
    setU32(number, 0);
    setU32(length, 0);
    return OK;
  };
  const seek = (fd, offset, whence, result) => {
    const file = open.get(fd);
    if (!file) return fd <= ROOT ? SPIPE : BADF;
    const position = Number(offset) + [0, file.position, file.file.size][whence];
    if (!(position >= 0)) return INVAL;
    file.position = position;
    setU64(result, position);
    return OK;
  };

  const calls = {
    args_sizes_get: emptyList,
    args_get: () => OK,
    environ_sizes_get: emptyList,
    environ_get: () => OK,
    sched_yield: () => OK,
    proc_exit(code) {
      throw new Exit(code);
    },
    clock_time_get(clock, _, at) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      setU64(at, Math.round(milliseconds * 1e6));
      return OK;
    },
    random_get(at, length) {
      // getRandomValues returns at most 65536 bytes.
      for (let i = 0; i < length; i += 65536) crypto.getRandomValues(bytes(at + i, Math.min(65536, length - i)));
      return OK;
    },
    fd_prestat_get(fd, at) {
      if (fd !== ROOT) return BADF;
      setU32(at, 0);
      setU32(at + 4, 1);
      return OK;
    },
    fd_prestat_dir_name(fd, at) {
      if (fd !== ROOT) return BADF;
      bytes(at, 1)[0] = ".".charCodeAt(0);
      return OK;
    },
    fd_fdstat_get(fd, at) {
      if (fd > ROOT && !open.has(fd)) return BADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, fd > ROOT ? REGULAR : fd === ROOT ? DIRECTORY : UNKNOWN);
      const rights = fd >= ROOT ? ALL_RIGHTS & ~RIGHT_TO_WRITE : ALL_RIGHTS;
      setU64(at + 8, rights);
      setU64(at + 16, rights);
      return OK;
    },
    fd_filestat_get(fd, at) {
      const file = open.get(fd);
      if (file) return setFileStat(at, REGULAR, file.inode, file.file.size);
      return fd > ROOT ? BADF : setFileStat(at, fd === ROOT ? DIRECTORY : UNKNOWN, 0, 0);
    },
    path_filestat_get(_, __, pathAt, length, at) {
      const name = path(pathAt, length);
      if (name === "." || name === "") return setFileStat(at, DIRECTORY, 0, 0);
      const file = files.get(name);
      return file ? setFileStat(at, REGULAR, names.indexOf(name) + 1, file.size) : NOENT;
    },
    // The program calls this to canonicalize paths; no file is a link.
    path_readlink: (_, name, length) => (files.has(path(name, length)) ? INVAL : NOENT),
    path_open(_, __, pathAt, length, flags, rights, ___, ____, at) {
      const name = path(pathAt, length);
      if (flags & CREATE_FLAGS || rights & RIGHT_TO_WRITE) return ROFS;
      if (!files.has(name)) return NOENT;
      const fd = nextDescriptor++;
      open.set(fd, new OpenFile(files.get(name), names.indexOf(name) + 1, onRead));
      setU32(at, fd);
      return OK;
    },
    fd_close: (fd) => (open.delete(fd) ? OK : BADF),
    fd_seek: seek,
    fd_tell: (fd, at) => seek(fd, 0n, 1, at),
    fd_read(fd, at, number, result) {
      const file = fd === 0 ? stdin : open.get(fd);
      if (!file) return BADF;
      let length = 0;
      try {
        for (const buffer of buffers(at, number)) {
          const next = file.next(buffer.length);
          buffer.set(next);
          length += next.length;
          if (next.length < buffer.length) break;
        }
      } catch {
        // The file is a folder, or was changed or deleted.
        return IO;
      }
      setU32(result, length);
      return OK;
    },
    fd_write(fd, at, number, result) {
      if (!written[fd]) return BADF;
      const copies = buffers(at, number).map((buffer) => buffer.slice());
      written[fd].push(...copies);
      setU32(result, copies.reduce((sum, copy) => sum + copy.length, 0));
      return OK;
    },
  };

  const imports = {};
  for (const { module: namespace, name } of WebAssembly.Module.imports(module)) {
    imports[namespace] ??= {};
    imports[namespace][name] = calls[name] ?? (() => NOSYS);
  }
  const instance = new WebAssembly.Instance(module, imports);
  memory = instance.exports.memory;
  let failure = null;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) failure = error;
  }
  const text = (parts) => {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  };
  return { stdout: text(written[1]), stderr: text(written[2]), failure };
}
