/** The server process, as the launcher starts it: opens the application, serves, stops in order. */
import { disk } from "../disk/this_disk.ts";
import { DomainError } from "../errors.ts";
import { describeCaptcha, describeSandbox } from "./describe_sandbox.ts";
import { type Handover, readHandover } from "./handover.ts";
import { StartRefusal } from "./refusal.ts";
import { filterServerCalls } from "./server_filter.ts";
import { type Serving, startServing } from "./serving.ts";
import { startThread } from "./threads.ts";

// Whatever ends the process otherwise than in order, a supervisor is to answer.
Deno.exitCode = 1;

const handover = readHandover();
if (!handover) {
  console.error('Cannot serve: start the server with "deno task start"');
  Deno.exit(2);
}

try {
  const { config, landlock } = handover;
  // Before anything else runs: nothing of the application needs what is refused.
  const seccomp = filterServerCalls(config);
  for (
    const line of [
      describeSandbox(config, landlock, [seccomp, `files: ${disk.kind}`]),
      describeCaptcha(config),
    ]
  ) {
    if (line !== null) console.log(line);
  }
  const threads = await startThreads(handover);
  console.log(`Listening on ${addressOf(handover.config)}`);
  stopOnSignals(threads);
} catch (error) {
  const isRefusal = error instanceof StartRefusal || error instanceof DomainError;
  console.error(isRefusal ? error.message : error);
  Deno.exit(isRefusal ? 2 : 1);
}

/** The first thread makes the records and the first administrator; the others find them. */
async function startThreads(handover: Handover): Promise<Serving[]> {
  const first = await startServing(handover);
  const others = Array.from({ length: handover.config.workers - 1 }, startThread);
  return [first, ...await Promise.all(others)];
}

function addressOf({ address, port, baseUrl, cert }: Handover["config"]): string {
  const scheme = cert === undefined ? "http" : "https";
  const host = address.includes(":") ? `[${address}]` : address;
  return `${scheme}://${host}:${port}${baseUrl}/`;
}

/** The first signal lets requests under way end; the second does not wait for them. */
function stopOnSignals(threads: Serving[]): void {
  let isStopping = false;
  const statusOf = { SIGINT: 130, SIGTERM: 143 };
  async function stop(signal: keyof typeof statusOf): Promise<void> {
    if (isStopping) Deno.exit(statusOf[signal]);
    isStopping = true;
    try {
      await Promise.all(threads.map((thread) => thread.stop()));
    } catch (error) {
      console.error(error);
      Deno.exit(1);
    }
    Deno.exit(0);
  }
  Deno.addSignalListener("SIGINT", () => stop("SIGINT"));
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => stop("SIGTERM"));
}
