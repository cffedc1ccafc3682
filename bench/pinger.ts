/**
 * A Worker that asks for /health a millisecond after each answer, on a connection of its own, and
 * tells the longest wait. On a thread of its own, so that nothing else here delays it.
 *
 * In: `{ url }` starts it, `"read"` asks. Out: the longest wait in milliseconds since the
 * last reading.
 */
import { Connection } from "./keep_alive.ts";

let longest = 0;

async function ping(url: string): Promise<void> {
  using connection = await Connection.open(url, "none");
  while (true) {
    const start = performance.now();
    await connection.request();
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

addEventListener("message", async ({ data }: MessageEvent<{ url: string } | "read">) => {
  if (data !== "read") return await ping(data.url);
  postMessage(longest);
  longest = 0;
});
