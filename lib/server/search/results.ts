import type { SearchFormat } from "./query.ts";
import type { WorkerCall } from "../concurrency/worker_call.ts";

/** The length of one part, in characters. */
const partLength = 32 * 1024;

/** Results wait this long for others to be sent with them, in milliseconds. */
const gatherMs = 10;

/** The results of a search on their way out. */
export class Results {
  readonly #call: WorkerCall;
  readonly #isArray: boolean;
  readonly #encoder = new TextEncoder();
  #text: string;
  #count = 0;
  #hasSent = false;
  #sentAt = -Infinity;

  constructor(call: WorkerCall, format: SearchFormat) {
    this.#call = call;
    this.#isArray = format === "json";
    this.#text = this.#isArray ? "[" : "";
  }

  /** Adds a result. */
  add(result: { path: string; dir: boolean }): void {
    const json = JSON.stringify(result);
    this.#text += this.#isArray ? (this.#count === 0 ? json : `,${json}`) : `${json}\n`;
    this.#count++;
  }

  /** Whether the results fill a part, which is to be sent before more are added. */
  get isFull(): boolean {
    return this.#text.length >= partLength;
  }

  /** Whether results have waited long enough; the first ones do not wait. */
  get isDue(): boolean {
    return this.#count > 0 && performance.now() - this.#sentAt >= gatherMs;
  }

  /** Lets out what there is, if the reader keeps up; the first result waits for the reader. */
  async flush(): Promise<void> {
    if (this.#count > 0 && (this.#call.isWanted || !this.#hasSent)) await this.send();
  }

  /** Lets out the rest. */
  async end(): Promise<void> {
    if (this.#isArray) this.#text += "]";
    await this.send();
  }

  /** Sends the results so far, as soon as the reader has room for them. */
  async send(): Promise<void> {
    this.#sentAt = performance.now();
    if (this.#text === "") return;
    const part = this.#encoder.encode(this.#text);
    this.#text = "";
    await this.#call.send(part);
    this.#hasSent = true;
  }
}
