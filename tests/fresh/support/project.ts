import { dirname, join } from "node:path";
import { App, staticFiles } from "fresh";
import { Builder, type BuildOptions } from "fresh/dev";

/** A project in a temporary folder, deleted when the test is over. */
export interface Project extends AsyncDisposable {
  /** The folder of the project. */
  root: string;
}

/** Writes the files of a project, by path, to a temporary folder. */
export async function project(files: Record<string, string>): Promise<Project> {
  const root = await Deno.makeTempDir({ prefix: "fresh-project-" });
  const config = { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } };
  const all = { "deno.json": JSON.stringify(config), ...files };
  for (const [path, content] of Object.entries(all)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), content);
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

/** Sends a request to an application; a path is enough for a GET. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Makes a function that sends requests to an application, without a socket. */
export function sender(app: Pick<App<never>, "handler">, origin = "http://localhost"): Send {
  const handler = app.handler();
  return (path, init) => handler(new Request(origin + path, init));
}

/** Builds the route files of a project in memory and attaches them to an application. */
export async function built<State>(
  root: string,
  app: App<State> = new App<State>().use(staticFiles()).fsRoutes(),
  options: BuildOptions = {},
): Promise<Send> {
  const attach = await new Builder({ root, ...options }).build({ snapshot: "memory" });
  attach(app);
  return sender(app);
}

/** Collects what is printed with console.error and console.warn until it is disposed of. */
export function quietConsole(): Disposable & { printed: unknown[] } {
  const { error, warn } = console;
  const printed: unknown[] = [];
  console.error = console.warn = (...values) => void printed.push(...values);
  return { printed, [Symbol.dispose]: () => void Object.assign(console, { error, warn }) };
}
