/**
 * The application under `deno serve _fresh/server.js`, as on Deno Deploy: nothing was prepared for
 * it by the launcher, and the platform listens. This file says at the start what is missing then,
 * and ends the process in order.
 */
import type { AppHandler } from "../http/middleware/guard.ts";
import type { Config } from "../core/config/config.ts";
import { readEnvironment } from "../core/config/sources.ts";
import type { OptionName } from "../core/config/options.ts";
import { disk } from "../core/disk/this_disk.ts";
import { delay } from "../../shared/delay.ts";
import { beginDrain, closeDown, Drain } from "./shutdown.ts";

/** Timeout for requests in progress after a signal to stop, in milliseconds. */
const drainMs = 10_000;

/** Options about listening and threads, which are the platform's here. */
const platformOptions: readonly OptionName[] = [
  ...["address", "port", "socket", "socket-perm", "cert", "key", "workers", "log"] as const,
];

/**
 * Under `deno serve`, says what is missing and makes the process end in order; otherwise leaves the
 * application as it is.
 */
export function withoutLauncher<App extends { handler(): AppHandler }>(
  app: App,
  config: Config,
): App {
  if (!isServedByDeno()) return app;
  for (const line of describeMissing(config, Deno.env)) console.log(line);
  const handler = app.handler.bind(app);
  app.handler = () => stopInOrder(handler());
  return app;
}

/** Whether `deno serve` runs the build, rather than the launcher, the dev server or a test. */
function isServedByDeno(): boolean {
  return /\/_fresh\/(?:server|compiled-entry)\.js$/.test(Deno.mainModule);
}

/** Says what is not in force, in a line each. */
function describeMissing(
  config: Pick<Config, "disableExec" | "disableMediaPrograms" | "database">,
  env: { get(name: string): string | undefined },
): string[] {
  const lines = [
    "Sandbox: none of its own, as the launcher did not start it (deno serve): no Landlock, no seccomp, and " +
    `the Deno permissions that it was given; files: ${disk.kind}`,
  ];
  if (!config.disableExec) {
    lines.push(
      "Commands: by a host of the server's own, where the platform lets it start processes",
    );
  }
  if (config.database.startsWith("/")) {
    lines.push("Store: a file; where several instances share a volume, give FB_DATABASE=:default:");
  }
  const given = readEnvironment(env);
  for (const name of platformOptions) {
    const value = given.get(name);
    if (value) lines.push(`Not used: ${value.source}: deno serve listens, in threads of its own`);
  }
  return lines;
}

/**
 * Has the first SIGTERM or SIGINT let requests in progress finish, close what the application
 * opened, and end the process; the second ends it at once.
 *
 * @returns the handler that counts them
 */
function stopInOrder(handler: AppHandler): AppHandler {
  const sending = new Set<Promise<void>>();
  const drain = new Drain(async (request, info) => {
    const sent = info.completed.catch(() => {}).finally(() => sending.delete(sent));
    sending.add(sent);
    return await handler(request, info);
  });
  let isStopping = false;
  async function stop(status: number): Promise<void> {
    if (isStopping) Deno.exit(status);
    isStopping = true;
    const answered = drain.start();
    beginDrain();
    const sent = answered.then(() => Promise.all(sending));
    await Promise.race([sent, delay(drainMs)]);
    try {
      await closeDown();
    } catch (error) {
      console.error(error);
      Deno.exit(1);
    }
    Deno.exit(0);
  }
  Deno.addSignalListener("SIGINT", () => stop(130));
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => stop(143));
  return async (request, info) =>
    await (info ? drain.handler(request, info) : handler(request, info));
}
