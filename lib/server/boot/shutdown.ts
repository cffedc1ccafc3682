import { collectWhenQuiet } from "../core/concurrency/collect_garbage.ts";

type Task = () => void | Promise<void>;

const tasks: Task[] = [];
const drains: (() => void)[] = [];

/**
 * Registers a task for when this thread has stopped serving: after the last request, before the
 * process ends. Tasks run one after the other, in reverse order of registration.
 */
export function atShutdown(task: Task): void {
  tasks.push(task);
}

/**
 * Registers a task for when this thread begins to stop, before it waits for requests in progress:
 * to end responses that would never end by themselves.
 */
export function atDrain(task: () => void): void {
  drains.push(task);
}

/** Runs the tasks of `atDrain`. */
export function beginDrain(): void {
  for (const task of drains.splice(0)) task();
}

/**
 * Runs the tasks of `atShutdown`, each once. A task that fails does not stop the others.
 *
 * @throws AggregateError with the failures
 */
export async function closeDown(): Promise<void> {
  const failures: unknown[] = [];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    try {
      await task();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, "Cannot close all connections and files");
  }
}

/** Counts requests in progress, and can refuse new ones. */
export class Drain {
  #unanswered = 0;
  #isAnnounced = false;
  #isDraining = false;
  #answered: (() => void) | undefined;
  readonly #serve: Deno.ServeHandler;
  readonly #readyPath: string | undefined;

  /** @param readyPath the path of the readiness probe */
  constructor(serve: Deno.ServeHandler, readyPath?: string) {
    this.#serve = serve;
    this.#readyPath = readyPath;
    // The start leaves garbage, too.
    this.#collect();
  }

  /** Serves a request; once draining has begun, answers 503 instead. */
  readonly handler: Deno.ServeHandler = async (req, info) => {
    if (this.#isDraining || this.#isAnnounced && this.#isProbe(req)) return stopping();
    this.#unanswered++;
    try {
      return await this.#serve(req, info);
    } finally {
      if (--this.#unanswered === 0) this.#answered?.();
      this.#collect();
    }
  };

  #collect(): void {
    collectWhenQuiet(() => this.#unanswered === 0);
  }

  /**
   * From now on readiness probes are answered with 503, and all other requests as before: a proxy
   * can send them elsewhere before they are refused here.
   */
  announce(): void {
    this.#isAnnounced = true;
  }

  #isProbe(req: Request): boolean {
    return this.#readyPath !== undefined && new URL(req.url).pathname === this.#readyPath;
  }

  /** Refuses new requests and waits until those in progress are answered. */
  start(): Promise<void> {
    this.#isDraining = true;
    if (this.#unanswered === 0) return Promise.resolve();
    return new Promise((resolve) => this.#answered = resolve);
  }
}

function stopping(): Response {
  const headers = { "retry-after": "5", connection: "close", "cache-control": "no-store" };
  return new Response("The server is stopping", { status: 503, headers });
}
