// What a WASI (preview 1) program asks of its system, as far as a program asks that reads files and writes text: files are given by name, in
// the one directory ".", and are read only. https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
"use strict";

// Errors, as their numbers are there.
const OK = 0, BADF = 8, INVAL = 28, IO = 29, NOENT = 44, NOSYS = 52, ROFS = 69, SPIPE = 70;
const UNKNOWN = 0, DIRECTORY = 3, REGULAR = 4;
const ALL = 0xffff_ffff_ffff_ffffn;
// The right to write, and the flags that create, insist on creating, or empty a file.
const WRITE = 1n << 6n, CREATES = 1 | 4 | 8;
// The program's directory is the first number after standard input, output and error.
const HERE = 3;
// A file is read in pieces of this many bytes, of which one is kept, so that its size does not matter.
const PIECE = 1 << 20;

class Exit extends Error {}

// A file that is open, of which `told` learns how far it has been read.
class Open {
  constructor(file, inode, told) {
    Object.assign(this, { file, inode, told, position: 0, start: 0, piece: new Uint8Array(0) });
  }

  // The next bytes, `most` at most; none at the end.
  next(most) {
    if (this.position < this.start || this.position >= this.start + this.piece.length) {
      this.start = this.position;
      this.piece = new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.file.slice(this.start, this.start + PIECE)));
      this.told(this.inode, this.start + this.piece.length);
    }
    const from = this.position - this.start;
    const bytes = this.piece.subarray(from, from + most);
    this.position += bytes.length;
    return bytes;
  }
}

// Runs a compiled program with this text on its standard input. What it writes to standard output and error, and why it ended if it failed.
function run(module, input, files, told) {
  const names = [...files.keys()];
  const open = new Map();
  let free = HERE + 1;
  const stdin = { rest: new TextEncoder().encode(input) };
  stdin.next = (most) => {
    const bytes = stdin.rest.subarray(0, most);
    stdin.rest = stdin.rest.subarray(bytes.length);
    return bytes;
  };
  const written = { 1: [], 2: [] };
  let memory;
  // Memory moves when it grows: it is looked at anew each time.
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const word = (at, value) => view().setUint32(at, value, true);
  const long = (at, value) => view().setBigUint64(at, BigInt(value), true);
  const buffers = (at, number) => Array.from({ length: number }, (_, i) => {
    const [start, length] = [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)];
    return bytes(start, length);
  });
  const path = (at, length) => new TextDecoder().decode(bytes(at, length)).replace(/^(\.\/)+/, "");
  const about = (at, type, inode, size) => {
    bytes(at, 64).fill(0);
    long(at + 8, inode);
    view().setUint8(at + 16, type);
    long(at + 24, 1);
    long(at + 32, size);
    return OK;
  };
  const nothing = (number, length) => {
    word(number, 0);
    word(length, 0);
    return OK;
  };
  const seek = (fd, offset, whence, result) => {
    const file = open.get(fd);
    if (!file) return fd <= HERE ? SPIPE : BADF;
    const position = Number(offset) + [0, file.position, file.file.size][whence];
    if (!(position >= 0)) return INVAL;
    file.position = position;
    long(result, position);
    return OK;
  };

  const calls = {
    args_sizes_get: nothing,
    args_get: () => OK,
    environ_sizes_get: nothing,
    environ_get: () => OK,
    sched_yield: () => OK,
    proc_exit(code) {
      throw new Exit(code);
    },
    clock_time_get(clock, _, at) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      long(at, Math.round(milliseconds * 1e6));
      return OK;
    },
    random_get(at, length) {
      // No more is given at once.
      for (let i = 0; i < length; i += 65536) crypto.getRandomValues(bytes(at + i, Math.min(65536, length - i)));
      return OK;
    },
    fd_prestat_get(fd, at) {
      if (fd !== HERE) return BADF;
      word(at, 0);
      word(at + 4, 1);
      return OK;
    },
    fd_prestat_dir_name(fd, at) {
      if (fd !== HERE) return BADF;
      bytes(at, 1)[0] = ".".charCodeAt(0);
      return OK;
    },
    fd_fdstat_get(fd, at) {
      if (fd > HERE && !open.has(fd)) return BADF;
      bytes(at, 24).fill(0);
      view().setUint8(at, fd > HERE ? REGULAR : fd === HERE ? DIRECTORY : UNKNOWN);
      const rights = fd >= HERE ? ALL & ~WRITE : ALL;
      long(at + 8, rights);
      long(at + 16, rights);
      return OK;
    },
    fd_filestat_get(fd, at) {
      const file = open.get(fd);
      if (file) return about(at, REGULAR, file.inode, file.file.size);
      return fd > HERE ? BADF : about(at, fd === HERE ? DIRECTORY : UNKNOWN, 0, 0);
    },
    path_filestat_get(_, __, name, length, at) {
      const wanted = path(name, length);
      if (wanted === "." || wanted === "") return about(at, DIRECTORY, 0, 0);
      const file = files.get(wanted);
      return file ? about(at, REGULAR, names.indexOf(wanted) + 1, file.size) : NOENT;
    },
    // Nothing here is a link, which is what paths are made canonical by.
    path_readlink: (_, name, length) => (files.has(path(name, length)) ? INVAL : NOENT),
    path_open(_, __, name, length, how, rights, ___, ____, at) {
      const wanted = path(name, length);
      if (how & CREATES || rights & WRITE) return ROFS;
      if (!files.has(wanted)) return NOENT;
      const fd = free++;
      open.set(fd, new Open(files.get(wanted), names.indexOf(wanted) + 1, told));
      word(at, fd);
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
        // A folder, or a file that was changed or taken away.
        return IO;
      }
      word(result, length);
      return OK;
    },
    fd_write(fd, at, number, result) {
      if (!written[fd]) return BADF;
      const copies = buffers(at, number).map((buffer) => buffer.slice());
      written[fd].push(...copies);
      word(result, copies.reduce((sum, copy) => sum + copy.length, 0));
      return OK;
    },
  };

  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = calls[name] ?? (() => NOSYS);
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
  return { output: text(written[1]), said: text(written[2]), failure };
}
