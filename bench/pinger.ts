/**
 * A Worker that asks for /health a millisecond after each answer, on a connection of its own, and
 * tells how long it waited. On a thread of its own, so that nothing else here delays it.
 *
 * In: `{ url }` starts it, `"read"` asks. Out: the waits in milliseconds since the last reading.
 */
import { Connection } from "./keep_alive.ts";

let waits: number[] = [];

async function ping(url: string): Promise<void> {
  using connection = await Connection.open(url, "none");
  while (true) {
    const start = performance.now();
    await connection.request();
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

self.addEventListener("message", ({ data }) => {
  if (data !== "read") return void ping(data.url);
  postMessage(waits);
  waits = [];
});
