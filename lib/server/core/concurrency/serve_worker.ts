import { collectWhenIdle } from "./collect_garbage.ts";
import { buffersOf, type Reply, type Request, sentError } from "./protocol.ts";
import { WorkerCall } from "./worker_call.ts";

/**
 * The functions of a worker, by name. Arguments and results are plain data. A function that streams
 * its answer does so through its call; its result is ignored.
 */
export type Handlers = Record<string, (args: never, call: never) => unknown>;

/** The worker's channel to the thread that started it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(reply: Reply, transfer: Transferable[]): void;
}

/** Options of serving. */
export interface ServeOptions {
  /** Maps an error of a function to the one sent to the caller. */
  asError?(thrown: unknown, name: string, args: never): unknown;
  /** Idle time in milliseconds after which the worker is ended; never by default. */
  idleMs?: number;
}

const scope = self as unknown as WorkerScope;

/**
 * Serves the functions of a worker. Calls run concurrently: a long one pauses regularly, and ends
 * when its signal is aborted. Bytes in a result (as the result, in an array, or as a property) are
 * transferred, not copied.
 */
export function serveWorker(
  handlers: Handlers,
  { asError = (thrown) => thrown, idleMs }: ServeOptions = {},
): void {
  const running = new Map<number, WorkerCall>();
  let idle: ReturnType<typeof setTimeout> | undefined;
  const post = (reply: Reply, transfer: Transferable[] = []) => scope.postMessage(reply, transfer);

  scope.onmessage = ({ data }) => {
    if ("name" in data) run(data.id, data.name, data.args as never);
    else if ("begin" in data) running.get(data.id)?.begin(data.begin, data.credits);
    else if ("credits" in data) running.get(data.id)?.grant(data.credits);
    else if ("acknowledged" in data) running.get(data.id)?.acknowledge(data.acknowledged);
    else running.get(data.id)?.cancel();
  };

  async function run(id: number, name: string, args: never): Promise<void> {
    const call = new WorkerCall(id, post);
    running.set(id, call);
    clearTimeout(idle);
    try {
      const result = await handlers[name]?.(args, call as never);
      post({ id, result }, buffersOf(result));
    } catch (thrown) {
      post({ id, error: sentError(asError(thrown, name, args)) });
    } finally {
      running.delete(id);
      collectWhenIdle(() => running.size === 0);
      clearTimeout(idle);
      if (idleMs !== undefined && running.size === 0) {
        idle = setTimeout(() => post({ idle: true }), idleMs);
      }
    }
  }
}

/** Sends a sentence to log to the thread that started this worker. */
export function note(sentence: string): void {
  scope.postMessage({ note: sentence }, []);
}
