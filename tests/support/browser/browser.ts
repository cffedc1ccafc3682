/** A Chromium for end-to-end tests, and pages in it that do not let any complaint pass. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { ensureChromium } from "./chromium.ts";
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
  /** Lets the site's service worker in, which keeps answers from one page to the next. */
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
 */
export async function openBrowser(kind: "any" | "whole" = "any"): Promise<Browser> {
  const executablePath = await ensureChromium(kind);
  const env = { ...Deno.env.toObject(), LC_ALL: "C.UTF-8" };
  return await chromium.launch({ executablePath, args: flags, env });
}

/**
 * Runs a test in a page of its own: no cookie and no cache are shared with another.
 *
 * @throws Error when the page wrote an error to the console, threw, broke its content security
 * policy, or asked another server for anything.
 */
export async function visit(
  browser: Browser,
  options: PageOptions,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    ...devices[options.device ?? "desktop"],
    baseURL: options.url,
    colorScheme: options.scheme ?? "light",
    locale: options.language ?? "en",
    javaScriptEnabled: options.scripts ?? true,
    reducedMotion: "reduce",
    serviceWorkers: options.installed ? "allow" : "block",
  });
  context.setDefaultTimeout(limitMs);
  try {
    const complaints = await listen(context, options);
    const page = await context.newPage();
    try {
      await body(page);
    } catch (error) {
      throw await explain(error, page, complaints);
    }
    if (complaints.length > 0) throw new Error(`The page complains:\n${complaints.join("\n")}`);
  } finally {
    await context.close();
  }
}

/** Gathers what goes wrong in any page of a context. */
async function listen(context: BrowserContext, options: PageOptions): Promise<string[]> {
  const complaints: string[] = [];
  const origins = [new URL(options.url).origin, ...options.others ?? []];
  const expected = (options.expected ?? []).map((status) =>
    status === 0 ? "net::ERR_" : `with a status of ${status} `
  );

  context.on("console", (message) => {
    if (message.type() !== "error") return;
    if (expected.some((part) => message.text().includes(part))) return;
    complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().stack}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && !origins.includes(url.origin)) {
      complaints.push(`request to another server: ${url}`);
    }
  });
  if (options.scripts === false) return complaints;

  await noteNews(context);
  await context.exposeFunction("reportViolation", (text: string) => {
    complaints.push(`content security policy: ${text}`);
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      const report = Reflect.get(globalThis, "reportViolation");
      report(`${event.violatedDirective} refused ${event.blockedURI} on ${event.documentURI}`);
    });
  });
  return complaints;
}

/** Adds what the page showed and complained of to the error of a test. */
async function explain(error: unknown, page: Page, complaints: string[]): Promise<Error> {
  const cause = error instanceof Error ? error : new Error(String(error));
  const shown = await page.locator("body").ariaSnapshot({ timeout: 2_000 }).catch(() => "nothing");
  cause.message += `\n\nAt ${page.url()} the page showed:\n${shown.slice(0, 4_000)}`;
  if (complaints.length > 0) cause.message += `\n\nIt complains:\n${complaints.join("\n")}`;
  return cause;
}
