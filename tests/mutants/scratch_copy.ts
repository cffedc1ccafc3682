import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../support/disks/files.ts";
import { copySources } from "../support/disks/sources.ts";
import { readTally } from "../support/run/tally.ts";
import { mutate, type Mutation } from "./mutations.ts";

/** What the tests said to a mutation. */
export interface Outcome {
  verdict: "killed" | "survived";
  /** The test that failed, or the tests that passed. */
  reason: string;
}

/** The numbers of tests that are run together, the nearest first: few faults get past the first. */
const batches = [3, 6, 12];

/** A batch that takes more processor time turns in a circle. In seconds. */
const processorLimit = 120;

/** A batch that takes longer waits for what never comes, however busy the machine. */
const limitMs = 15 * 60_000;

/** The sources that git knows or does not ignore, in a folder where each may be changed. */
export class ScratchCopy implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  /** Whether a test passes without a fault. */
  readonly #sound = new Map<string, boolean>();

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder;
  }

  /** @throws Error when git does not answer */
  static async of(top: URL): Promise<ScratchCopy> {
    const folder = await temporaryFolder();
    await copySources(top.pathname, folder.path);
    await Deno.symlink(join(top.pathname, "node_modules"), join(folder.path, "node_modules"));
    return new ScratchCopy(folder);
  }

  /** Runs tests with a mutation in a file, the nearest first, until one fails. */
  async test(file: string, mutation: Mutation, tests: readonly string[]): Promise<Outcome> {
    const path = join(this.#folder.path, file);
    const source = await Deno.readTextFile(path);
    let left = tests.filter((test) => this.#sound.get(test) !== false);
    let passed = 0;
    for (const size of batches) {
      const batch = left.slice(0, size);
      left = left.slice(size);
      if (batch.length === 0) break;
      await Deno.writeTextFile(path, mutate(source, mutation));
      const failure = await this.#run(batch).finally(() => Deno.writeTextFile(path, source));
      passed += batch.length;
      // A test that fails without the fault tells nothing.
      if (failure && await this.#isSound(failure.test, batch)) {
        return { verdict: "killed", reason: failure.reason };
      }
    }
    const nearest = tests.slice(0, 3).join(" ");
    return {
      verdict: "survived",
      reason: passed === 0
        ? "no fast test loads this file"
        : `${passed} files of tests pass, ${left.length} were not run; nearest: ${nearest}`,
    };
  }

  async #isSound(test: string | undefined, batch: readonly string[]): Promise<boolean> {
    const doubted = test === undefined ? batch : [test];
    const known = doubted.map((each) => this.#sound.get(each));
    if (known.every((each) => each === true)) return true;
    const isSound = await this.#run(doubted) === null;
    for (const each of doubted) if (isSound || test) this.#sound.set(each, isSound);
    return isSound;
  }

  /** Runs tests until the first fails; null when all pass. */
  async #run(tests: readonly string[]): Promise<{ test?: string; reason: string } | null> {
    const options = ["--no-check", "--sanitize-ops", "--sanitize-resources", "--fail-fast"];
    const limit = AbortSignal.timeout(limitMs);
    const command = [Deno.execPath(), "test", "-A", ...options, ...tests];
    const { code, signal, stdout } = await new Deno.Command("sh", {
      args: ["-c", `ulimit -t ${processorLimit}; exec nice -n 10 "$@"`, "sh", ...command],
      cwd: this.#folder.path,
      env: { NO_COLOR: "1" },
      ...{ stdin: "null", stderr: "null", signal: limit },
    }).output();
    if (limit.aborted || signal !== null) return { reason: "the tests do not come to an end" };
    const output = new TextDecoder().decode(stdout);
    const { failed } = readTally(output, code);
    if (code === 0 && failed === 0) return null;
    const [, title, test] = /^(.+) => \.\/(\S+_test\.tsx?):/m.exec(output) ?? [];
    return { test, reason: title ? `${test}: ${title}` : "the tests do not load" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(join(this.#folder.path, "node_modules"));
    await this.#folder[Symbol.asyncDispose]();
  }
}
