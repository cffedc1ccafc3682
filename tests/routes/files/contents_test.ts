import assert from "node:assert/strict";
import { join } from "node:path";
import { serveThread } from "../../../lib/server/core/concurrency/thread_channel.ts";
import { loseMessages } from "../../support/run/lost_messages.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { contentsOf } from "../../support/server/contents.ts";

const app = await startApp({
  tree: {
    "budget.txt": "The annual budget of the society.",
    docs: {
      "notes.md": "# Notes\n\nWe talked about the budget and the annual report.\n",
      "report 日本 '#%?.txt": "日本語のテキスト。Résumé of the year\n",
      "changed.txt": "We parleyed for hours.",
      "big.log": "line\n".repeat(50) + "needle in line 51\n",
      "latin.txt": Uint8Array.from("Stra\xdfe, caf\xe9", (c) => c.charCodeAt(0)),
      "binary.txt": Uint8Array.of(98, 117, 100, 103, 101, 116, 0, 1, 2, 3),
      "picture.jpg": "budget",
      deep: { "annual.csv": "a,b\nbudget,1\n" },
    },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const contents = contentsOf(app, token);
Deno.test.beforeEach(() => contents.switchOn());

Deno.test("content search is refused while it is off", async () => {
  await using off = await startApp({ tree: { "budget.txt": "The annual budget." } });
  const token = await off.tokenOf("admin");
  const { ask, state } = contentsOf(off, token);
  await assertRefused(await ask("/?query=content:budget"), 501, "not_supported");
  await assertRefused(await ask("/?query=budget&contents=true"), 501, "not_supported");
  await assertRefused(await off.call("POST", "/api/contents", { token }), 501, "not_supported");
  assert.equal((await state()).state, "off");
  await assert.rejects(Deno.stat(join(off.cubby.config.cacheDir, "contents.db")));
});

Deno.test("content search finds words, phrases and beginnings", async () => {
  assert.deepEqual(await contents.paths("/?query=content:budget"), [
    "budget.txt",
    "docs/deep/annual.csv",
    "docs/notes.md",
  ]);
  assert.deepEqual(await contents.paths("/?query=content:%22annual%20report%22"), [
    "docs/notes.md",
  ]);
  assert.deepEqual(await contents.paths("/?query=content:budg"), []);
  assert.deepEqual(await contents.paths("/?query=content:budg*%20type:md"), ["docs/notes.md"]);
  assert.deepEqual(await contents.paths("/?query=content:budget%20content:annual"), [
    "budget.txt",
    "docs/notes.md",
  ]);
  assert.deepEqual(await contents.paths("/?query=content:!!!"), []);
});

Deno.test("content search minds neither case nor accents, and finds parts of Japanese", async () => {
  const report = ["docs/report 日本 '#%?.txt"];
  for (const word of ["RESUME", "résumé", "日本語", "テキスト", "キスト", "本"]) {
    const query = `/?query=${encodeURIComponent(`content:${word}`)}`;
    assert.deepEqual(await contents.paths(query), report, word);
  }
  assert.deepEqual(await contents.paths("/?query=content:STRASSE"), ["docs/latin.txt"]);
  assert.deepEqual(await contents.paths("/?query=content:cafe"), ["docs/latin.txt"]);
});

Deno.test("texts that have a word as it was typed come before those with other accents", async () => {
  const put = (name: string, body: string) =>
    app.call("POST", `/api/resources/accents/${name}`, { token, body });
  await put("plain.txt", `${"other words ".repeat(200)} a pate and more`);
  await put("accents.txt", "Pâté, pâté, pâté");
  await put("tatweel.txt", "ســلَام");
  for (const [word, names] of [["pate", "plain accents"], ["pâté", "accents plain"]] as const) {
    const expected = names.split(" ").map((name) => `${name}.txt`);
    const query = `/accents/?query=${encodeURIComponent(`content:${word}`)}`;
    await contents.finds(query, expected.toSorted());
    const results = await contents.results(query);
    assert.deepEqual(results.map(({ path }) => path), expected, word);
  }
  await contents.finds("/accents/?query=content:سلام", ["tatweel.txt"]);
});

Deno.test("a pattern is about names, also where contents are searched", async () => {
  assert.deepEqual(await contents.paths("/docs?query=budget%20*.md&contents=true"), ["notes.md"]);
  assert.deepEqual(await contents.paths("/docs?query=*.csv&contents=true"), ["deep/annual.csv"]);
  assert.deepEqual(await contents.paths("/docs?query=content:budget%20*.csv"), ["deep/annual.csv"]);
});

Deno.test("content search goes on elsewhere, each file once", async () => {
  for (const query of ["content:budget", "budget&contents=true"]) {
    assert.deepEqual(await contents.paths(`/docs/deep?query=${query}&elsewhere=true`), [
      ...["/budget.txt", "/docs/notes.md", "annual.csv"],
    ]);
    const [first] = await contents.results(`/docs/deep?query=${query}&elsewhere=true`);
    assert.equal(first?.path, "annual.csv");
  }
});

Deno.test("content search shows the text around the hits, and their line", async () => {
  const [hit] = await contents.results("/docs?query=content:needle&details=true");
  assert.equal(hit?.path, "big.log");
  assert.equal(hit.line, 51);
  assert.equal(hit.size, 268);
  assert.equal(hit.snippet?.[1], "needle");
  assert.match(hit.snippet?.join("") ?? "", /^…line .*line needle in line 51 $/);
});

Deno.test("names come first, then contents, each file once", async () => {
  const results = await contents.results("/?query=budget&contents=true");
  assert.deepEqual(results.map(({ path, snippet }) => [path, snippet !== undefined]), [
    ["budget.txt", false],
    ...results.slice(1).map(({ path }) => [path, true]),
  ]);
  assert.deepEqual(results.slice(1).map(({ path }) => path).sort(), [
    "docs/deep/annual.csv",
    "docs/notes.md",
  ]);
  assert.deepEqual(await contents.paths("/?query=annual*&contents=true"), [
    "budget.txt",
    "docs/deep/annual.csv",
    "docs/notes.md",
  ]);
  const lines = await app.call("GET", "/api/search/?query=needle&contents=true", {
    token,
    headers: { accept: "application/x-ndjson" },
  });
  assert.equal(lines.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  assert.deepEqual((await lines.text()).split("\n").map((line) => line && JSON.parse(line).path), [
    "docs/big.log",
    "",
  ]);
  assert.deepEqual(await contents.results("/?query=nowhere&contents=true"), []);
});

Deno.test("the better a text fits, the earlier it comes", async () => {
  const put = (name: string, body: string) =>
    app.call("POST", `/api/resources/rank/${name}`, { token, body });
  await put("long.txt", `zebra ${"other words ".repeat(200)} crossing`);
  await put("short.txt", "zebra crossing, zebra crossing");
  await contents.finds("/rank/?query=content:crossing", ["long.txt", "short.txt"]);
  for (const query of ["content:zebra", "content:zebra%20content:crossing"]) {
    const results = await contents.results(`/rank/?query=${query}`);
    assert.deepEqual(results.map(({ path }) => path), ["short.txt", "long.txt"], query);
  }
});

Deno.test("the index follows uploads, saves, moves, copies and deletions at once", async () => {
  const call = async (method: string, path: string, body?: string) => {
    const answer = await app.call(method, `/api/resources${path}`, { token, body });
    assert.equal(answer.status, 200, `${method} ${path}: ${await answer.text()}`);
  };
  await call("POST", "/new/one.txt", "a walrus");
  await contents.finds("/?query=content:walrus", ["new/one.txt"]);
  await call("PUT", "/new/one.txt", "an ostrich");
  await contents.finds("/?query=content:ostrich", ["new/one.txt"]);
  assert.deepEqual(await contents.paths("/?query=content:walrus"), []);
  await call("PATCH", "/new/one.txt?action=copy&destination=/two.txt");
  await contents.finds("/?query=content:ostrich", ["new/one.txt", "two.txt"]);
  await call("PATCH", "/new?action=rename&destination=/old");
  await contents.finds("/?query=content:ostrich", ["old/one.txt", "two.txt"]);
  await call("DELETE", "/old");
  await contents.finds("/?query=content:ostrich", ["two.txt"]);
  const json = {
    action: "trash",
    entries: [{ path: "/two.txt" }],
  };
  const job = await app.call("POST", "/api/jobs", { token, json });
  assert.equal(job.status < 300, true, await job.text());
  await contents.finds("/?query=content:ostrich", []);
  const { items } = await (await app.call("GET", "/api/trash", { token })).json();
  const { id } = items.find(({ name }: { name: string }) => name === "two.txt");
  await app.call("POST", `/api/trash/${id}`, { token });
  await contents.finds("/?query=content:ostrich", ["two.txt"]);
});

Deno.test("the index follows a change of which a busy thread was not told", async () => {
  using _serving = serveThread();
  {
    using _lost = loseMessages();
    await app.call("POST", "/api/resources/lost.txt", { token, body: "a lapwing" });
  }
  await contents.finds("/?query=content:lapwing", ["lost.txt"]);
});

Deno.test("a file that was changed past the server is not found by its former text", async () => {
  assert.deepEqual(await contents.paths("/?query=content:parleyed"), ["docs/changed.txt"]);
  const path = join(app.root, "docs", "changed.txt");
  await Deno.writeTextFile(path, "nothing of that kind");
  assert.deepEqual(await contents.paths("/?query=content:parleyed"), []);
  // Asking has told the index of it.
  await contents.finds("/?query=content:kind", ["docs/changed.txt"]);
});

Deno.test("a log that grows all the time is found by its present text", async () => {
  await app.call("POST", "/api/resources/server.log", { token, body: "a pangolin came\n" });
  await contents.finds("/?query=content:pangolin", ["server.log"]);
  for (let times = 0; times < 5; times++) {
    await Deno.writeTextFile(join(app.root, "server.log"), "x\n", { append: true });
    const [hit] = await contents.results("/?query=content:pangolin&details=true");
    assert.equal(hit?.path, "server.log");
    assert.equal(hit.size, 16 + 2 * (times + 1));
  }
  await Deno.writeTextFile(join(app.root, "server.log"), "it left\n");
  assert.deepEqual(await contents.paths("/?query=content:pangolin"), []);
});

Deno.test("a rebuild begins with the next walk, and everything is found again", async () => {
  const walkedAt = (await contents.state()).walkedAt;
  await Deno.writeTextFile(join(app.root, "outside.txt"), "a pelican");
  assert.equal((await app.call("POST", "/api/contents", { token })).status, 200);
  await contents.until(async () => {
    const state = await contents.state();
    return state.state === "ready" && state.walkedAt !== walkedAt;
  }, "the index is built anew");
  assert.deepEqual(await contents.paths("/?query=content:pelican"), ["outside.txt"]);
  const { files, characters, bytes } = await contents.state();
  assert.ok(files >= 6 && characters > 100 && bytes > 1_000, `${files} ${characters} ${bytes}`);
});

Deno.test("switched off, the index is removed", async () => {
  const json = { contents: { enabled: false } };
  await app.call("PUT", "/api/settings", { token, json });
  await contents.until(
    () => Deno.stat(join(app.cubby.config.cacheDir, "contents.db")).then(() => false, () => true),
    "the index is removed",
  );
  await assertRefused(await contents.ask("/?query=content:budget"), 501, "not_supported");
});
