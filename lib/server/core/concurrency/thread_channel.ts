import { LruCache } from "../../../shared/lru_cache.ts";

/** Interval at which channels may repeat their numbers, in milliseconds; and in how many they do. */
const tickMs = 1_000;
const maxTicks = 1_024;

/** Most threads whose numbers are known: those of a process, with those that have ended. */
const maxPeers = 1_000;

/** What was posted at once. */
interface Batch<Message> {
  from: string;
  /** How many batches came before it from there. */
  part: number;
  /** None in a repetition, which tells the number of the next one. */
  messages: Message[];
}

/** The channels of this thread. */
const channels = new Set<{ tick(): void }>();
let isServing = false;

/**
 * From now on channels of this thread repeat their numbers, by one timer, and new ones may ask what
 * they have missed: in the threads of a server, before they open the application.
 */
export function serveThread(): Disposable {
  isServing = true;
  const timer = setInterval(() => channels.forEach((channel) => channel.tick()), tickMs);
  Deno.unrefTimer(timer);
  return {
    [Symbol.dispose]() {
      isServing = false;
      clearInterval(timer);
    },
  };
}

/** Whether there may be other threads that know more: not in a process of one. */
export function isServingThread(): boolean {
  return isServing;
}

/** The receiver's side of a channel. */
interface Receiver<Message> {
  take(message: Message): void;
  /** Called when messages of a thread were lost, or came before this thread listened. */
  onLost?(): void;
}

/**
 * Messages to all other threads of this process, in their order; what is posted at once is one
 * message. Deno drops messages, whatever their channel, to a thread that is more than 256 behind.
 * So they are numbered, and a server repeats the last number after 1, 2, 4, … seconds: a thread that
 * was behind notices a loss after as long again and two seconds, at the latest.
 */
export class ThreadChannel<Message> implements Disposable {
  readonly #channel: BroadcastChannel;
  readonly #receiver: Receiver<Message>;
  readonly #own = crypto.randomUUID();
  readonly #heard = new LruCache<string, number>(maxPeers);
  #waiting: Message[] = [];
  #sent = 0;
  /** Ticks since the last message. */
  #ticks = maxTicks;
  #isClosed = false;

  /** @param name by which the threads find each other */
  constructor(name: string, receiver: Receiver<Message>) {
    this.#receiver = receiver;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<Batch<Message>>) => this.#take(data);
    channels.add(this);
  }

  /** Never fails, also when it is closed. */
  post(message: Message): void {
    if (this.#waiting.push(message) === 1) queueMicrotask(() => this.#send());
  }

  close(): void {
    this.#send();
    this.#isClosed = true;
    this.#channel.close();
    channels.delete(this);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Repeats the number 1, 3, 7, … ticks after the last message. */
  tick(): void {
    if (this.#ticks >= maxTicks) return;
    this.#ticks++;
    if (Number.isInteger(Math.log2(this.#ticks + 1))) this.#broadcast([]);
  }

  #send(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length === 0 || this.#isClosed) return;
    this.#broadcast(messages);
    this.#sent++;
    this.#ticks = 0;
  }

  #broadcast(messages: Message[]): void {
    try {
      this.#channel.postMessage({ from: this.#own, part: this.#sent, messages });
    } catch {
      // Deno may refuse while another channel of this thread is being closed: it is lost.
    }
  }

  #take({ from, part, messages }: Batch<Message>): void {
    const isLost = part !== (this.#heard.get(from) ?? 0);
    this.#heard.set(from, messages.length > 0 ? part + 1 : part);
    if (isLost) this.#receiver.onLost?.();
    for (const message of messages) this.#receiver.take(message);
  }
}
