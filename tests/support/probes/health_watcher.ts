/**
 * Asks a server for its health all the time, in a thread of its own: the one that sends to the
 * server would be late to read the answers. Replies to each message with the most processor time
 * of the serving thread, in milliseconds, from a question to its answer, since the last message.
 */
import { delay } from "../../../lib/shared/delay.ts";
import { threadTime } from "./processes.ts";

const channel: {
  postMessage(worstMs: number): void;
  onmessage: ((event: MessageEvent<{ url: string; pid: number }>) => void) | null;
} = globalThis as never;

let worst = 0;
let watching: { url: string; pid: number } | undefined;
let ask: (() => void)[] = [];

channel.onmessage = async ({ data }) => {
  if (!watching) watch(watching = data);
  const { promise, resolve } = Promise.withResolvers<void>();
  ask.push(resolve);
  await promise;
  channel.postMessage(worst);
  worst = 0;
};

async function watch({ url, pid }: { url: string; pid: number }): Promise<void> {
  while (true) {
    const asked = ask;
    ask = [];
    const before = threadTime(pid);
    const answer = await fetch(`${url}/health`);
    await answer.body?.cancel();
    if (answer.status !== 200) throw new Error(`/health: ${answer.status}`);
    worst = Math.max(worst, threadTime(pid) - before);
    for (const each of asked) each();
    await delay(5);
  }
}
