import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    "a.txt": "",
    photos: { "Sea.JPG": "", "sea.txt": "", deep: { "the sea 100%.jpg": "", sea: {} } },
  },
});
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const search = (path: string, headers: Record<string, string> = {}) =>
  app.call("GET", `/api/search${path}`, { token, headers });
const lines = { accept: "application/x-ndjson" };

interface Result {
  path: string;
  dir: boolean;
}

async function found(path: string): Promise<string[]> {
  const results: Result[] = await (await search(path)).json();
  return results.map(({ path, dir }) => dir ? `${path}/` : path);
}

Deno.test("search refuses an empty query, and one without end", async () => {
  for (const query of ["", "?query=", "?query=%20", "?query=%22%22", "?query=case:sensitive"]) {
    await assertRefused(await search(`/photos/${query}`), 400, "invalid_option", query);
  }
  const endless = `?query=${"a".repeat(1_001)}`;
  await assertRefused(await search(`/photos/${endless}`), 400, "invalid_option");
});

Deno.test("search is 404 below what is not there and what is no folder", async () => {
  for (const path of ["/none/", "/a.txt", "/a.txt/", "/photos/none"]) {
    await assertRefused(await search(`${path}?query=a`), 404, "not_found", path);
  }
});

Deno.test("search refuses in a sentence those who read lines", async () => {
  const answer = await search("/none/?query=a", lines);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.match(await answer.text(), /^Cannot list "\/none": it is not there\n$/);
});

Deno.test("search answers one array of paths from the folder on", async () => {
  const answer = await search("/photos/?query=sea");
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const results: Result[] = await answer.json();
  assert.deepEqual(results.toSorted((a, b) => a.path < b.path ? -1 : 1), [
    { path: "Sea.JPG", dir: false },
    { path: "deep/sea", dir: true },
    { path: "deep/the sea 100%.jpg", dir: false },
    { path: "sea.txt", dir: false },
  ]);
});

Deno.test("search takes the folder with and without a slash, and the root", async () => {
  for (const path of ["/photos", "/photos/", "//photos//"]) {
    assert.deepEqual(await found(`${path}?query=100`), ["deep/the sea 100%.jpg"], path);
  }
  for (const path of ["", "/"]) {
    assert.deepEqual(await found(`${path}?query=100`), ["photos/deep/the sea 100%.jpg"], path);
  }
});

Deno.test("search goes on elsewhere where it is asked to, each entry once", async () => {
  for (const path of ["/photos/deep/", "//photos/deep"]) {
    assert.deepEqual((await found(`${path}?query=sea&elsewhere=true`)).toSorted(), [
      "/photos/Sea.JPG",
      "/photos/sea.txt",
      "sea/",
      "the sea 100%.jpg",
    ], path);
  }
  const results = await found("/photos/deep/?query=*&elsewhere=true");
  assert.equal(results.findLastIndex((path) => !path.startsWith("/")), 1, "the folder comes first");
  assert.ok(results.includes("/photos/deep/"), "the folder itself is elsewhere");
  assert.equal(new Set(results).size, results.length);
  assert.deepEqual(await found("/?query=100&elsewhere=true"), ["photos/deep/the sea 100%.jpg"]);
  assert.deepEqual(await found("/photos/deep/?query=nothing&elsewhere=true"), []);
  await assertRefused(await search("/none/?query=a&elsewhere=true"), 404, "not_found");
  const answer = await search("/photos/deep/?query=txt&elsewhere=true", lines);
  assert.equal(
    await answer.text(),
    `{"path":"/a.txt","dir":false}
{"path":"/photos/sea.txt","dir":false}
`,
  );
});

Deno.test("search reads the query's terms, phrases and options", async () => {
  const at = (query: string) => found(`/photos/?query=${encodeURIComponent(query)}`);
  assert.deepEqual(await at("sea the"), ["deep/the sea 100%.jpg"]);
  assert.deepEqual(await at('"the sea"'), ["deep/the sea 100%.jpg"]);
  assert.deepEqual(await at('"sea the"'), []);
  assert.deepEqual(await at("type:image Sea case:sensitive"), ["Sea.JPG"]);
  assert.deepEqual(await at("type:txt"), ["sea.txt"]);
  assert.deepEqual((await at("*.jpg")).sort(), ["Sea.JPG", "deep/the sea 100%.jpg"]);
  assert.deepEqual(await at("s*.{txt,md}"), ["sea.txt"]);
  assert.deepEqual(await at('"*.jpg"'), []);
  assert.deepEqual(await at("100%"), ["deep/the sea 100%.jpg"]);
});

Deno.test("search adds size and date where details are asked for", async () => {
  const path = join(app.root, "photos/sized.bin");
  Deno.writeTextFileSync(path, "12345");
  Deno.utimeSync(path, 1_700_000_000, 1_700_000_000);
  const [hit] = await (await search("/photos/?query=sized&details=true")).json();
  assert.deepEqual(hit, {
    path: "sized.bin",
    dir: false,
    size: 5,
    modified: "2023-11-14T22:13:20.000Z",
  });
  const [plain] = await (await search("/photos/?query=sized")).json();
  assert.deepEqual(plain, { path: "sized.bin", dir: false });
  Deno.removeSync(path);
});

Deno.test("search bounds size, date and kind", async () => {
  const bounded = join(app.root, "bounded");
  Deno.mkdirSync(join(bounded, "x folder.zip"), { recursive: true });
  Deno.writeTextFileSync(join(bounded, "x new.zip"), "12345");
  Deno.writeTextFileSync(join(bounded, "x old.docx"), "1234567890");
  Deno.utimeSync(join(bounded, "x old.docx"), 1_700_000_000, 1_700_000_000);
  Deno.symlinkSync("none", join(bounded, "x broken.zip"));
  const at = async (query: string) =>
    (await found(`/bounded/?query=${encodeURIComponent(query)}`)).sort();
  assert.deepEqual(await at("x type:folder"), ["x folder.zip/"]);
  assert.deepEqual(await at("type:archive"), ["x new.zip"]);
  assert.deepEqual(await at("type:archive type:folder"), ["x folder.zip/", "x new.zip"]);
  assert.deepEqual(await at("type:document"), ["x old.docx"]);
  assert.deepEqual(await at("size:>6b"), ["x old.docx"]);
  assert.deepEqual(await at("x size:<4"), ["x broken.zip"]);
  assert.deepEqual(await at("modified:>2023-11-14 modified:<2023-11-15"), ["x old.docx"]);
  assert.deepEqual(await at("x modified:1d type:zip"), ["x new.zip"]);
});

Deno.test("search answers a line for each result to those who ask for lines", async () => {
  const answer = await search("/photos/?query=deep", lines);
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  assert.equal(await answer.text(), '{"path":"deep","dir":true}\n');
  assert.equal(await (await search("/photos/?query=nothing", lines)).text(), "");
});

Deno.test("HEAD of search tells whether it could be made, and makes none", async () => {
  const head = (path: string) => app.call("HEAD", `/api/search${path}`, { token });
  const answer = await head("/photos/?query=sea");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(await answer.text(), "");
  assert.equal((await head("/photos/?query=")).status, 400);
  assert.equal((await head("/none/?query=sea")).status, 404);
});

Deno.test("search needs no permission but a session", async () => {
  const none = { create: false, delete: false, download: false, modify: false, rename: false };
  const { token: weak } = await app.addUser("otto", { perm: { ...none, share: false } });
  const answer = await app.call("GET", "/api/search/photos/?query=100", { token: weak });
  assert.equal((await answer.json()).length, 1);
});

Deno.test("the first result comes while the search goes on, and the search ends with its client", async () => {
  const many = join(app.root, "many");
  Deno.mkdirSync(many);
  Deno.writeTextFileSync(join(many, "needle"), "");
  for (let folder = 0; folder < 40; folder++) {
    const path = join(many, `${folder} ${"of a long name ".repeat(15)}`);
    Deno.mkdirSync(path);
    for (let file = 0; file < 100; file++) {
      Deno.symlinkSync("none", join(path, `${file} ${"needle ".repeat(30)}`));
    }
  }
  const ask = () =>
    fetch(`${url}/api/search/many/?query=needle`, { headers: { ...lines, "x-auth": token } });
  const whole = await (await ask()).text();
  assert.equal(whole.split("\n").length, 4_002);
  assert.equal(whole.split("\n")[0], '{"path":"needle","dir":false}');

  const answer = await ask();
  assert(answer.body);
  const reader = answer.body.getReader();
  const { value } = await reader.read();
  assert(new TextDecoder().decode(value).startsWith('{"path":"needle","dir":false}\n'));
  await reader.cancel();
  assert.deepEqual(await found("/photos/?query=100"), ["deep/the sea 100%.jpg"]);
});
