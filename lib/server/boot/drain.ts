/** Counts requests in progress, and can refuse new ones. */
export class Drain {
  #unanswered = 0;
  #isDraining = false;
  #answered: (() => void) | undefined;
  readonly #serve: Deno.ServeHandler;

  constructor(serve: Deno.ServeHandler) {
    this.#serve = serve;
  }

  /** Serves a request; once draining has begun, answers 503 instead. */
  readonly handler: Deno.ServeHandler = async (req, info) => {
    if (this.#isDraining) return stopping();
    this.#unanswered++;
    try {
      return await this.#serve(req, info);
    } finally {
      if (--this.#unanswered === 0) this.#answered?.();
    }
  };

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
