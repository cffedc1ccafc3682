import type { SearchFormat } from "../search/query.ts";
import type { Outlet } from "../rpc/outlet.ts";
import type { PatientSteps } from "../rpc/slices.ts";

/** The length of one part, in characters. */
const partLength = 32 * 1024;

/** Results wait this long for others to be sent with them, in milliseconds. */
const gatherMs = 10;

/** The results of a search on their way out. */
export class Results {
  readonly #outlet: Outlet;
  readonly #isArray: boolean;
  readonly #encoder = new TextEncoder();
  #text: string;
  #count = 0;
  #hasSent = false;
  #sentAt = -Infinity;

  constructor(outlet: Outlet, format: SearchFormat) {
    this.#outlet = outlet;
    this.#isArray = format === "json";
    this.#text = this.#isArray ? "[" : "";
  }

  /** Adds a result; rests at each whole part, and for as long as the reader is behind. */
  *add(result: { path: string; dir: boolean }): PatientSteps<void> {
    const json = JSON.stringify(result);
    this.#text += this.#isArray ? (this.#count === 0 ? json : `,${json}`) : `${json}\n`;
    this.#count++;
    if (this.#text.length < partLength) return;
    yield* this.#send();
    yield;
  }

  /** Whether results have waited long enough; the first ones do not wait. */
  get isDue(): boolean {
    return this.#count > 0 && performance.now() - this.#sentAt >= gatherMs;
  }

  /** Lets out what there is, if the reader keeps up; the first result waits for the reader. */
  *flush(): PatientSteps<void> {
    if (this.#count > 0 && (this.#outlet.isWanted || !this.#hasSent)) yield* this.#send();
  }

  /** Lets out the rest. */
  *end(): PatientSteps<void> {
    if (this.#isArray) this.#text += "]";
    yield* this.#send();
  }

  *#send(): PatientSteps<void> {
    this.#sentAt = performance.now();
    if (this.#text === "") return;
    if (!this.#outlet.isWanted) yield this.#outlet.wanted();
    this.#outlet.send(this.#encoder.encode(this.#text));
    this.#text = "";
    this.#hasSent = true;
  }
}
