/** Saves of an office server while the server is killed, at many moments. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { openStore } from "../../lib/server/core/kv/store.ts";
import { defaultSettings } from "../../lib/server/features/settings/settings.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { editorsOf, type OpenEditor, startOfficeServer } from "../support/office/office_server.ts";
import { administer } from "../support/server/administer.ts";
import type { CallOptions } from "../support/server/app.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";
import { leftovers, trashFaults } from "./leftovers.ts";

/** The address of the server for the office server, by which it signs whatever the port is. */
const origin = "http://cubby.test";

const size = 3_000_000;

/** A content of its own for each save. */
function contentOf(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(size + number).fill(number % 251);
}

/** A document that is locked and was read, on a server that can be killed. */
interface Stand extends AsyncDisposable {
  file: string;
  root: string;
  data: string;
  editor: OpenEditor;
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Kills the server. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

async function openStand(flags: string[] = []): Promise<Stand> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const office = stack.use(await startOfficeServer());
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  await Deno.mkdir(root);
  const file = join(root, "a.odt");
  await Deno.writeFile(file, contentOf(0));
  const workers = Number(Deno.env.get("WORKERS") ?? 1);
  const given = [`--office-url=${office.url}`, `--office-host-url=${origin}`, ...flags];
  const begin = () => startServer({ root, data, workers, flags: given });
  let server: RunningServer = await begin();
  stack.defer(async () => void await server.stop());

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { token, headers, body } = options;
    return await fetch(server.url + path, {
      method,
      headers: { accept: "application/json", ...token && { "x-auth": token }, ...headers },
      body,
    });
  }
  const credentials = JSON.stringify({ username: server.username, password: server.password });
  const token = await (await call("POST", "/api/login", { body: credentials })).text();
  const editor = await editorsOf({ call }, office).open("/a.odt", token);
  const answers = [await editor.operate("LOCK", { lock: "L" }), await editor.read()];
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
  }
  const owned = stack.move();
  return {
    ...{ file, root, data, editor },
    call: (method, path, options) => call(method, path, { token, ...options }),
    async start() {
      server = await begin();
    },
    async kill() {
      Deno.kill(server.pid, "SIGKILL");
      await server.ended;
      await server.stop();
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** The status of a save; null when the connection broke off. */
async function save({ editor }: Stand, number: number): Promise<number | null> {
  try {
    const answer = await editor.save(contentOf(number), { lock: "L" });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

/** The number of the content that the file has now. */
function numberOf(bytes: Uint8Array): number {
  const number = bytes.length - size;
  assert.deepEqual(
    bytes,
    contentOf(number),
    `a whole content, not ${bytes.length} bytes of several`,
  );
  return number;
}

async function versionsOf({ call }: Stand): Promise<number[]> {
  const { items } = await (await call("GET", "/api/trash?versions=/a.odt")).json();
  return await Promise.all(
    items.map(async ({ id }: { id: string }) =>
      numberOf(await (await call("GET", `/api/trash/${id}`)).bytes())
    ),
  );
}

/** Asserts that no temporary file is left, and that trash and records belong together. */
async function assertTidy({ root, data }: Stand): Promise<void> {
  const store = await openStore(join(data, "cubby.kv"));
  try {
    assert.deepEqual([...await leftovers(root, store), ...await trashFaults(root, store)], []);
  } finally {
    store.close();
  }
}

Deno.test("a save during which the server is killed is whole or not at all, and can be done again", async () => {
  await using stand = await openStand();
  const begin = performance.now();
  assert.equal(await save(stand, 1), 200);
  const ms = performance.now() - begin;
  const rounds = 5;
  let present = 1;
  const done: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const number = round + 2;
    const saving = save(stand, number);
    await delay(ms * 1.3 * round / rounds);
    await stand.kill();
    const status = await saving;
    await stand.start();
    const now = numberOf(await Deno.readFile(stand.file));
    assert.ok(now === number || now === present && status !== 200, `round ${round}: ${now}`);
    done.push(now - present);
    // The former content is kept, unless it is still the present one.
    const versions = await versionsOf(stand);
    if (now === number) assert.ok(versions.includes(present), `round ${round}: ${versions}`);
    const held = await stand.editor.operate("GET_LOCK");
    await held.body?.cancel();
    assert.equal(held.headers.get("x-wopi-lock"), "L");
    // The editor saves what it has once more, and goes on.
    assert.equal(await save(stand, number), 200, `round ${round}: saved again`);
    present = number;
  }
  assert.equal(numberOf(await Deno.readFile(stand.file)), present);
  console.log(`Killed in ${Math.round(ms)} ms of a save; done: ${done.map(Boolean).map(Number)}`);
  const unlocked = await stand.editor.operate("UNLOCK", { lock: "L" });
  await unlocked.body?.cancel();
  assert.equal(unlocked.status, 200);
  await assertTidy(stand);
});

Deno.test("a server killed between a save and its answer takes the next save of the same editor", async () => {
  await using folder = await temporaryFolder();
  const mark = join(folder.path, "begun");
  await using stand = await openStand(["--disable-exec=false", "--exec-sandbox", "none"]);
  const hook = `sh -c "touch '${mark}'; sleep 60"`;
  const commands = { ...defaultSettings().commands, after_save: [hook] };
  await administer(stand, { settings: { commands } });
  const saving = save(stand, 1);
  while (!await Deno.stat(mark).then(() => true, () => false)) await delay(10);
  await stand.kill();
  assert.equal(await saving, null);
  assert.equal(numberOf(await Deno.readFile(stand.file)), 1, "it was saved");
  await administer(stand, { settings: {} });
  await stand.start();
  assert.equal(await save(stand, 2), 200);
  // What another program writes is still told from that.
  await Deno.writeFile(stand.file, contentOf(3));
  assert.equal(await save(stand, 4), 409);
  assert.equal(numberOf(await Deno.readFile(stand.file)), 3);
});
