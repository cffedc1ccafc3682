/** The set-up of end-to-end tests: a browser, and the real server with 1 and 2 workers. */
import { join } from "node:path";
import type { APIResponse, Browser, Page } from "playwright-core";
import { islandsAwake } from "./awake.ts";
import { openBrowser, type PageOptions, visit } from "./browser.ts";
import { plant, type Tree } from "../disks/files.ts";
import { TOKEN_KEY } from "../../../lib/client/session/session.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server/server.ts";

/** The page and the server of one test. */
export interface Fixture {
  page: Page;
  server: RunningServer;
  /** A folder of the root that belongs to this test alone, as it lies on the disk. */
  folder: string;
  /** Its address on the site: "/files/scene-3/". */
  address: string;
}

/** The set-up of one test. */
export interface FixtureOptions extends Omit<PageOptions, "url"> {
  /** What lies in the folder of the test. */
  tree?: Tree;
  /** Signs in first and opens the folder; true when left out. */
  signedIn?: boolean;
  /** Opens the server by a name, as browsers make passkeys for names alone. */
  byName?: boolean;
  /** Runs with the last number of workers alone: for slow tests to which it is irrelevant. */
  once?: boolean;
}

/** Registers a test that runs once for each number of workers. */
export type BrowserTest = (
  sentence: string,
  terms: FixtureOptions,
  body: (fixture: Fixture) => Promise<void>,
) => void;

/**
 * Prepares the tests of one file; call it once, at the top.
 *
 * @param options.workerCounts one number is enough for what is about the screen alone; both where
 *   threads share state
 * @param options.browser `whole` for one that shows PDFs
 */
export function browserTests(
  options: ServerOptions & { workerCounts?: number[]; browser?: "any" | "whole" } = {},
): BrowserTest {
  const counts = options.workerCounts ?? [1, 2];
  const servers = new Map<number, RunningServer>();
  let browser: Browser | undefined;
  let count = 0;

  Deno.test.beforeAll(async () => {
    const start = async (workers: number) => {
      servers.set(workers, await startServer({ ...options, workers }));
    };
    const open = async () => {
      browser = await openBrowser(options.browser);
    };
    await Promise.all([open(), ...counts.map(start)]);
  });
  Deno.test.afterAll(async () => {
    await browser?.close();
    for (const server of servers.values()) await server.stop();
  });

  return (sentence, terms, body) => {
    for (const workers of terms.once ? counts.slice(-1) : counts) {
      Deno.test(`${sentence} (${workers === 1 ? "1 worker" : `${workers} workers`})`, async () => {
        const server = servers.get(workers);
        if (!server || !browser) {
          throw new Error("Cannot run: the browser or the server was not started");
        }
        // Chromium itself may die while nothing is shown in it.
        if (!browser.isConnected()) browser = await openBrowser(options.browser);
        const name = `scene-${++count}`;
        const folder = join(server.root, name);
        await Deno.mkdir(folder);
        await plant(folder, terms.tree ?? {});
        const address = `/files/${name}/`;
        const url = terms.byName ? server.url.replace("127.0.0.1", "localhost") : server.url;
        await visit(browser, { ...terms, url }, async (page) => {
          if (terms.signedIn ?? true) {
            await signIn(page, server, address);
            await islandsAwake(page);
          }
          await body({ page, server, folder, address });
        });
      });
    }
  };
}

/** The token that was last given out by a server: hashing a password each time would take long. */
const tokens = new WeakMap<RunningServer, string>();

/**
 * Signs in as the form does, without showing it, and opens an address: the token lies in the
 * browser's storage, the cookie among its cookies. Uses the session of the test before, unless that
 * was ended. How the form works is sign_in_test.ts's matter.
 */
export async function signIn(page: Page, server: RunningServer, address: string): Promise<void> {
  const token = await resume(page, server) ?? await begin(page, server);
  // Once: whoever signs out stays signed out.
  await page.addInitScript(([key, token]) => {
    try {
      if (localStorage.getItem("session of the test") === token) return;
      localStorage.setItem("session of the test", token);
      localStorage.setItem(key, token);
    } catch {
      // A document without storage, such as a sandboxed frame.
    }
  }, [TOKEN_KEY, token] as const);
  await page.goto(address);
}

/** A page of the test before may have renewed the token: the former one ends half a minute later. */
async function resume(page: Page, server: RunningServer): Promise<string | null> {
  const former = tokens.get(server);
  if (former === undefined) return null;
  const answer = await page.request.post("/api/renew", { headers: { "x-auth": former } });
  return answer.ok() ? await keepToken(server, answer) : null;
}

async function begin(page: Page, server: RunningServer): Promise<string> {
  const { username, password } = server;
  const answer = await page.request.post("/api/login", { data: { username, password } });
  if (!answer.ok()) throw new Error(`Cannot sign in: ${await answer.text()}`);
  return await keepToken(server, answer);
}

async function keepToken(server: RunningServer, answer: APIResponse): Promise<string> {
  const token = await answer.text();
  tokens.set(server, token);
  return token;
}
