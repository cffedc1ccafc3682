/** A thread that is busy for a while, and then tells of a session whether it has ended. */
import { openChannel } from "../../../../../lib/server/core/concurrency/start_worker.ts";
import { EndedSessions } from "../../../../../lib/server/features/accounts/auth/ended_sessions.ts";

/** What to do. */
export type Task = { root: string } | { busyMs: number } | { sid: string };

let ended: EndedSessions | undefined;
const post = openChannel<Task>((task) => {
  if ("root" in task) {
    ended = new EndedSessions(task.root);
    post("ready");
  } else if ("busyMs" in task) {
    post("busy");
    for (const end = performance.now() + task.busyMs; performance.now() < end;);
  } else {
    post(ended?.has(task.sid) ? "ended" : "alive");
  }
});
