import { median } from "./race.ts";
import type { Setup } from "./set_up.ts";
import { atMost, type Row } from "./table.ts";

/**
 * The longest wait of another connection while something is done. Part of it is the machine's, as
 * that keeps its cores busy: that part is what a connection to nginx waits meanwhile, or, without
 * nginx, what ours waits at rest. The median of what is left over is the stall.
 *
 * @param prepare makes ready for a round; what it resolves to is done in it
 */
export async function stall(
  { one, nginx, rounds }: Setup,
  what: string,
  prepare: (round: number) => Promise<() => Promise<unknown>>,
): Promise<Row> {
  using ours = new Pinger(one.server.url);
  using theirs = nginx ? new Pinger(nginx.url) : null;
  const waits: { ours: number; machine: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const work = await prepare(round);
    await Promise.all([ours.longest(), theirs?.longest()]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const rest = await ours.longest();
    await theirs?.longest();
    await work();
    const [wait, machine = rest] = await Promise.all([ours.longest(), theirs?.longest()]);
    if (round > 0) waits.push({ ours: wait, machine });
  }

  const longest = median(waits.map(({ ours, machine }) => Math.max(0, ours - machine)));
  const inAll = median(waits.map(({ ours }) => ours)).toFixed(1);
  const machine = median(waits.map(({ machine }) => machine)).toFixed(1);
  return {
    what,
    cubby: `${longest.toFixed(1)} ms`,
    against: `waits ${inAll} ms, ${nginx ? "nginx meanwhile" : "at rest"} ${machine} ms`,
    target: atMost(longest, 20, "20 ms"),
  };
}

/** Asks one server for /health without a pause, on a thread of its own. */
export class Pinger implements Disposable {
  readonly #worker = new Worker(new URL("./pinger.ts", import.meta.url), { type: "module" });

  constructor(url: string) {
    this.#worker.postMessage({ url: `${url}/health` });
  }

  /** The longest wait since the last time this was asked, in milliseconds. */
  async longest(): Promise<number> {
    return (await this.waits()).reduce((most, wait) => Math.max(most, wait), 0);
  }

  /** The waits since the last time that something was asked, in milliseconds. */
  waits(): Promise<number[]> {
    return new Promise((resolve) => {
      this.#worker.addEventListener("message", ({ data }) => resolve(data), { once: true });
      this.#worker.postMessage("read");
    });
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}
