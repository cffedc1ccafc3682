/** Texts that are edited together on a server that is killed, and by clients that vanish. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../lib/shared/delay.ts";
import { Editor } from "../support/clients/coediting.ts";
import { openRaw } from "../support/clients/raw_websocket.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

async function tokenOf({ url, username, password }: RunningServer): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: "POST",
    body: JSON.stringify({ username, password }),
  });
  return await answer.text();
}

Deno.test("a kill while ten write loses nothing that was kept, and pages merge the rest", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  await Deno.mkdir(root);
  await Deno.writeTextFile(join(root, "a.md"), "begin\n");
  let server = await startServer({ root, data });
  stack.defer(async () => void await server.stop());
  const token = await tokenOf(server);
  const connect = (more = {}) =>
    new Editor({ url: server.url, address: "coediting/a.md", token, ...more });
  let writers = await Promise.all(Array.from({ length: 10 }, async () => {
    const editor = connect();
    await editor.synced();
    return editor;
  }));
  for (let round = 0; round < 3; round++) {
    /** The words that each has written, by the number of the message. */
    const words = writers.map(() => new Map<number, string>());
    const killAfter = delay(400 + round * 700);
    let isWriting = true;
    const typing = Promise.all(writers.map(async (editor, who) => {
      for (let count = 0; isWriting; count++) {
        const word = `<${round}.${who}.${count}>`;
        editor.type(word, Math.floor(Math.random() * (editor.text.length + 1)));
        words[who]?.set(editor.sent, word);
        await delay(5 + Math.random() * 20);
      }
    }));
    await killAfter;
    Deno.kill(server.pid, "SIGKILL");
    isWriting = false;
    await typing;
    await server.ended;
    await Promise.all(writers.map((editor) => editor.end()));
    await server.stop();
    // Words are split by what others write into them: each character of a word counts.
    const kept = writers.map((editor, who) =>
      [...words[who] ?? []].filter(([number]) => number <= editor.kept)
    );
    assert.ok(kept.flat().length > 0, `round ${round}: something was kept`);
    server = await startServer({ root, data });
    await using fresh = connect();
    await fresh.synced();
    const states = writers.map((editor) => editor.doc);
    const document = writers[0]?.saved?.document ?? "";
    assert.equal(fresh.saved?.document, document);
    for (const [who, list] of kept.entries()) {
      const client = states[who]?.clientID ?? 0;
      const clocks = fresh.doc.store.clients.get(client);
      const last = clocks?.at(-1);
      const characters = list.reduce((sum, [, word]) => sum + word.length, 0);
      const known = last ? last.id.clock + last.length : 0;
      assert.ok(known >= characters, `round ${round}, writer ${who}: ${known} of ${characters}`);
    }
    for (const editor of writers) await editor.leave();
    writers = await Promise.all(states.map(async (doc) => {
      const editor = connect({ doc, query: { document } });
      await editor.synced();
      return editor;
    }));
    await Promise.all(writers.map((editor) => editor.allKept()));
    const [first] = writers;
    await fresh.until(
      "all are there",
      () => writers.every(({ text }) => text === fresh.text) && fresh.text === first?.text,
    );
    const wanted = "begin\n".length + words.flatMap((each) => [...each.values()])
      .reduce((sum, word) => sum + word.length, 0);
    assert.ok(fresh.text.length >= wanted, "nothing that a page has is lost");
  }
  const [first] = writers;
  first?.saveNow();
  await first?.until("saved", () => Deno.readTextFileSync(join(root, "a.md")) === first.text);
  for (const editor of writers) await editor[Symbol.asyncDispose]();
});

Deno.test("clients that vanish without a word leave no seat and no connection, and a stop is quick", async () => {
  await using server = await startServer({
    prepare: (root) => Deno.writeTextFile(join(root, "a.md"), "a"),
  });
  const token = await tokenOf(server);
  const { hostname, port } = new URL(server.url);
  const listener = { hostname, port: Number(port) };
  await using one = new Editor({ url: server.url, address: "coediting/a.md", token });
  await one.synced();
  const headers = { "x-auth": token };
  const raw = await Promise.all(
    Array.from({ length: 8 }, () => openRaw(listener, "/api/coediting/a.md", headers)),
  );
  await one.until("all are in", () => one.present.length === 9);
  for (const socket of raw) socket[Symbol.dispose]();
  await one.until("all have left", () => one.present.length === 1);
  await one.until("nothing half open", () => halfOpen(listener.port) === 0);
  one.type("!");
  await one.allKept();
  await using silent = {
    socket: await openRaw(listener, "/api/coediting/a.md", headers),
    async [Symbol.asyncDispose]() {
      await Promise.resolve(this.socket[Symbol.dispose]());
    },
  };
  assert.ok(silent);
  const start = performance.now();
  Deno.kill(server.pid, "SIGTERM");
  assert.equal((await one.end())?.code, "busy");
  await server.ended;
  const ms = performance.now() - start;
  assert.ok(ms < 10_000, `${ms} ms`);
  assert.equal(await Deno.readTextFile(join(server.root, "a.md")), "a!");
});

/** How many connections of a port wait for this side to close them (CLOSE-WAIT). */
function halfOpen(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const lines = Deno.readTextFileSync("/proc/net/tcp").split("\n");
  return lines.filter((line) => new RegExp(`:${hex} \\S+ 08 `).test(line)).length;
}
