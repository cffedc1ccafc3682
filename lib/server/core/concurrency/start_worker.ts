/** A Worker that this thread has started, or has had started for it. */
export interface StartedWorker {
  /** Sends a message, which waits until the Worker has started. */
  post: Post;
  /** Ends it, with all Workers that it has started. */
  end(): void;
}

/** Sends a message to another thread. */
export type Post = (message: unknown, transfer?: Transferable[]) => void;

/** Listens to a Worker. */
export interface WorkerListener<Message> {
  onMessage(message: Message): void;
  /** Called with the message of an uncaught error, which has ended the Worker. */
  onError(message: string): void;
}

/** A Worker to start. */
interface Order {
  script: string;
  name: string;
  /** Its channel to the thread that it is for, unless that is the main thread. */
  port?: MessagePort;
}

/** What the main thread and a Worker tell each other besides messages of others. */
interface Control {
  /** To a Worker: its channel to the thread that it is for. */
  port?: MessagePort;
  /** To the main thread: starts a Worker with a number of the sender's choice. */
  start?: Order & { id: number };
  /** To the main thread: ends a Worker. */
  end?: number;
  /** To a Worker: an uncaught error has ended one that it had started. */
  failed?: { id: number; message: string };
}

type Channel = Pick<MessagePort, "postMessage" | "onmessage">;

/** In a Worker: the channel to the main thread. */
const scope = globalThis as unknown as Channel;

/** In a Worker: the channel to the thread that it is for, once it listens to it. */
let channel: Channel | undefined;

/** In a Worker: those that it has had started and that have not ended. */
const asked = new Map<number, (message: string) => void>();
let lastId = 0;

/**
 * Starts a Worker, always in the main thread of the process: Deno 2.9 holds up a Worker that a
 * Worker starts by itself for a second, in which a debugger could attach to it.
 *
 * @param script its module, which calls {@linkcode openChannel}
 * @param name the thread's name, as of `workerName()`
 */
export function startWorker<Message>(
  script: URL,
  name: string,
  listener: WorkerListener<Message>,
): StartedWorker {
  const order = { script: script.href, name };
  if (!channel) return start(order, listener as WorkerListener<unknown>);
  const { port1, port2: port } = new MessageChannel();
  const id = ++lastId;
  port1.onmessage = ({ data }) => listener.onMessage(data);
  asked.set(id, listener.onError);
  tell(scope, { start: { ...order, id, port } }, port);
  return {
    post: (message, transfer = []) => port1.postMessage(message, transfer),
    end() {
      port1.close();
      if (asked.delete(id)) tell(scope, { end: id });
    },
  };
}

/**
 * In a Worker: listens to the thread that it is for. Called once.
 *
 * @returns posts to that thread, from its first message on
 */
export function openChannel<Message>(onMessage: (message: Message) => void): Post {
  channel = scope;
  scope.onmessage = ({ data }) => {
    const control = controlOf(data);
    if (!control) return onMessage(data);
    const { port, failed } = control;
    if (port) {
      channel = port;
      port.onmessage = ({ data }) => onMessage(data);
    }
    if (!failed) return;
    const onError = asked.get(failed.id);
    asked.delete(failed.id);
    onError?.(failed.message);
  };
  return (message, transfer = []) => channel?.postMessage(message, transfer);
}

/** Starts a Worker here. */
function start(
  { script, name, port }: Order,
  { onMessage, onError }: WorkerListener<unknown>,
): StartedWorker {
  const worker = new Worker(script, { type: "module", name });
  /** What ends each Worker that it has started. */
  const own = new Map<number, () => void>();
  const end = () => {
    worker.terminate();
    for (const endOwn of own.values()) endOwn();
  };
  worker.onmessage = ({ data }) => {
    const control = controlOf(data);
    if (!control) return onMessage(data);
    if (control.start) own.set(control.start.id, startFor(worker, control.start));
    if (control.end === undefined) return;
    own.get(control.end)?.();
    own.delete(control.end);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end();
    onError(event.message);
  };
  if (port) tell(worker, { port }, port);
  return { post: (message, transfer = []) => worker.postMessage(message, transfer), end };
}

/** Starts a Worker for another one. @returns what ends it */
function startFor(worker: Worker, { id, ...order }: Order & { id: number }): () => void {
  const onError = (message: string) => tell(worker, { failed: { id, message } });
  return start(order, { onMessage() {}, onError }).end;
}

function tell(to: Channel | Worker, control: Control, ...transfer: MessagePort[]): void {
  to.postMessage({ control }, transfer);
}

function controlOf(message: unknown): Control | undefined {
  if (typeof message !== "object" || message === null || !("control" in message)) return undefined;
  return message.control as Control;
}
