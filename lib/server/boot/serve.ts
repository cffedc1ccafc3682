/** The server process, started by the launcher: opens the application, serves and shuts down. */
import { commandNames } from "../core/config/app_folder.ts";
import { libc } from "../core/disk/libc.ts";
import { mounts } from "../core/disk/mounts.ts";
import { disk } from "../core/disk/this_disk.ts";
import { DomainError } from "../../shared/errors.ts";
import {
  describeCaptcha,
  describeDirectory,
  describeHook,
  describeMail,
  describeProvider,
  describeSandbox,
  describeWebhooks,
} from "../core/sandbox/describe_sandbox.ts";
import { type LaunchPayload, readLaunchPayload } from "./launch_payload.ts";
import { jsonLine } from "../core/log/log.ts";
import { joinMetrics, seriesMemory } from "../core/metrics/metrics.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { RootWatch } from "./root_watch.ts";
import { filterServerCalls } from "../core/sandbox/server_filter.ts";
import { describePrograms } from "../features/previews/media/programs/recipes.ts";
import { type Serving, startServing } from "./serving.ts";
import { watchStarters } from "./starters.ts";
import { startThread } from "./threads.ts";

/** Interval of returning freed memory, in milliseconds. */
const trimMs = 10_000;

// The exit status for a supervisor, unless the server stops gracefully.
Deno.exitCode = 1;

const payload = readLaunchPayload();
if (!payload) {
  console.error(`Cannot serve: start the server with "${commandNames.start}"`);
  Deno.exit(2);
}

try {
  const { config, landlock } = payload;
  // Before any other code runs: the application needs none of the refused calls.
  const seccomp = filterServerCalls(config);
  for (
    const line of [
      describeSandbox(config, landlock, [
        ...[seccomp, `files: ${disk.kind}`],
        ...mounts.isKnown || Deno.build.os !== "linux" ? [] : ["mounts unknown"],
      ]),
      describeCaptcha(config),
      describeProvider(config),
      describeDirectory(config),
      describeWebhooks(config),
      describeMail(config),
      describeHook(config),
      describePrograms(config),
    ]
  ) {
    if (line !== null) say(line, config);
  }
  const threads = await startThreads(payload);
  const { stop } = stopOnSignals(threads);
  say(`Listening on ${addressOf(config)}`, config);
  stopWithoutRoot(payload, stop);
  watchStarters(payload.starters, () => {
    say("Stopping: the program that started the server has ended", config);
    stop(0);
  });
  trimMemory();
} catch (error) {
  const isRefusal = error instanceof StartRefusal || error instanceof DomainError;
  console.error(isRefusal ? error.message : error);
  Deno.exit(isRefusal ? 2 : 1);
}

/** Prints a sentence in the form of the log. */
function say(message: string, { logFormat }: LaunchPayload["config"]): void {
  console.log(logFormat === "json" ? jsonLine(new Date(), "info", { message }) : message);
}

/** The first thread creates the records and the first administrator, before the others start. */
async function startThreads(payload: LaunchPayload): Promise<Serving[]> {
  const { workers: threads, metricsToken } = payload.config;
  const memory = metricsToken === undefined ? null : seriesMemory(threads);
  const places = Array.from(
    { length: threads },
    (_, thread) => memory && { memory, thread, threads },
  );
  if (places[0]) joinMetrics(places[0]);
  const first = await startServing(payload);
  const others = places.slice(1).map(startThread);
  return [first, ...await Promise.all(others)];
}

function addressOf({ address, port, socket, baseUrl, cert }: LaunchPayload["config"]): string {
  if (socket) return `unix:${socket.path}${baseUrl === "" ? "" : `, below ${baseUrl}/`}`;
  const scheme = cert === undefined ? "http" : "https";
  const host = address.includes(":") ? `[${address}]` : address;
  return `${scheme}://${host}:${port}${baseUrl}/`;
}

/**
 * Returns what all threads have freed. glibc keeps freed memory between what is in use, and two
 * dozen threads that allocate buffers in turn leave up to half of its arenas like that. Takes some
 * milliseconds of a thread without an event loop.
 */
function trimMemory(): void {
  const trim = libc?.mallocTrimLater;
  if (trim) setInterval(() => trim(0n), trimMs);
}

/** The first signal lets requests in progress finish; the second exits at once. */
function stopOnSignals(threads: Serving[]): { stop(status: number): Promise<void> } {
  let isStopping = false;
  async function stop(status: number): Promise<void> {
    if (isStopping) return;
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
 * Ends the process with a status for a restart when the served folder was unmounted or replaced:
 * Landlock confines this process to the folder at its start. Three checks in a row must agree;
 * until the end readiness probes fail.
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
