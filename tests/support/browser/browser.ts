/** A Chromium for end-to-end tests, and pages in it that do not let any complaint pass. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { ensureChromium } from "./chromium.ts";
import { type FontSet, fontsFile } from "./fonts.ts";
import { noteNews } from "./news.ts";

/** What a page is opened on, and what it may complain about. */
export interface PageOptions {
  /** Where relative addresses start: the server's `url`. */
  url: string;
  /** `phone` is narrow and has touch, `tablet` has touch alone; `desktop` when left out. */
  device?: "desktop" | "phone" | "tablet";
  scheme?: "light" | "dark";
  /** Origins of other servers that the page may ask. */
  others?: string[];
  /** A language tag; "en" when left out. */
  language?: string;
  /** Lets the site's service worker in, which keeps answers from one page to the next: in a context
   * of its own. */
  installed?: boolean;
  /** False renders what the server sent and runs no script. */
  scripts?: boolean;
  /**
   * Statuses of 400 and above that the test provokes: Chromium writes each to its console. 0 stands
   * for calls that nobody answers.
   */
  expected?: number[];
}

const flags = [
  ...["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-gpu"],
  ...["--disable-component-update", "--disable-sync", "--no-first-run"],
];

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true },
};

/** Nothing takes longer, not even on a machine that others keep busy. */
const limitMs = 30_000;

/**
 * Starts a browser; for `Deno.test.beforeAll`, with `close()` in `afterAll`. File names are UTF-8
 * to it, whatever the machine is set to.
 *
 * @param kind `whole` for one that shows PDFs
 * @param more flags of Chromium
 */
export async function openBrowser(
  kind: "any" | "whole" = "any",
  fonts: FontSet = "dejavu",
  more: string[] = [],
): Promise<Browser> {
  const executablePath = await ensureChromium(kind);
  const env = { ...Deno.env.toObject(), LC_ALL: "C.UTF-8", FONTCONFIG_FILE: fontsFile(fonts) };
  return await chromium.launch({ executablePath, args: [...flags, ...more], env });
}

/** What tests with the same options open their pages in, one after the other. */
interface Shared {
  context: BrowserContext;
  /** Where complaints of the present test go. */
  listener: Listener;
}

/** Whose complaints count, and what came of them. */
interface Listener {
  options: PageOptions;
  complaints: string[];
  /** The pages of former tests: what is still heard of them is nobody's. */
  former: WeakSet<Page>;
}

const contexts = new WeakMap<Browser, Map<string, Promise<Shared>>>();

/**
 * Runs a test in a page of its own. Tests with the same options share the cache alone, as visits of
 * one person do: cookies, storage, workers and permissions are cleared in between.
 *
 * @throws Error when the page wrote an error to the console, threw, broke its content security
 * policy, or asked another server for anything.
 */
export async function visit(
  browser: Browser,
  options: PageOptions,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  if (!options.installed) {
    const { context, listener } = await sharedContext(browser, options);
    Object.assign(listener, { options, complaints: [] });
    try {
      await meet(context, listener, body);
    } finally {
      await clear(context, listener);
    }
    return;
  }
  const { context, listener } = await openContext(browser, options);
  try {
    await meet(context, listener, body);
  } finally {
    await context.close();
  }
}

async function meet(
  context: BrowserContext,
  listener: Listener,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  try {
    await body(page);
  } catch (error) {
    throw await explain(error, page, listener.complaints);
  }
  const { complaints } = listener;
  if (complaints.length > 0) throw new Error(`The page complains:\n${complaints.join("\n")}`);
}

/** The context of all tests in a browser that have these options. */
async function sharedContext(browser: Browser, options: PageOptions): Promise<Shared> {
  const ofBrowser = contexts.get(browser) ?? new Map<string, Promise<Shared>>();
  contexts.set(browser, ofBrowser);
  const key = JSON.stringify(contextOptions(options));
  const shared = ofBrowser.get(key) ?? openContext(browser, options);
  ofBrowser.set(key, shared);
  return await shared;
}

/** Leaves nothing of a test in a context but what the browser caches. */
async function clear(context: BrowserContext, { options, former }: Listener): Promise<void> {
  for (const page of context.pages()) {
    former.add(page);
    await page.close();
  }
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
  // Only now: a page may store something as it is closed.
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  for (const origin of [options.url, ...options.others ?? []].map((url) => new URL(url).origin)) {
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
  }
  former.add(page);
  await page.close();
}

/** All but cookies: those have no origin. */
const storageTypes = [
  ...["local_storage", "indexeddb", "cache_storage", "service_workers", "file_systems"],
  ...["shared_storage", "storage_buckets"],
].join();

function contextOptions(options: PageOptions) {
  return {
    ...devices[options.device ?? "desktop"],
    baseURL: options.url,
    colorScheme: options.scheme ?? "light",
    locale: options.language ?? "en",
    javaScriptEnabled: options.scripts ?? true,
    reducedMotion: "reduce",
    serviceWorkers: options.installed ? "allow" : "block",
  } as const;
}

async function openContext(browser: Browser, options: PageOptions): Promise<Shared> {
  const context = await browser.newContext(contextOptions(options));
  context.setDefaultTimeout(limitMs);
  const listener: Listener = { options, complaints: [], former: new WeakSet() };
  await listen(context, listener);
  return { context, listener };
}

/** Gathers what goes wrong in any page of a context. */
async function listen(context: BrowserContext, listener: Listener): Promise<void> {
  const { former } = listener;
  const isFormer = (page: Page | null | undefined) => !!page && former.has(page);
  const complain = (text: string) => void listener.complaints.push(text);

  context.on("console", (message) => {
    if (message.type() !== "error" || isFormer(message.page())) return;
    const expected = (listener.options.expected ?? []).map((status) =>
      status === 0 ? "net::ERR_" : `with a status of ${status} `
    );
    if (expected.some((part) => message.text().includes(part))) return;
    complain(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => {
    if (!isFormer(error.page())) complain(`uncaught: ${error.error().stack}`);
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    const { options } = listener;
    const origins = [new URL(options.url).origin, ...options.others ?? []];
    if (url.protocol.startsWith("http") && !origins.includes(url.origin)) {
      complain(`request to another server: ${url}`);
    }
  });
  if (listener.options.scripts === false) return;

  await noteNews(context);
  await context.exposeBinding("reportViolation", ({ page }, text: string) => {
    if (!isFormer(page)) complain(`content security policy: ${text}`);
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const report = Reflect.get(globalThis, "reportViolation");
      report(`${event.violatedDirective} refused ${event.blockedURI} on ${event.documentURI}`);
    });
  });
}

/** Adds what the page showed and complained of to the error of a test. */
async function explain(error: unknown, page: Page, complaints: string[]): Promise<Error> {
  const cause = error instanceof Error ? error : new Error(String(error));
  const shown = await page.locator("body").ariaSnapshot({ timeout: 2_000 }).catch(() => "nothing");
  cause.message += `\n\nAt ${page.url()} the page showed:\n${shown.slice(0, 4_000)}`;
  if (complaints.length > 0) cause.message += `\n\nIt complains:\n${complaints.join("\n")}`;
  return cause;
}
