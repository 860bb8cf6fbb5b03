// Answers requests, one after the other: each by an instance of the program of its own, whose memory is given back with it.
onmessage = ({ data: { number, module, request, files } }) => {
  const given = new Map(files);
  // The furthest byte of each file that was read: a program may read a file twice.
  const furthest = new Map();
  const total = files.reduce((sum, [, file]) => sum + file.size, 0);
  const told = (inode, position) => {
    if (position <= (furthest.get(inode) ?? 0)) return;
    furthest.set(inode, position);
    const read = [...furthest.values()].reduce((sum, bytes) => sum + bytes, 0);
    postMessage({ number, read, total });
  };
  const { output, said, failure } = run(module, JSON.stringify(request), given, told);
  const lines = said.split("\n").filter((line) => line);
  let answer;
  try {
    answer = JSON.parse(output);
  } catch {
    answer = { error: ["The program ended without an answer.", failure, ...lines].filter((what) => what).join(" ") };
  }
  postMessage({ number, answer, said: lines });
};
