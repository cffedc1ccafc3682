import { dirname, join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { otherOperations } from "./by_other_ways.ts";
import { sharedOperations } from "./by_share.ts";
import { changingOperations } from "./changing.ts";
import { type Operation, placeOf } from "./operation.ts";
import { readingOperations } from "./reading.ts";
import { openStage, scope, type Stage } from "./stage.ts";

/** Every operation that is raced. */
export const allOperations: readonly Operation[] = [
  ...[readingOperations, changingOperations, sharedOperations, otherOperations].flat(),
];

/** The product, in the trees that it is raced in. */
export interface RealStage extends Stage {
  /** What it has logged of failures: all that it answers 500 to. */
  failures(): string[];
}

/**
 * Starts the product on the trees of all operations; with one thread or more of its own as
 * `WORKERS` says, in this process otherwise.
 */
export async function openRealStage(): Promise<RealStage> {
  const folder = await temporaryFolder();
  const own = Deno.env.has("WORKERS") ? {} : { database: join(folder.path, "cubby.kv") };
  const app = await startApp({
    config: { disableExec: false, webdav: true, ...own },
    tree: { home: { bea: {}, carl: {} } },
  });
  const perm = { execute: true };
  const { token } = await app.addUser("bea", { scope: `/${scope}`, perm, commands: ["cat"] });
  const { token: recipient } = await app.addUser("carl", { scope: "/home/carl" });
  const { url } = app.listen();
  const caller = { url, token, recipient, shares: { above: "", below: "" } };
  const data = dirname(app.cubby.config.database);
  const stage = await openStage({ root: app.root, data, operations: allOperations, caller });
  const share = async (path: string) =>
    JSON.parse((await stage.call("POST", `/api/share${path}`, { body: "{}" })).text).hash;
  caller.shares = { above: await share("/hold"), below: await share(placeOf("share")) };
  for (const operation of allOperations) await operation.prepare?.(stage);
  return {
    ...stage,
    failures: () => app.log.lines.filter((line) => line.startsWith("Failed: ")),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      await app.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
