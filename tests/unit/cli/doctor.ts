import assert from "node:assert/strict";
import { delay } from "../../../lib/shared/delay.ts";
import { openStore, type Store } from "../../../lib/server/core/kv/store.ts";
import type { TestTerminal } from "./terminal.ts";

/** The user 1 of {@linkcode admit}. */
export const admin = "root";

/** Adds an administrator, without whom the doctor takes the store for the wrong one. */
export async function admit(terminal: TestTerminal): Promise<void> {
  await terminal.ok("users", "add", admin, "otters hold 9 hands", "--perm.admin");
}

/** Works on the store of a terminal. */
export async function withStore<T>(
  terminal: TestTerminal,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(terminal.database);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Every record with its version, and every entry below the root with its content. */
async function stateOf(terminal: TestTerminal): Promise<unknown> {
  const records = await withStore(terminal, async (store) => {
    const all = await store.list([]);
    return all.map(({ key, versionstamp }) => [key.map(String).join("/"), versionstamp]);
  });
  return [records, treeOf(terminal.root)];
}

function treeOf(folder: string): unknown[] {
  return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)
    .map(({ name, isDirectory, isFile }) => {
      const path = `${folder}/${name}`;
      return [name, isDirectory ? treeOf(path) : isFile && Deno.readTextFileSync(path)];
    });
}

/** The lines about findings, without the first and the last. */
export async function findingsOf(terminal: TestTerminal, ...flags: string[]) {
  const { status, printed, warned } = await terminal.run("doctor", ...flags);
  assert.deepEqual(warned, []);
  assert.equal(printed[0], `Checking ${terminal.root}`);
  return { status, lines: printed.slice(1, -1), summary: printed.at(-1) };
}

/** Fails unless these findings are seen, change nothing unasked, are mended, and are gone then. */
export async function assertMends(terminal: TestTerminal, expected: RegExp[]): Promise<void> {
  const before = await stateOf(terminal);
  const seen = await findingsOf(terminal);
  const count = expected.length;
  assert.equal(seen.lines.length, count, seen.lines.join("\n"));
  for (const [index, line] of expected.entries()) assert.match(seen.lines[index] ?? "", line);
  assert.equal(seen.summary, `Found: ${count}; --fix repairs: ${count}`);
  assert.equal(seen.status, 1);
  assert.deepEqual(await stateOf(terminal), before);

  const fixed = await findingsOf(terminal, "--fix");
  assert.deepEqual(fixed.lines, seen.lines.map((line) => `${line} - mended`));
  assert.equal(fixed.summary, `Found: ${count}; mended: ${count}`);
  assert.equal(fixed.status, 0);
  await assertHealthy(terminal);
}

export async function assertHealthy(terminal: TestTerminal): Promise<void> {
  assert.deepEqual(await findingsOf(terminal), { status: 0, lines: [], summary: "Found: 0" });
}

/** Files that are as new as the examination may be of an upload under way: lets them age. */
export async function letAge(): Promise<void> {
  const made = Date.now();
  while (Date.now() < made + 50) await delay(10);
}
