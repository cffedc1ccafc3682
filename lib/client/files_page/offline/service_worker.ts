/** The page that is shown while the server does not answer, below the base URL. */
export const OFFLINE_PAGE = "/offline";

/** Where a system's share menu sends files, below the base URL: the service worker takes them. */
export const SHARE_TARGET = "/share-target";

/** The cache that holds shared files until a page takes them. @param base "" or "/base" */
export function sharedCache(base: string): string {
  return `cubby${base}:shared`;
}

/** How long shared files wait for a page, in milliseconds. */
export const SHARED_MS = 10 * 60_000;

/** The data that the service worker starts with. */
export interface WorkerSetup {
  /** "" or "/base". */
  base: string;
  /** Changes with each build. */
  build: string;
  /** The addresses to keep from the start: the offline page, and what it shows. */
  kept: string[];
  offline: string;
  shareTarget: string;
  shared: string;
  sharedMs: number;
}

/** The parts of a service worker's global scope that are used. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly caches: CacheStorage;
  readonly clients: { claim(): Promise<void> };
  readonly registration: {
    unregister(): Promise<boolean>;
    readonly navigationPreload?: { enable(): Promise<void> };
  };
  fetch(request: Request): Promise<Response>;
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

/** An event of a service worker; which members it has depends on its type. */
export interface WorkerEvent {
  readonly request: Request;
  readonly preloadResponse?: Promise<Response | undefined>;
  readonly data?: unknown;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

/**
 * The service worker. The server sends the text of this function, so it uses nothing outside of it.
 *
 * - It keeps the scripts, styles and icons of one build, which are the same for everybody, and
 * never
 *   an answer with anybody's data. The next build's worker waits until no page of this one is open;
 *   then it removes what this one has kept. So an open page always gets its own build's code.
 * - While the server does not answer, pages are answered with the offline page.
 * - Files from the system's share menu are kept until a page takes them.
 */
export function serviceWorker(scope: WorkerScope, setup: WorkerSetup): void {
  const { base, build, kept, offline, shareTarget, shared, sharedMs } = setup;
  const own = `cubby${base}:`;
  const name = own + build;
  const assets = ["_fresh/js/", "icons/", "branding/"].map((path) => `${base}/${path}`);
  const isAsset = ({ pathname }: URL) =>
    assets.some((folder) => pathname.startsWith(folder)) ||
    pathname.startsWith(`${base}/`) &&
      /^[\w-]+\.(?:css|js|svg)$/.test(pathname.slice(base.length + 1));

  scope.addEventListener("install", (event) => {
    event.waitUntil(scope.caches.open(name).then((cache) => cache.addAll(kept)));
  });

  scope.addEventListener("activate", (event) => event.waitUntil(activate()));

  scope.addEventListener("message", (event) => {
    const { data } = event;
    // Without the server the former page stays.
    if (typeof data === "string") event.waitUntil(freshen(data).catch(() => {}));
  });

  scope.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== scope.location.origin) return;
    if (request.method === "POST") {
      if (url.pathname === base + shareTarget) event.respondWith(take(request));
      if (url.pathname === `${base}/api/logout`) event.waitUntil(scope.caches.delete(shared));
    } else if (request.method === "GET") {
      const isCall = url.pathname.startsWith(`${base}/api/`);
      if (request.mode === "navigate" && !isCall) event.respondWith(show(event));
      else if (isAsset(url)) event.respondWith(load(request));
    }
  });

  async function activate(): Promise<void> {
    for (const key of await scope.caches.keys()) {
      if (key.startsWith(own) && key !== name && key !== shared) await scope.caches.delete(key);
    }
    await dropOld();
    await scope.registration.navigationPreload?.enable();
    await scope.clients.claim();
  }

  /** A page, or the offline page when neither the server nor a proxy before it has one. */
  async function show(event: WorkerEvent): Promise<Response> {
    event.waitUntil(dropOld());
    let answer: Response;
    try {
      answer = await event.preloadResponse ?? await scope.fetch(event.request);
    } catch {
      return await offlinePage() ?? Response.error();
    }
    // Every page of this server has a policy; the page of a proxy that misses the server has none.
    const isOfProxy = answer.status >= 502 && answer.status <= 504 &&
      !answer.headers.has("content-security-policy");
    return isOfProxy ? await offlinePage() ?? answer : answer;
  }

  async function offlinePage(): Promise<Response | undefined> {
    return await (await scope.caches.open(name)).match(base + offline);
  }

  /** A file of a build, which never changes. Others are not kept. */
  async function load(request: Request): Promise<Response> {
    const cache = await scope.caches.open(name);
    const known = await cache.match(request, { ignoreVary: true });
    if (known) return known;
    const answer = await scope.fetch(request);
    const isFinal = (answer.headers.get("cache-control") ?? "").includes("immutable");
    if (answer.status === 200 && isFinal) {
      // Without room for it the page works nevertheless.
      await cache.put(request, answer.clone()).catch(() => {});
    }
    return answer;
  }

  /** Reads the offline page again when pages look otherwise now: another language, or theme. */
  async function freshen(look: string): Promise<void> {
    const cache = await scope.caches.open(name);
    const known = await cache.match(base + offline);
    if (known && known.headers.get("x-look") !== look) await cache.add(base + offline);
  }

  /** Keeps shared files in place of former ones, and opens the page that asks where they go. */
  async function take(request: Request): Promise<Response> {
    let outcome = "failed";
    try {
      const files = (await request.formData()).getAll("files")
        .filter((file) => typeof file !== "string");
      await scope.caches.delete(shared);
      const cache = await scope.caches.open(shared);
      for (const [index, file] of files.entries()) {
        const headers = {
          "content-type": file.type || "application/octet-stream",
          "x-name": encodeURIComponent(file.name),
          "x-modified": String(file.lastModified),
          "x-taken": String(Date.now()),
        };
        await cache.put(`${base}${shareTarget}/${index}`, new Response(file, { headers }));
      }
      outcome = "files";
    } catch {
      await scope.caches.delete(shared);
    }
    const page = new URL(`${base}/files/?shared=${outcome}`, scope.location.origin);
    return Response.redirect(page.href, 303);
  }

  /** Drops shared files that no page has taken in time. */
  async function dropOld(): Promise<void> {
    if (!await scope.caches.has(shared)) return;
    const cache = await scope.caches.open(shared);
    const [first] = await cache.keys();
    const taken = first && (await cache.match(first))?.headers.get("x-taken");
    if (Date.now() - Number(taken ?? 0) > sharedMs) await scope.caches.delete(shared);
  }
}

/**
 * The service worker of a server that has none any more: it removes what a former one has kept, and
 * itself. Sent as text, too.
 */
export function retiredWorker(scope: WorkerScope, { base }: Pick<WorkerSetup, "base">): void {
  scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener("activate", (event) => event.waitUntil(retire()));

  async function retire(): Promise<void> {
    for (const key of await scope.caches.keys()) {
      if (key.startsWith(`cubby${base}:`)) await scope.caches.delete(key);
    }
    await scope.registration.unregister();
  }
}
