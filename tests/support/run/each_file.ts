/** What is known of the tests of a module that imports several files: which file each is from. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** A line of the report, by which the runner knows the tests: registered, or ended. */
export interface ReportLine {
  file: string;
  name: string;
  /** Where it was registered: "tests/unit/a_test.ts:12:6". Once, before any has run. */
  at?: string;
  /** How long it took. */
  ms?: number;
}

/** Where the lines go: a file for each run, named by the runner. */
export const REPORT = "TEST_REPORT";

const report = Deno.env.get(REPORT);
let file = "";

type Body = (t: Deno.TestContext) => void | Promise<void>;
type Register = (...args: unknown[]) => void;

/** Tests that are registered from here on are those of a file. */
export function begin(path: string): void {
  if (file === "") replace();
  file = path;
}

function replace(): void {
  const { test } = Deno;
  const noted = (register: Register): Register => (...args) => register(...note(args));
  const { ignore, only } = test;
  const replaced = Object.assign(noted(test as Register), test, {
    ignore: Object.assign(noted(ignore as Register), ignore),
    only: Object.assign(noted(only as Register), only),
  });
  Reflect.set(Deno, "test", replaced);
}

/** The same arguments, with a body that tells how long it took. */
function note(args: unknown[]): unknown[] {
  const at = args.findLastIndex((arg) => typeof arg === "function");
  const [first] = args;
  const definition = first as Deno.TestDefinition;
  const body = (at < 0 ? definition.fn : args[at]) as Body;
  const name = typeof first === "string" ? first : definition.name || body.name;
  const test = { file, name };
  write({ ...test, at: place() ?? file });
  const timed: Body = async (t) => {
    const start = performance.now();
    try {
      await body(t);
    } finally {
      write({ ...test, ms: Math.round(performance.now() - start) });
    }
  };
  if (at < 0) return [{ ...definition, name, fn: timed }];
  return args.with(at, Object.defineProperty(timed, "name", { value: name }));
}

/** Where in the file the call is that registers a test, directly or by a helper. */
function place(): string | undefined {
  const frames = new Error().stack?.matchAll(/(file:\/\/[^\s()]+_test\.tsx?)(:\d+:\d+)/g) ?? [];
  for (const [, url = "", line] of frames) {
    const path = relative(Deno.cwd(), fileURLToPath(url));
    if (path === file) return path + line;
  }
}

function write(line: ReportLine): void {
  if (report) Deno.writeTextFileSync(report, `${JSON.stringify(line)}\n`, { append: true });
}
