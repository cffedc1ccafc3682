import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { Editor } from "../../tests/support/clients/coediting.ts";
import { temporaryFolder } from "../../tests/support/disks/files.ts";
import { residentBytes } from "../../tests/support/probes/processes.ts";
import { startServer } from "../../tests/support/server/server.ts";
import { findDenokv, startDenokv } from "../../tests/support/services/denokv.ts";
import { startKvConnect } from "../../tests/support/services/kv_connect.ts";
import { type Setup, signIn, type Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

const writers = 10;
/** What each writes, and how fast: quick typists. */
const keys = 200;
const keyMs = 100;
/** Texts that are open at once for the memory of one, each twice: one user may have 32 open. */
const texts = 10;
const textBytes = 200_000;

/**
 * Ten in one text: the time from a key to its character on the page of another, with ten times ten
 * keys a second, and the memory that an open text takes.
 */
export async function measureCoediting(setup: Setup): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of [setup.one, setup.many]) {
    rows.push(await measureKeys(setup.root, [target], target.name));
  }
  rows.push(await measureServers(setup.root));
  return [...rows, await measureMemory(setup)];
}

/** Ten in one text by two servers on one store: on denokv, or where that is missing on the tests'. */
async function measureServers(root: string): Promise<Row> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const isReal = findDenokv() !== null;
  const store = stack.use(await (isReal ? startDenokv(folder.path) : startKvConnect()));
  const targets: Reached[] = [];
  for (let count = 0; count < 2; count++) {
    const server = await startServer({ root, flags: ["--database", store.url] });
    stack.defer(async () => void await server.stop());
    targets.push({ server, token: await signIn(server) });
  }
  const name = isReal ? "denokv" : "the KV Connect store of the tests";
  return await measureKeys(root, targets, `on the other of 2 servers on ${name}`);
}

/** A server, and a session there. */
type Reached = Pick<Target, "server" | "token">;

function connect({ server, token }: Reached, path: string): Editor {
  return new Editor({ url: server.url, address: `coediting/${path}`, token });
}

/**
 * Ten write in one text.
 *
 * @param root the served folder
 * @param targets the writers are spread over these; of several, keys count that come to another
 * @param where in words
 */
async function measureKeys(
  root: string,
  targets: readonly Reached[],
  where: string,
): Promise<Row> {
  const name = `together-${crypto.randomUUID()}.md`;
  await Deno.writeTextFile(join(root, name), "begin\n");
  const editors: Editor[] = [];
  for (let who = 0; who < writers; who++) {
    const target = targets[who % targets.length];
    if (!target) break;
    const editor = connect(target, name);
    await editor.synced();
    editors.push(editor);
  }
  const took: number[] = [];
  const placeOf = new Map(editors.map(({ doc }, who) => [doc.clientID, who % targets.length]));
  const isFar = (from: number, to: number) =>
    targets.length === 1 || placeOf.get(from) !== placeOf.get(to);
  const sent = new Map<string, number>();
  /** The last key of one that another has seen. */
  const shown = new Map<string, number>();
  for (const editor of editors) {
    editor.doc.on("update", (_update: Uint8Array, origin: unknown) => {
      if (origin !== editor) return;
      for (const [client, state] of editor.doc.store.clients) {
        const last = state.at(-1);
        const known = last ? last.id.clock + last.length : 0;
        const pair = `${editor.doc.clientID} ${client}`;
        // Several may come at once.
        for (let key = (shown.get(pair) ?? 0) + 1; key <= known; key++) {
          const at = sent.get(`${client} ${key}`);
          if (at !== undefined && isFar(client, editor.doc.clientID)) {
            took.push(performance.now() - at);
          }
        }
        shown.set(pair, known);
      }
    });
  }
  await Promise.all(editors.map(async (editor, who) => {
    await delay(who * keyMs / writers);
    for (let key = 1; key <= keys; key++) {
      sent.set(`${editor.doc.clientID} ${key}`, performance.now());
      editor.type("x");
      await delay(keyMs);
    }
    await editor.allKept();
  }));
  for (const editor of editors) await editor[Symbol.asyncDispose]();
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? NaN) / 1000;
  return {
    what: `${writers} in one text, key to the others' pages, ${where}`,
    cubby: `${duration(at(0.5))}, p99 ${duration(at(0.99))}`,
    target: atMost(at(0.99), 0.05, "p99 50 ms"),
  };
}

async function measureMemory({ root, one }: Setup): Promise<Row> {
  const { pid } = one.server;
  const names = Array.from({ length: texts + 1 }, () => `text-${crypto.randomUUID()}.md`);
  const line = "Some words of a text that is edited by two.\n";
  for (const name of names) {
    await Deno.writeTextFile(join(root, name), line.repeat(textBytes / line.length));
  }
  const open = async (name: string) => {
    const both = [connect(one, name), connect(one, name)];
    for (const editor of both) await editor.synced();
    for (let key = 0; key < keys; key++) both[key % 2]?.type("x", key * 50);
    for (const editor of both) await editor.allKept();
    return both;
  };
  const first = await open(names[0] ?? "");
  const before = residentBytes(pid);
  const editors = [...first];
  for (const name of names.slice(1)) editors.push(...await open(name));
  const bytes = (residentBytes(pid) - before) / texts;
  for (const editor of editors) await editor[Symbol.asyncDispose]();
  const megabytes = bytes / 1024 ** 2;
  return {
    what: `memory of an open text of ${textBytes / 1000} KB with 2 writers`,
    cubby: `${megabytes.toFixed(1)} MiB`,
    target: atMost(megabytes, 20, "20 MB"),
  };
}
