/** Texts that several edit, by two real servers on one store and one folder. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { Editor, type EditorOptions } from "../../support/clients/coediting.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startKvConnect } from "../../support/services/kv_connect.ts";
import { type Node, openVolumes, startNode, statusOf } from "../node.ts";

const folder = await temporaryFolder();
const volumes = await openVolumes(folder.path);
const { root, otherRoot } = volumes;
const store = await startKvConnect();
const { url } = store;
const first = await startNode({ url, root });
// Its members reach rooms of their own server by a channel, those of the other one by mail.
const second = await startNode({ url, root: otherRoot, workers: 2 });

Deno.test.afterAll(async () => {
  await Promise.all([first, second].map(({ server }) => server.stop()));
  await volumes[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const token = await first.signIn();

const connect = ({ server }: Node, name: string, more: Partial<EditorOptions> = {}) =>
  new Editor({ url: server.url, address: `coediting/${name}`, token, ...more });

function plant(name: string, text: string): string {
  Deno.writeTextFileSync(join(root, name), text);
  return name;
}

Deno.test("two on two servers write in one text, see each other, and it is saved once", async () => {
  const name = plant("notes.md", "begin\n");
  await using one = connect(first, name);
  await one.synced();
  await using two = connect(second, name);
  await two.synced();
  assert.equal(two.text, "begin\n");
  assert.equal(two.saved?.document, one.saved?.document);
  await one.until("both are in", () => one.present.length === 2 && two.present.length === 2);
  one.type("one\n");
  await two.until("one", () => two.text === "begin\none\n");
  two.type("two\n");
  await one.until("two", () => one.text === "begin\none\ntwo\n");
  two.point();
  await one.until("cursor", () => one.awareness.getStates().has(two.doc.clientID));
  await Promise.all([one.allKept(), two.allKept()]);
  two.saveNow();
  for (const each of [one, two]) {
    await each.until("saved", () => each.saved?.by.length === 1);
  }
  assert.equal(Deno.readTextFileSync(join(root, name)), "begin\none\ntwo\n");
  await two.leave();
  await one.until("alone", () => one.present.length === 1);
});

Deno.test("a long text comes to another server whole, and ten write in it there and here", async () => {
  const text = "Some words of a long text.\n".repeat(30_000);
  const name = plant("long.md", text);
  await using stack = new AsyncDisposableStack();
  const editors: Editor[] = [];
  for (let who = 0; who < 10; who++) {
    const editor = stack.use(connect(who % 2 === 0 ? first : second, name));
    editors.push(editor);
    await editor.synced();
    assert.ok(editor.text.startsWith(text), String(who));
  }
  await Promise.all(editors.map(async (editor) => {
    for (let count = 0; count < 40; count++) {
      editor.type("x", Math.floor(Math.random() * 1_000));
      await delay(25);
    }
    await editor.allKept();
  }));
  const [one] = editors;
  await one?.until(
    "all have all",
    () => editors.every((each) => each.text === one.text && each.text.length === text.length + 400),
  );
});

for (const [owner, other] of [[first, second], [second, first]] as const) {
  const whose = owner === first ? "another" : "this";
  Deno.test(`a text on a volume that may hang is open on ${whose} server for both`, async () => {
    const name = plant(`far/notes-${whose}.md`, "begin\n");
    await using one = connect(owner, name);
    await one.synced();
    await using two = connect(other, name);
    await using three = connect(second, name);
    await Promise.all([two.synced(), three.synced()]);
    const all = [one, two, three];
    for (const [who, each] of all.entries()) each.type(`<${who}>`, who);
    await Promise.all(all.map((each) => each.allKept()));
    await one.until(
      "all have all",
      () => all.every(({ text }) => text === one.text && text.length === "begin\n<0><1><2>".length),
    );
    two.saveNow();
    await two.until("saved", () => Deno.readTextFileSync(join(root, name)) === two.text);
    await three.leave();
    await one.until("two are left", () => one.present.length === 2);
    assert.deepEqual(all.flatMap(({ ended }) => ended), []);
  });
}

Deno.test("a sign-in that ends on one server ends the text that is open on the other", async () => {
  const name = plant("ends.md", "text");
  await using one = connect(first, name);
  await one.synced();
  const theirs = await second.signIn();
  await using two = connect(second, name, { token: theirs });
  await two.synced();
  two.type("!");
  await two.allKept();
  assert.equal(await statusOf(first.call("POST", "/api/logout", { token: theirs })), 200);
  assert.equal((await two.end())?.code, "not_signed_in");
  await one.until("alone", () => one.present.length === 1 && one.text === "text!");
});

Deno.test("a server that is killed leaves no one in the texts of the others", async () => {
  const name = plant("ghost.md", "text");
  await using one = connect(first, name);
  await one.synced();
  const third = await startNode({ url, root });
  await using two = connect(third, name);
  await two.synced();
  two.type("!");
  await two.allKept();
  await one.until("both are in", () => one.present.length === 2 && one.text === "text!");
  Deno.kill(third.server.pid, "SIGKILL");
  await third.server.ended;
  await one.until("alone", () => one.present.length === 1);
  await third.server.stop();
});

Deno.test("a kill of the owner while both write loses nothing that was kept; the other goes on", async () => {
  const name = plant("owner.md", "begin\n");
  const third = await startNode({ url, root });
  const here = connect(third, name);
  await here.synced();
  const there = connect(second, name);
  await there.synced();
  const writers = [here, there];
  /** The characters that each has written: in all, and by the number of the message. */
  const totals = writers.map(() => 0);
  const written = writers.map(() => new Map<number, number>());
  let isWriting = true;
  const typing = Promise.all(writers.map(async (editor, who) => {
    for (let count = 0; isWriting; count++) {
      const word = `<${who}.${count}>`;
      const { sent } = editor;
      const total = totals[who] = (totals[who] ?? 0) + word.length;
      editor.type(word, Math.floor(Math.random() * (editor.text.length + 1)));
      if (editor.sent > sent) written[who]?.set(editor.sent, total);
      await delay(15);
    }
  }));
  await here.until("both write", () => here.kept > 30 && there.kept > 30);
  Deno.kill(third.server.pid, "SIGKILL");
  const killed = performance.now();
  await third.server.ended;
  isWriting = false;
  await typing;
  // It waits, without a refusal, in whichever thread it comes to.
  const fresh = connect(second, name);
  // Pages of the other server are told to come again, and write on offline until then.
  assert.equal((await there.end())?.code, "busy");
  await here.end();
  const document = here.saved?.document ?? "";
  const kept = writers.map((editor, who) => written[who]?.get(editor.kept) ?? 0);
  assert.ok(kept.every((characters) => characters > 0), kept.join());

  await fresh.synced();
  assert.deepEqual(fresh.ended, []);
  const tookMs = performance.now() - killed;
  assert.ok(tookMs < 20_000, `${tookMs} ms`);
  assert.equal(fresh.saved?.document, document);
  for (const [who, editor] of writers.entries()) {
    const last = fresh.doc.store.clients.get(editor.doc.clientID)?.at(-1);
    const known = last ? last.id.clock + last.length : 0;
    assert.ok(known >= (kept[who] ?? 0), `writer ${who}: ${known} of ${kept[who]}`);
  }
  // They come back by the other servers, with what they wrote meanwhile.
  const { doc } = here;
  await Promise.all(writers.map((editor) => editor.leave()));
  const back = [
    connect(first, name, { doc, query: { document } }),
    connect(second, name, { doc: there.doc, query: { document } }),
  ];
  for (const editor of back) await editor.synced();
  await Promise.all(back.map((editor) => editor.allKept()));
  await fresh.until("all are there", () => back.every(({ text }) => text === fresh.text));
  const all = totals.reduce((sum, total) => sum + total, "begin\n".length);
  assert.equal(fresh.text.length, all);
  fresh.saveNow();
  await fresh.until("saved", () => Deno.readTextFileSync(join(root, name)) === fresh.text);
  for (const editor of [fresh, ...back]) await editor[Symbol.asyncDispose]();
  await third.server.stop();
});

Deno.test("a server that is stopped saves its texts, tells their pages, and gives them to the others", async () => {
  const names = [0, 1, 2, 3].map((number) => plant(`stopped${number}.md`, "begin\n"));
  const third = await startNode({ url, root });
  await using stack = new AsyncDisposableStack();
  const open = async (node: Node, name: string) => {
    const editor = stack.use(connect(node, name));
    await editor.synced();
    return editor;
  };
  const here: Editor[] = [];
  const there: Editor[] = [];
  for (const name of names) {
    here.push(await open(third, name));
    there.push(await open(second, name));
  }
  await Promise.all([...here, ...there].map((editor) => {
    editor.type("written");
    return editor.allKept();
  }));
  const stopping = performance.now();
  const stopped = third.server.stop();
  await Promise.all(there.map(async (editor, number) => {
    const told = await editor.end();
    assert.equal(told?.code, "busy");
    assert.match(told.message, /stopping/);
    const name = names[number] ?? "";
    const fresh = await open(second, name);
    const tookMs = performance.now() - stopping;
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
    assert.deepEqual(fresh.ended, []);
    assert.equal(fresh.text, "begin\nwrittenwritten");
    assert.equal(Deno.readTextFileSync(join(root, name)), fresh.text);
  }));
  await stopped;
});

Deno.test("a server that hangs loses its texts, and takes none back when it goes on", async () => {
  const name = plant("hung.md", "begin\n");
  const third = await startNode({ url, root });
  const here = connect(third, name);
  await here.synced();
  here.type("here");
  await here.allKept();
  const document = here.saved?.document ?? "";
  Deno.kill(third.server.pid, "SIGSTOP");
  here.type("!");
  await using there = connect(second, name);
  await there.synced();
  assert.equal(there.text, "begin\nhere");
  there.type("there", 0);
  await there.allKept();
  Deno.kill(third.server.pid, "SIGCONT");
  assert.equal((await here.end())?.code, "busy");
  await here.leave();
  await using back = connect(third, name, { doc: here.doc, query: { document } });
  await back.synced();
  await back.allKept();
  await there.until("all are there", () => there.text === "therebegin\nhere!");
  there.saveNow();
  await there.until("saved", () => Deno.readTextFileSync(join(root, name)) === there.text);
  assert.deepEqual(there.ended, []);
  await back.leave();
  await third.server.stop();
});
