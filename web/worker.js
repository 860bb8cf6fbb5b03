// Answers requests one after the other, each with a new instance of the program, so that its memory
// is released afterwards.
onmessage = ({ data: { number, module, request, files } }) => {
  // The last byte read of each file: a program may read a file twice.
  const positions = new Map();
  const total = files.reduce((sum, [, file]) => sum + file.size, 0);
  const onRead = (inode, position) => {
    if (position <= (positions.get(inode) ?? 0)) return;
    positions.set(inode, position);
    const read = [...positions.values()].reduce((sum, bytes) => sum + bytes, 0);
    postMessage({ number, read, total });
  };
  const { stdout, stderr, failure } = run(module, JSON.stringify(request), new Map(files), onRead);
  const warnings = stderr.split("\n").filter((line) => line);
  let answer;
  try {
    answer = JSON.parse(stdout);
  } catch {
    const parts = ["The program ended without an answer.", failure, ...warnings];
    answer = { error: parts.filter((part) => part).join(" ") };
  }
  postMessage({ number, answer, warnings });
};
