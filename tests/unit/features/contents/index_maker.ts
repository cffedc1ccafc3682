/** A thread that makes indexes at the same moment as others. */
import { openForWriting } from "../../../../lib/server/features/contents/index_file.ts";

self.onmessage = ({ data: { path, gate } }: MessageEvent<{ path: string; gate: Int32Array }>) => {
  const notes: string[] = [];
  try {
    Atomics.wait(gate, 0, 0);
    using index = openForWriting(path, (sentence) => notes.push(sentence));
    index.keep("name", "value");
    self.postMessage(notes);
  } catch (error) {
    self.postMessage([...notes, String(error)]);
  }
};
self.postMessage("ready");
