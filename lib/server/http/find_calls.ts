import type { CallMethod, FoundCall } from "./openapi/call.ts";
import type { CallHandler } from "./calls.ts";

/**
 * Loads all files of routes that declare calls, which takes most of a second, and lists the calls by
 * path.
 *
 * @param routes the folder of routes, with a slash at the end
 */
export async function findCalls(routes: URL): Promise<FoundCall[]> {
  const folders = ["api", "health"];
  const files = (await Promise.all(folders.map((name) => filesBelow(routes, `${name}/`)))).flat();
  const found = await Promise.all(files.map(async (file) => {
    const { handler } = await import(new URL(file, routes).href);
    return isDeclared(handler) ? callsOf(templateOf(file), handler) : [];
  }));
  return found.flat().sort((one, other) => one.path < other.path ? -1 : 1);
}

async function filesBelow(routes: URL, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(encodeURI(folder), routes))) {
    // The parts of routes, in "(_calls)", have no addresses of their own.
    if (isDirectory && !name.startsWith("(_")) {
      found.push(...await filesBelow(routes, `${folder}${name}/`));
    } else if (/^[^_].*\.[jt]s$/.test(name)) found.push(`${folder}${name}`);
  }
  return found;
}

/** The address that a file of routes answers, as Fresh reads its name. */
function templateOf(file: string): string {
  return `/${file}`.replace(/\.[jt]s$/, "").replace(/\/index$/, "")
    .replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
}

function isDeclared(handler: unknown): handler is CallHandler {
  return typeof handler === "function" && "calls" in handler;
}

function callsOf(path: string, { calls, further }: CallHandler): FoundCall[] {
  return Object.entries({ [path]: calls, ...further }).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ method: method as CallMethod, path, call }))
  );
}
