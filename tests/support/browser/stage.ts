/** What a file of end-to-end tests plays on: a browser, and the real server with 1 and 2 workers. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser, type PageOptions, visit } from "./browser.ts";
import { plant, type Tree } from "../disks/files.ts";
import { TOKEN_KEY } from "../../../lib/client/session/session.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server/server.ts";

/** What one test gets. */
export interface Scene {
  page: Page;
  server: RunningServer;
  /** A folder of the root that belongs to this test alone, as it lies on the disk. */
  folder: string;
  /** Its address on the site: "/files/scene-3/". */
  address: string;
}

/** How one test wants it. */
export interface SceneOptions extends Omit<PageOptions, "url"> {
  /** What lies in the folder of the test. */
  tree?: Tree;
  /** Signs in first and opens the folder; true when left out. */
  signedIn?: boolean;
  /** Plays with the last number of workers alone: for what takes long and is no matter of theirs. */
  once?: boolean;
}

/** Registers a test that runs once for each number of workers. */
export type Play = (
  sentence: string,
  options: SceneOptions,
  body: (scene: Scene) => Promise<void>,
) => void;

/**
 * Prepares the tests of one file; call it once, at the top.
 *
 * @param options.workerCounts one number is enough for what is about the screen alone; both where
 *   threads share state
 * @param options.browser `whole` for one that shows PDFs
 */
export function setStage(
  options: ServerOptions & { workerCounts?: number[]; browser?: "any" | "whole" } = {},
): Play {
  const counts = options.workerCounts ?? [1, 2];
  const servers = new Map<number, RunningServer>();
  let browser: Browser | undefined;
  let scenes = 0;

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

  return (sentence, scene, body) => {
    for (const workers of scene.once ? counts.slice(-1) : counts) {
      Deno.test(`${sentence} (${workers === 1 ? "1 worker" : `${workers} workers`})`, async () => {
        const server = servers.get(workers);
        if (!server || !browser) throw new Error("Cannot play: the stage was not set");
        const name = `scene-${++scenes}`;
        const folder = join(server.root, name);
        await Deno.mkdir(folder);
        await plant(folder, scene.tree ?? {});
        const address = `/files/${name}/`;
        await visit(browser, { ...scene, url: server.url }, async (page) => {
          if (scene.signedIn ?? true) await signIn(page, server, address);
          await body({ page, server, folder, address });
        });
      });
    }
  };
}

/**
 * Signs in as the form does, without showing it, and opens an address: the token lies in the
 * browser's storage, the cookie among its cookies. How the form works is sign_in_test.ts's matter.
 */
export async function signIn(page: Page, server: RunningServer, address: string): Promise<void> {
  const { username, password } = server;
  const answer = await page.request.post("/api/login", { data: { username, password } });
  const token = await answer.text();
  if (!answer.ok()) throw new Error(`Cannot sign in: ${token}`);
  // The smallest page of the site: storage belongs to a page.
  await page.goto("/health");
  await page.evaluate(
    ([key, token]) => localStorage.setItem(key, token),
    [TOKEN_KEY, token] as const,
  );
  await page.goto(address);
}
