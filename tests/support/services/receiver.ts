/** A server that webhooks are sent to. */
import { createHmac } from "node:crypto";

/** A request as it has come. */
export interface Received {
  method: string;
  path: string;
  headers: Headers;
  body: string;
  /** The body as JSON. */
  event: { type: string; timestamp: string; data: Record<string, unknown> };
}

/** A receiver on this machine. */
export interface Receiver extends AsyncDisposable {
  url: string;
  port: number;
  received: Received[];
  /** Answers the requests that follow; 204 unless given. */
  answer(status: number, headers?: HeadersInit): void;
  /** Waits until so many requests have come in all. */
  next(count: number): Promise<Received[]>;
}

/** Listens on an address of this machine. */
export function startReceiver(
  { hostname = "127.0.0.1", port = 0, tls }: {
    hostname?: string;
    port?: number;
    tls?: { cert: string; key: string };
  } = {},
): Receiver {
  const received: Received[] = [];
  let waiting: (() => void)[] = [];
  let reply = () => new Response(null, { status: 204 });
  const server = Deno.serve(
    { hostname, port, onListen: () => {}, ...tls ?? {} },
    async (req) => {
      const body = await req.text();
      const { pathname, search } = new URL(req.url);
      const { method, headers } = req;
      const event = body.startsWith("{") ? JSON.parse(body) : {};
      received.push({ method, path: pathname + search, headers, body, event });
      for (const wake of waiting) wake();
      waiting = [];
      return reply();
    },
  );
  return {
    url: `${tls ? "https" : "http"}://${hostname}:${server.addr.port}`,
    port: server.addr.port,
    received,
    answer(status, headers = {}) {
      reply = () => new Response(null, { status, headers });
    },
    async next(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return received;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}

/** Verifies a request as docs/mail-and-webhooks.md shows it, by its secret alone. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const key = Uint8Array.from(
    atob(secret.replace(/^whsec_/, "")),
    (character) => character.charCodeAt(0),
  );
  const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return (headers.get("webhook-signature") ?? "").split(" ").includes(expected);
}
