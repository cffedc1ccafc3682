import { join } from "node:path";
import type { PasswordInput } from "../../../lib/server/cli/password_input.ts";
import { runCommand } from "../../../lib/server/cli/run_command.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

/** What a command did. */
export interface Ran {
  status: number;
  printed: string[];
  warned: string[];
}

/** A folder with a store of its own, on which commands are run. */
export interface TestTerminal extends AsyncDisposable {
  folder: string;
  database: string;
  root: string;
  run(...args: string[]): Promise<Ran>;
  /** As {@linkcode run}, with other variables; an empty one counts as not set. */
  runWith(env: Record<string, string>, ...args: string[]): Promise<Ran>;
  /** As {@linkcode run}, with lines of standard input, piped or typed at a terminal. */
  runReading(lines: readonly string[], isTyped: boolean, ...args: string[]): Promise<Ran>;
  /** As {@linkcode run}, and fails the test unless the command succeeds. */
  ok(...args: string[]): Promise<string[]>;
}

export async function openTerminal(): Promise<TestTerminal> {
  const folder = await temporaryFolder();
  const root = join(folder.path, "root");
  await Deno.mkdir(root);
  const database = join(folder.path, "data", "records.kv");
  await Deno.mkdir(join(folder.path, "data"));

  const run = (...args: string[]) => runWith({}, ...args);
  const runWith = (env: Record<string, string>, ...args: string[]) => runIn(env, undefined, args);

  function runReading(lines: readonly string[], isTyped: boolean, ...args: string[]): Promise<Ran> {
    const next = lines.values();
    const readLine = () => Promise.resolve(next.next().value ?? "");
    return runIn({}, { isTerminal: () => isTyped, readLine }, args);
  }

  async function runIn(
    env: Record<string, string>,
    input: PasswordInput | undefined,
    args: readonly string[],
  ): Promise<Ran> {
    const printed: string[] = [];
    const warned: string[] = [];
    const variables: Record<string, string> = { FB_DATABASE: database, FB_ROOT: root, ...env };
    const status = await runCommand(args, {
      env: { get: (name) => variables[name], toObject: () => variables },
      cwd: folder.path,
      input,
      print: (line) => void printed.push(line),
      warn: (line) => void warned.push(line),
    });
    return { status, printed, warned };
  }

  async function ok(...args: string[]): Promise<string[]> {
    const { status, printed, warned } = await run(...args);
    if (status === 0) return printed;
    throw new Error(`${args.join(" ")}: ${[...warned, ...printed].join("\n")}`);
  }
  const dispose = () => folder[Symbol.asyncDispose]();
  const runs = { run, runWith, runReading, ok };
  return { folder: folder.path, database, root, ...runs, [Symbol.asyncDispose]: dispose };
}
