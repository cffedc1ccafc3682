/** The server process, as the launcher starts it: opens the application, serves, stops in order. */
import { mounts } from "../disk/mounts.ts";
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../../shared/errors.ts";
import { describeCaptcha, describeSandbox } from "../sandbox/describe_sandbox.ts";
import { type LaunchPayload, readLaunchPayload } from "./launch_payload.ts";
import { StartRefusal } from "../config/refusal.ts";
import { RootWatch } from "./root_watch.ts";
import { filterServerCalls } from "../sandbox/server_filter.ts";
import { type Serving, startServing } from "./serving.ts";
import { startThread } from "./threads.ts";

// Whatever ends the process otherwise than in order, a supervisor is to answer.
Deno.exitCode = 1;

const payload = readLaunchPayload();
if (!payload) {
  console.error('Cannot serve: start the server with "deno task start"');
  Deno.exit(2);
}

try {
  const { config, landlock } = payload;
  // Before anything else runs: nothing of the application needs what is refused.
  const seccomp = filterServerCalls(config);
  for (
    const line of [
      describeSandbox(config, landlock, [
        ...[seccomp, `files: ${disk.kind}`],
        ...mounts.isKnown || Deno.build.os !== "linux" ? [] : ["mounts unknown"],
      ]),
      describeCaptcha(config),
    ]
  ) {
    if (line !== null) console.log(line);
  }
  const threads = await startThreads(payload);
  console.log(`Listening on ${addressOf(payload.config)}`);
  const { stop } = stopOnSignals(threads);
  stopWithoutRoot(payload, stop);
} catch (error) {
  const isRefusal = error instanceof StartRefusal || error instanceof DomainError;
  console.error(isRefusal ? error.message : error);
  Deno.exit(isRefusal ? 2 : 1);
}

/** The first thread makes the records and the first administrator; the others find them. */
async function startThreads(payload: LaunchPayload): Promise<Serving[]> {
  const first = await startServing(payload);
  const others = Array.from({ length: payload.config.workers - 1 }, startThread);
  return [first, ...await Promise.all(others)];
}

function addressOf({ address, port, baseUrl, cert }: LaunchPayload["config"]): string {
  const scheme = cert === undefined ? "http" : "https";
  const host = address.includes(":") ? `[${address}]` : address;
  return `${scheme}://${host}:${port}${baseUrl}/`;
}

/** The first signal lets requests under way end; the second does not wait for them. */
function stopOnSignals(threads: Serving[]): { stop(status: number): Promise<void> } {
  let isStopping = false;
  async function stop(status: number): Promise<void> {
    isStopping = true;
    try {
      await Promise.all(threads.map((thread) => thread.stop()));
    } catch (error) {
      console.error(error);
      Deno.exit(1);
    }
    Deno.exit(status);
  }
  function stopOn(signal: Deno.Signal, status: number): void {
    Deno.addSignalListener(signal, () => isStopping ? Deno.exit(status) : stop(0));
  }
  stopOn("SIGINT", 130);
  if (Deno.build.os !== "windows") stopOn("SIGTERM", 143);
  return { stop };
}

/**
 * Ends the process, with a status that has it started anew, when the served folder was unmounted or
 * replaced: the kernel holds this process to the one that it was started on. Two looks must agree.
 * Between the last and the end those who ask for readiness are told.
 */
function stopWithoutRoot(
  { config, rootCheckMs }: LaunchPayload,
  stop: (status: number) => Promise<void>,
): void {
  const watch = new RootWatch(config.root);
  let lost = 0;
  const timer = setInterval(async () => {
    lost = await watch.state() === "lost" ? lost + 1 : 0;
    if (lost === 2) {
      console.error(
        `Cannot serve "${config.root}" any more: it is not the folder or disk that it was at the ` +
          "start (unmounted, mounted again, replaced); ending with status 1, to be started again",
      );
    }
    if (lost < 3) return;
    clearInterval(timer);
    await stop(1);
  }, rootCheckMs);
}
