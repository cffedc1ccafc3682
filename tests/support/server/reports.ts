/** Public problem reports about programs that do what Cubby does, as tests. */
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import type { Tree } from "../disks/files.ts";
import { type AppOptions, type CallOptions, startApp, type TestApp } from "./app.ts";

/** A problem that people reported, the input that shows it, and what holds here. */
export interface Report {
  /** Its number among the reports: "R71". */
  id: string;
  /** Where it was reported: "logrotate#363". */
  source: string;
  /** What holds here, as a sentence. */
  holds: string;
  /** The input: what lies in the folder of the report. */
  tree: Tree;
  /** Fails unless it holds. */
  check: (scene: ReportScene) => void | Promise<void>;
}

/** The application, and the folder of one report in it. */
export interface ReportScene {
  app: TestApp;
  /** The folder on the disk. */
  folder: string;
  /** The path of the folder in the application: `/R71`. */
  path: string;
  /** The token of the administrator, by which calls are made. */
  token: string;
  /** Answers a call about an entry of the folder: `call("GET", "/api/raw", "a.txt")`. */
  call: (method: string, api: string, name: string, options?: CallOptions) => Promise<Response>;
  /** Copies, renames or moves an entry of the folder; both names are plain paths from there. */
  transfer: (action: "copy" | "rename", from: string, to: string) => Promise<Response>;
  /** The description of an entry of the folder, with its text. */
  resource: (name: string) => Promise<Resource>;
  /** The bytes of a file of the folder, as they are downloaded. */
  bytes: (name: string) => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Registers a test for each report; all share an application, in which each has a folder.
 *
 * @param config of the application
 * @param first a file whose preview is made before: programs for it start a host, which no test may
 *   leave behind
 */
export async function reportTests(
  reports: readonly Report[],
  config: AppOptions["config"] = {},
  first?: string,
): Promise<void> {
  const tree = Object.fromEntries(reports.map(({ id, tree }) => [id, tree]));
  const app = await startApp({ tree, config });
  Deno.test.afterAll(app.close);
  // Before the tests: what one of them starts it would have to end.
  app.listen();
  const token = await app.tokenOf("admin");
  if (first) await (await app.call("GET", `/api/preview/thumb/${first}`, { token })).bytes();
  for (const { id, source, holds, check } of reports) {
    const call: ReportScene["call"] = (method, api, name, options) =>
      app.call(method, `${api}/${id}/${name}`, { token, ...options });
    Deno.test(`${id} (${source}): ${holds}`, () =>
      check({
        ...{ app, token, call, path: `/${id}`, folder: join(app.root, id) },
        transfer(action, from, to) {
          const destination = encodeURIComponent(encoded(`/${id}/${to}`));
          const query = `?action=${action}&destination=${destination}`;
          return call("PATCH", "/api/resources", `${encoded(from)}${query}`);
        },
        resource: async (name) => await (await call("GET", "/api/resources", name)).json(),
        bytes: async (name) => await (await call("GET", "/api/raw", name)).bytes(),
      }));
  }
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
