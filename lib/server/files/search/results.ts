import type { SearchResult, TreeEntry } from "../../../shared/schemas/entry.ts";
import type { SearchFormat } from "./query.ts";
import type { StreamCall } from "../../core/concurrency/serve_worker.ts";

/** The length of a chunk, in characters. */
const partLength = 32 * 1024;

/** Time to gather results into one chunk, in milliseconds. */
const gatherMs = 10;

/** Buffer of the results of a walk, sent in chunks. */
export class Results {
  readonly #call: StreamCall;
  readonly #isArray: boolean;
  readonly #encoder = new TextEncoder();
  #text: string;
  /** Additions so far. */
  #count = 0;
  #hasSent = false;
  #sentAt = -Infinity;

  constructor(call: StreamCall, format: SearchFormat) {
    this.#call = call;
    this.#isArray = format === "json";
    this.#text = this.#isArray ? "[" : "";
  }

  /** Adds a result. */
  add(result: SearchResult | TreeEntry): void {
    const json = JSON.stringify(result);
    this.#text += this.#isArray ? (this.#count === 0 ? json : `,${json}`) : `${json}\n`;
    this.#count++;
  }

  /** Adds results of another thread: each as JSON, with a line feed behind it. */
  addLines(lines: string): void {
    if (lines === "") return;
    const joint = this.#count === 0 ? "" : ",";
    this.#text += this.#isArray ? joint + lines.slice(0, -1).replaceAll("\n", ",") : lines;
    this.#count++;
  }

  /** Whether the results fill a chunk, which must be sent before more are added. */
  get isFull(): boolean {
    return this.#text.length >= partLength;
  }

  /** Whether results have waited long enough; the first ones do not wait. */
  get isDue(): boolean {
    return this.#count > 0 && performance.now() - this.#sentAt >= gatherMs;
  }

  /** Sends buffered results if the reader keeps up; the first result waits for the reader. */
  async flush(): Promise<void> {
    if (this.#count > 0 && (this.#call.hasCapacity || !this.#hasSent)) await this.send();
  }

  /** Sends the rest. */
  async end(): Promise<void> {
    if (this.#isArray) this.#text += "]";
    await this.send();
  }

  /** Sends buffered results once the reader has room. */
  async send(): Promise<void> {
    this.#sentAt = performance.now();
    if (this.#text === "") return;
    const part = this.#encoder.encode(this.#text);
    this.#text = "";
    await this.#call.send(part);
    this.#hasSent = true;
  }
}
