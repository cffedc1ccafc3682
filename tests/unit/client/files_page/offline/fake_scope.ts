/** A browser's service worker without a browser: its caches, its events, and a network of the test's. */
import type {
  WorkerEvent,
  WorkerScope,
} from "../../../../../lib/client/files_page/offline/service_worker.ts";

/** What the network answers; throws as without a connection. */
export type Network = (request: Request) => Response | Promise<Response>;

/** The origin of the site. */
export const ORIGIN = "https://files.test";

/** Caches in memory, as those of one origin. */
class FakeCaches {
  readonly all = new Map<string, Map<string, Response>>();
  readonly #network: () => Network;

  constructor(network: () => Network) {
    this.#network = network;
  }

  open(name: string): Promise<Cache> {
    const kept = this.all.get(name) ?? new Map<string, Response>();
    this.all.set(name, kept);
    const add = async (address: string) => {
      const answer = await this.#network()(new Request(urlOf(address)));
      if (!answer.ok) throw new TypeError("Request failed");
      kept.set(urlOf(address), answer);
    };
    const cache = {
      match: (key: Request | string) => Promise.resolve(kept.get(urlOf(key))?.clone()),
      put: (key: Request | string, answer: Response) =>
        Promise.resolve(void kept.set(urlOf(key), answer)),
      keys: () => Promise.resolve([...kept.keys()].map((url) => new Request(url))),
      add,
      addAll: async (addresses: string[]) => void await Promise.all(addresses.map(add)),
    };
    return Promise.resolve(cache as unknown as Cache);
  }

  has(name: string): Promise<boolean> {
    return Promise.resolve(this.all.has(name));
  }

  delete(name: string): Promise<boolean> {
    return Promise.resolve(this.all.delete(name));
  }

  keys(): Promise<string[]> {
    return Promise.resolve([...this.all.keys()]);
  }

  /** The paths and queries that a cache holds. */
  paths(name: string): string[] {
    return [...this.all.get(name)?.keys() ?? []].map((url) => url.slice(ORIGIN.length)).sort();
  }
}

/** A scope that a worker's function is started in, and what a browser does with it. */
export class FakeScope {
  network: Network = () => new Response("?", { status: 404 });
  readonly caches = new FakeCaches(() => this.network);
  readonly listeners = new Map<string, (event: WorkerEvent) => void>();
  unregistered = false;
  claimed = false;

  /** As the worker sees it. */
  get scope(): WorkerScope {
    return {
      location: { origin: ORIGIN },
      caches: this.caches as unknown as CacheStorage,
      clients: { claim: () => Promise.resolve(void (this.claimed = true)) },
      registration: { unregister: () => Promise.resolve(this.unregistered = true) },
      fetch: async (request) => await this.network(request),
      skipWaiting: () => Promise.resolve(),
      addEventListener: (type, listener) => void this.listeners.set(type, listener),
    };
  }

  /** Has an event of the worker's life happen, and waits for what it does. */
  async live(type: "install" | "activate" | "message", data?: unknown): Promise<void> {
    const works: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void works.push(work);
    this.listeners.get(type)?.({ data, waitUntil } as WorkerEvent);
    await Promise.all(works);
  }

  /** Makes a request of a page; null when the worker leaves it to the browser. */
  async ask(
    path: string,
    init: RequestInit & { navigates?: boolean } = {},
  ): Promise<Response | null> {
    const request = new Request(urlOf(path), init);
    if (init.navigates) Object.defineProperty(request, "mode", { value: "navigate" });
    let answer: Promise<Response> | null = null;
    const works: Promise<unknown>[] = [];
    this.listeners.get("fetch")?.({
      request,
      respondWith: (given: Promise<Response>) => void (answer = given),
      waitUntil: (work: Promise<unknown>) => void works.push(work),
    });
    await Promise.all(works);
    return await answer;
  }
}

function urlOf(key: Request | string): string {
  return typeof key === "string" ? new URL(key, ORIGIN).href : key.url;
}
