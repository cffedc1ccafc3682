import { collectWhenQuiet } from "../core/concurrency/collect_garbage.ts";

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
  }

  /** Serves a request; once draining has begun, answers 503 instead. */
  readonly handler: Deno.ServeHandler = async (req, info) => {
    if (this.#isDraining || this.#isAnnounced && this.#isProbe(req)) return stopping();
    this.#unanswered++;
    try {
      return await this.#serve(req, info);
    } finally {
      if (--this.#unanswered === 0) this.#answered?.();
      collectWhenQuiet(() => this.#unanswered === 0);
    }
  };

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
