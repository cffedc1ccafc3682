/** A stand-in for the requests of uploads: XMLHttpRequest, which Deno does not have, and fetch. */
import { fetchReporting } from "../../../lib/client/base/api/tus.ts";

/** How a request ends by itself: a status, or null to leave it to the test. */
type Reflex = (request: FakeRequest) => { status: number; body?: string } | null;

/** One request, seen from the test. */
export class FakeRequest {
  /** Every request since the fake was put in place. */
  static sent: FakeRequest[] = [];
  static reflex: Reflex = () => null;

  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  readonly headers = new Headers();
  readonly answerHeaders = new Headers();
  method = "";
  url = "";
  status = 0;
  responseText = "";
  body: Blob | null = null;
  state: "open" | "sent" | "answered" | "aborted" | "lost" = "open";
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  /** The requests that wait for an answer. */
  static get waiting(): FakeRequest[] {
    return FakeRequest.sent.filter(({ state }) => state === "sent");
  }

  open(method: string, url: string): void {
    Object.assign(this, { method, url });
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }

  getAllResponseHeaders(): string {
    return [...this.answerHeaders].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  send(body: Blob): void {
    this.body = body;
    this.state = "sent";
    FakeRequest.sent.push(this);
    queueMicrotask(() => {
      const answer = FakeRequest.reflex(this);
      if (answer && this.state === "sent") this.answer(answer.status, answer.body);
    });
  }

  abort(): void {
    if (this.state !== "sent") return;
    this.state = "aborted";
    this.onabort?.();
    this.onloadend?.();
  }

  /** Lets the browser tell how many bytes have gone. */
  progress(loaded: number): void {
    this.upload.onprogress?.({ loaded });
  }

  /** The server answers. */
  answer(status: number, body = ""): void {
    this.state = "answered";
    this.status = status;
    this.responseText = body;
    this.onload?.();
    this.onloadend?.();
  }

  /** The network breaks. */
  lose(): void {
    this.state = "lost";
    this.onerror?.();
    this.onloadend?.();
  }
}

/** Puts the fake in the browser's place until the block ends: `using _ = fakeRequests(…)`. */
export function fakeRequests(reflex: Reflex = () => null): Disposable {
  const holder = globalThis as { XMLHttpRequest?: unknown };
  const before = holder.XMLHttpRequest;
  const realFetch = globalThis.fetch;
  globalThis.fetch = (address, init = {}) =>
    /\/api\/(public\/)?(tus|request)\//.test(String(address))
      ? fetchReporting(() => {})(String(address), init)
      : realFetch(address, init);
  FakeRequest.sent = [];
  FakeRequest.reflex = reflex;
  holder.XMLHttpRequest = FakeRequest;
  return {
    [Symbol.dispose]() {
      globalThis.fetch = realFetch;
      if (before === undefined) delete holder.XMLHttpRequest;
      else holder.XMLHttpRequest = before;
    },
  };
}
