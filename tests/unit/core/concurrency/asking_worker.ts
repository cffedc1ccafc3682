/** A Worker that locks a file or fails, or has one of its own do so, which it can't start by itself. */
import { openChannel, startWorker } from "../../../../lib/server/core/concurrency/start_worker.ts";

/** What to do, and the file to lock. */
export type Task = { file: string; fails?: boolean; byOwn?: Task };

Reflect.deleteProperty(globalThis, "Worker");
const post = openChannel<Task>(({ file, fails, byOwn }) => {
  if (byOwn) {
    const script = new URL("./asking_worker.ts", import.meta.url);
    const own = startWorker<string>(script, "own", {
      onMessage: (message) => post(`its own has ${message}`),
      onError: (message) => {
        post(`its own failed: ${message}`);
        own.end();
      },
    });
    own.post(byOwn);
  } else if (fails) {
    setTimeout(() => {
      throw new Error("a fault");
    });
  } else {
    Deno.openSync(file, { write: true }).lockSync(true);
    post("locked");
  }
});
