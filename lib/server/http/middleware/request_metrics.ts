import { Counter, hasMetrics, Histogram } from "../../core/metrics/metrics.ts";

/** The counts of one request. */
export interface CountedRequest {
  req: Request;
  /** The pattern of its route, never its path; null for files of the build and what is nowhere. */
  route: string | null;
  status: number;
  /** From the arrival of the request to the headers of the answer. */
  ms: number;
  /** Length of its body, by {@linkcode announcedLength}. */
  length: number;
  /** The answer, unless an error was thrown in place of one. */
  answer?: Response;
}

/** Upper bounds of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** The methods that are counted apart. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const received = new Counter("cubby_request_body_bytes_total");
const sent = new Counter("cubby_response_body_bytes_total");
const offloaded = new Counter("cubby_offloaded_total");

/** The series of one route. */
class RouteSeries {
  readonly durations: Histogram;
  readonly #route: string;
  /** By method and class of the status. */
  readonly #requests = new Map<string, Counter>();

  constructor(route: string) {
    this.#route = route;
    this.durations = new Histogram("cubby_request_duration_seconds", bounds, { route });
  }

  requests(method: string, status: number): Counter {
    const key = `${method}${Math.floor(status / 100)}`;
    let counter = this.#requests.get(key);
    if (!counter) {
      const labels = { route: this.#route, method, status: `${Math.floor(status / 100)}xx` };
      counter = new Counter("cubby_requests_total", labels);
      this.#requests.set(key, counter);
    }
    return counter;
  }
}

const routes = new Map<string | null, RouteSeries>();

/** Counts a request; does nothing while metrics are off. */
export function countRequest({ req, route, status, ms, length, answer }: CountedRequest): void {
  if (!hasMetrics()) return;
  let series = routes.get(route);
  if (!series) {
    series = new RouteSeries(route === null ? "other" : plainPattern(route));
    routes.set(route, series);
  }
  series.durations.observe(ms / 1000);
  series.requests(methods.has(req.method) ? req.method : "other", status).add();
  received.add(length);
  if (!answer) return;
  // By the header: a look at the property `body` alone makes a stream of it.
  if (req.method !== "HEAD") sent.add(lengthIn(answer.headers));
  if (answer.headers.has("x-accel-redirect") || answer.headers.has("x-sendfile")) offloaded.add();
}

/**
 * The announced length of a request's body, in bytes; 0 while metrics are off. To be read before
 * the answer: the headers of a request that has become a WebSocket cannot be.
 */
export function announcedLength(req: Request): number {
  return hasMetrics() ? lengthIn(req.headers) : 0;
}

function lengthIn(headers: Headers): number {
  const length = Number(headers.get("content-length") ?? 0);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

/** A pattern as people write it: `/api/raw/*` for `/api/raw/*?`. */
function plainPattern(pattern: string): string {
  return pattern.replace(/\{(.*?)\}[?*+]?/g, "$1").replace(/\*\?$/, "*");
}
