import { startServer } from "../../tests/support/server/server.ts";
import { race } from "../race.ts";
import type { Setup } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/** From `deno task start` to listening: built already, on a new store each time. */
export async function measureStart({ rounds }: Setup): Promise<Row[]> {
  const [ours = NaN] = await race([{ name: "start", run: start }], rounds);
  const target = atMost(ours, 0.5, "0.5 s");
  return [{ what: "`deno task start` to listening", cubby: duration(ours), target }];
}

async function start(): Promise<number> {
  const begun = performance.now();
  await using _server = await startServer({ command: ["task", "start"] });
  return (performance.now() - begun) / 1000;
}
