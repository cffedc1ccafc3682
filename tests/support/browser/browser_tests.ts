/** The set-up of end-to-end tests: a browser, and the real server with 1 and 2 workers. */
import { join } from "node:path";
import type { APIResponse, Browser, Page } from "playwright-core";
import { islandsAwake } from "./awake.ts";
import type { FontSet } from "./fonts.ts";
import { openBrowser, type PageOptions, visit } from "./browser.ts";
import { plant, type Tree } from "../disks/files.ts";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { addUser } from "./settings.ts";
import { TOKEN_KEY } from "../../../lib/client/base/session/session.ts";
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
  /** Runs with two families of fonts: for tests that measure what is laid out. */
  anyFont?: boolean;
  /** Runs with the last number of workers alone: for slow tests to which it is irrelevant. */
  once?: boolean;
}

/** Registers a test that runs once for each number of workers. */
export type BrowserTest = (
  sentence: string,
  terms: FixtureOptions,
  body: (fixture: Fixture) => Promise<void>,
) => void;

/** What the tests of one file need. */
export interface FileOptions extends ServerOptions {
  /**
   * One number is enough for what is about the screen alone; both (the default) where threads share
   * state.
   */
  workerCounts?: number[];
  /** `whole` for one that shows PDFs. */
  browser?: "any" | "whole";
  /**
   * Has servers of its own, and their first administrator: for tests of what all users share, such
   * as settings and the log, and of what the first one alone has.
   */
  alone?: boolean;
}

/** A server, and the files whose tests use it. */
interface Use {
  options: ServerOptions;
  server?: RunningServer;
  prepared: ((root: string) => void | Promise<void>)[];
}

type BrowserKey = `${"any" | "whole"} ${FontSet}`;

/** What the files of this module use, which `deno test` may have import many: started once. */
const uses = new Map<string, Use>();
const browsers = new Map<BrowserKey, Browser | undefined>();
let files = 0;
let scenes = 0;

/**
 * Prepares the tests of one file; call it once, at the top. Files that ask for the same servers
 * share them, each with an administrator of its own.
 */
export function browserTests(options: FileOptions = {}): BrowserTest {
  const { workerCounts: counts = [1, 2], browser: kind = "any", alone, prepare, ...more } = options;
  const file = ++files;
  if (file === 1) {
    Deno.test.beforeAll(startAll);
    Deno.test.afterAll(stopAll);
  }
  const used = new Map(counts.map((workers) => {
    const key = JSON.stringify([workers, more, alone ? file : 0]);
    const use = uses.get(key) ?? { options: { ...more, workers }, prepared: [] };
    uses.set(key, use);
    if (prepare) use.prepared.push(prepare);
    return [workers, use];
  }));
  const own = new Map<string, RunningServer>();

  /** The server of so many workers, as its administrator of this file and these fonts. */
  async function serverOf(workers: number, fonts: FontSet): Promise<RunningServer> {
    const server = used.get(workers)?.server;
    if (!server) throw new Error("Cannot run: the server was not started");
    const key = `${workers} ${fonts}`;
    const name = `admin-${file}-${fonts}`;
    const known = own.get(key) ?? (alone ? server : await ownAdministrator(server, name));
    own.set(key, known);
    return known;
  }

  return (sentence, terms, body) => {
    const runs = (terms.once ? counts.slice(-1) : counts).flatMap((workers) =>
      (terms.anyFont ? ["dejavu", "noto"] as const : ["dejavu"] as const)
        .map((fonts) => ({ workers, fonts }))
    );
    for (const { workers, fonts } of runs) {
      const count = workers === 1 ? "1 worker" : `${workers} workers`;
      const key: BrowserKey = `${kind} ${fonts}`;
      browsers.set(key, undefined);
      Deno.test(`${sentence} (${count}${terms.anyFont ? `, ${fonts}` : ""})`, async () => {
        const server = await serverOf(workers, fonts);
        const name = `scene-${++scenes}`;
        const folder = join(server.root, name);
        await Deno.mkdir(folder);
        await plant(folder, terms.tree ?? {});
        const address = `/files/${name}/`;
        const url = terms.byName ? server.url.replace("127.0.0.1", "localhost") : server.url;
        await visit(await browserOf(key), { ...terms, url }, async (page) => {
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

async function startAll(): Promise<void> {
  const start = async (use: Use) => {
    const prepare = async (root: string) => {
      for (const each of use.prepared) await each(root);
    };
    use.server = await startServer({ ...use.options, prepare });
  };
  await Promise.all([...[...browsers.keys()].map(browserOf), ...[...uses.values()].map(start)]);
}

async function stopAll(): Promise<void> {
  await Promise.all([...browsers.values()].map((browser) => browser?.close()));
  await Promise.all([...uses.values()].map(({ server }) => server?.stop()));
}

/** The browser of all files; another one where Chromium has died while nothing was shown in it. */
async function browserOf(key: BrowserKey): Promise<Browser> {
  const open = browsers.get(key);
  const [kind, fonts] = key.split(" ") as ["any" | "whole", FontSet];
  const browser = open?.isConnected() ? open : await openBrowser(kind, fonts);
  browsers.set(key, browser);
  return browser;
}

/**
 * Makes an administrator who is another file's in nothing: neither places visited and kept, nor
 * trash, jobs and notices.
 */
async function ownAdministrator(
  server: RunningServer,
  username: string,
): Promise<RunningServer> {
  const { password } = server;
  const perm = permissionsWhere(() => true);
  await addUser(server, username, { password, perm, scope: "/" });
  return { ...server, username };
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
