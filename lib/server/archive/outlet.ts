import type { PatientSteps } from "../rpc/slices.ts";

/** How many pages may be on their way to the client's connection at a time. */
const mostOnTheWay = 3;

/**
 * The Worker's end of a download. Every page that leaves takes a credit; a credit comes back when
 * the connection has taken a page. So a slow client holds up the reading, and no page waits in
 * memory beyond those few.
 */
export class Outlet {
  readonly #post: (bytes: Uint8Array<ArrayBuffer>) => void;
  #credits = mostOnTheWay;
  #granted: PromiseWithResolvers<void> | null = null;

  /** What to do while the client is slow; false when there is nothing. */
  idle: () => boolean = () => false;

  /** @param post sends bytes off; they are not touched afterwards */
  constructor(post: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#post = post;
  }

  /** Gives back credits. */
  grant(count: number): void {
    this.#credits += count;
    this.wake();
  }

  /** Ends a wait, so that whoever waits looks around again. */
  wake(): void {
    this.#granted?.resolve();
    this.#granted = null;
  }

  /** Sends bytes off as soon as there is a credit for them. */
  *send(bytes: Uint8Array<ArrayBuffer>): PatientSteps<void> {
    while (this.#credits <= 0) {
      if (this.idle()) yield;
      else yield (this.#granted ??= Promise.withResolvers()).promise;
    }
    this.#credits--;
    this.#post(bytes);
    yield;
  }
}
