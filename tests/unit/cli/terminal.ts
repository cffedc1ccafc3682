import { join } from "node:path";
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

  async function runWith(env: Record<string, string>, ...args: string[]): Promise<Ran> {
    const printed: string[] = [];
    const warned: string[] = [];
    const status = await runCommand(args, {
      env: new Map(Object.entries({ FB_DATABASE: database, FB_ROOT: root, ...env })),
      cwd: folder.path,
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
  return { folder: folder.path, database, root, run, runWith, ok, [Symbol.asyncDispose]: dispose };
}
