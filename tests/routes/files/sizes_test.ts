import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import type { NamedSize } from "../../../lib/shared/schemas/size.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const odd = "#%?日本 `";
const folders = {
  "file.txt": "1",
  [odd]: { "a.bin": "12345", deep: { "b.bin": "1234567", ".hidden": "12" } },
  empty: {},
  small: { "c.txt": "123" },
  shut: { "d.txt": "1234567890" },
};
const app = await startApp({
  // No other test measures the folders of "unmeasured".
  tree: { "a.txt": "12345", tree: folders, unmeasured: folders },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

async function linesOf(path: string, body: object, as = token): Promise<NamedSize[]> {
  const answer = await app.call("POST", `/api/sizes${path}`, { token: as, json: body });
  assert.equal(answer.status, 200, await answer.clone().text());
  assert.equal(answer.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  const text = await answer.text();
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** The last size of each folder, in bytes. */
async function sizesOf(path: string, names?: string[], as = token) {
  const lines = await linesOf(path, { names }, as);
  return Object.fromEntries(lines.map(({ name, bytes }) => [name, bytes]));
}

const all = [odd, "empty", "small", "shut"];

async function listed(path: string, query: string, as = token): Promise<Resource> {
  const answer = await app.call("GET", `/api/resources${path}?${query}`, { token: as });
  assert.equal(answer.status, 200);
  return await answer.json();
}

const namesIn = ({ items = [] }: Resource) =>
  items.filter(({ isDir }) => isDir).map(({ name }) => name);

Deno.test("sizes refuses files, what is not there or denied, and names that are none", async () => {
  for (const path of ["/none", "/a.txt"]) {
    await assertRefused(
      await app.call("POST", `/api/sizes${path}`, { token, json: {} }),
      404,
      "not_found",
      path,
    );
  }
  const { token: denied } = await app.addUser("ivy", { rules: [deny("/tree")] });
  const answer = await app.call("POST", "/api/sizes/tree", { token: denied, json: {} });
  await assertRefused(answer, 403, "forbidden");
  const many = Array.from({ length: 501 }, (_, at) => `${at}`);
  for (const names of [[], "a", [1], many]) {
    const answer = await app.call("POST", "/api/sizes/tree", { token, json: { names } });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(names));
  }
  for (const name of ["", "/", "..", "small/..", "small/x", "a\0"]) {
    const answer = await app.call("POST", "/api/sizes/tree", { token, json: { names: [name] } });
    await assertRefused(answer, 400, "invalid_path", name);
  }
});

Deno.test("listings sort folders by what is known of their sizes, when they are asked to", async () => {
  const path = "/unmeasured";
  const unknown = await listed(path, "sort=size&order=desc&sizes=true");
  assert.equal(unknown.uncounted, 4);
  assert.deepEqual(await sizesOf(path, ["small"]), { small: 3 });
  const [first] = namesIn(await listed(path, "sort=size&order=desc&sizes=true"));
  assert.equal(first, "small", "unknown ones come last");
  assert.equal(namesIn(await listed(path, "sort=size&order=asc&sizes=true"))[0], "small");
  assert.deepEqual(Object.keys(await sizesOf(path)).sort(), [odd, "empty", "shut"].sort());
  assert.deepEqual(await sizesOf(path), {}, "all are known");
  const down = await listed(path, "sort=size&order=desc&sizes=true");
  assert.deepEqual(namesIn(down), [odd, "shut", "small", "empty"]);
  assert.equal(down.uncounted, 0);
  assert.equal(typeof down.sizesTag, "number");
  assert.notEqual(down.sizesTag, unknown.sizesTag, "windows of two orders do not fit together");
  assert.deepEqual(
    namesIn(await listed(path, "sort=size&order=asc&sizes=true&offset=1&limit=2")),
    ["small", "shut"],
  );
  const plain = await listed(path, "sort=size&order=desc");
  assert.deepEqual([...namesIn(plain)].sort(), [...all].sort());
  assert.equal("uncounted" in plain, false);
});

Deno.test("sizes adds up each folder by itself, and leaves out what is none", async () => {
  const links = ["out", "in", "broken"];
  Deno.symlinkSync("/", join(app.root, "tree/out"));
  Deno.symlinkSync("small", join(app.root, "tree/in"));
  Deno.symlinkSync("gone", join(app.root, "tree/broken"));
  const names = [...all, "file.txt", "none", ...links];
  assert.deepEqual(await sizesOf("/tree", names), { [odd]: 14, empty: 0, small: 3, shut: 10 });
  for (const link of links) Deno.removeSync(join(app.root, "tree", link));
  const [line] = await linesOf("/tree", { names: [odd] });
  assert.deepEqual(line, {
    name: odd,
    bytes: 14,
    files: 3,
    folders: 1,
    unreadable: 0,
    isPartial: false,
  });
});

Deno.test("sizes counts for each user what that user may see, and no more is told by an order", async () => {
  const rules = [deny("/tree/shut"), deny(`/tree/${odd}/deep/b.bin`)];
  const { token: some } = await app.addUser("jo", { rules, hideDotfiles: true });
  const { token: scoped } = await app.addUser("kim", { scope: `/tree/${odd}` });
  for (const turn of [1, 2]) {
    assert.deepEqual(
      await sizesOf("/tree", all, some),
      { [odd]: 5, empty: 0, small: 3 },
      `${turn}`,
    );
    assert.deepEqual(await sizesOf("/", ["deep", "small"], scoped), { deep: 9 }, `${turn}`);
    assert.deepEqual(await sizesOf("/tree", [odd]), { [odd]: 14 }, `${turn}`);
  }
  const seen = namesIn(await listed("/tree", "sort=size&order=desc&sizes=true", some));
  assert.deepEqual(seen, [odd, "small", "empty"]);
  for (const name of ["shut", "none"]) {
    assert.deepEqual(await linesOf("/tree", { names: [name] }, some), [], name);
  }
});

Deno.test("sizes notices at once what the server changes far below, and what others change", async () => {
  const at = `/tree/${encodeURIComponent(odd)}`;
  assert.deepEqual(await sizesOf("/tree", [odd]), { [odd]: 14 });
  await app.call("POST", `/api/resources${at}/deep/more/new.bin`, { token, body: "123456" });
  assert.deepEqual(await sizesOf("/tree", [odd]), { [odd]: 20 });
  await app.call("DELETE", `/api/resources${at}/deep/more?trash=false`, { token });
  assert.deepEqual(await sizesOf("/tree", [odd]), { [odd]: 14 });
  Deno.writeTextFileSync(join(app.root, "tree/small/by_hand"), "12345678");
  assert.deepEqual(await sizesOf("/tree", ["small"]), { small: 11 });
  Deno.removeSync(join(app.root, "tree/small/by_hand"));
});

Deno.test("what is another folder now is measured, and not shown with the former size", async () => {
  await sizesOf("/tree", ["small"]);
  Deno.renameSync(join(app.root, "tree/small"), join(app.root, "tree/kept"));
  Deno.mkdirSync(join(app.root, "tree/small"));
  const lines = await linesOf("/tree", { names: ["small"] });
  assert.deepEqual(lines.map(({ bytes }) => bytes), [0]);
  Deno.removeSync(join(app.root, "tree/small"));
  Deno.renameSync(join(app.root, "tree/kept"), join(app.root, "tree/small"));
});

Deno.test("no folder waits for a huge one, and the work ends with its client", async () => {
  const many = join(app.root, "many/a huge one");
  for (let folder = 0; folder < 60; folder++) {
    Deno.mkdirSync(join(many, String(folder)), { recursive: true });
    for (let file = 0; file < 50; file++) {
      Deno.writeTextFileSync(join(many, String(folder), String(file)), "12");
    }
  }
  Deno.mkdirSync(join(app.root, "many/small"));
  const lines = await linesOf("/many", { names: ["a huge one", "small"] });
  const sizes = Object.fromEntries(lines.map(({ name, bytes }) => [name, bytes]));
  assert.deepEqual(sizes, { "a huge one": 6_000, small: 0 });
  const left = await app.call("POST", "/api/sizes/many", { token, json: {} });
  await left.body?.cancel();
  assert.deepEqual(await sizesOf("/many", ["small"]), { small: 0 });
  Deno.removeSync(join(app.root, "many"), { recursive: true });
});
