import assert from "node:assert/strict";
import { join } from "node:path";
import type { SearchFormat } from "../../../../lib/server/files/search/query.ts";
import { parseQuery, wholePart } from "../../../../lib/server/files/search/query.ts";
import { makeTemporaryName } from "../../../../lib/server/core/access/names.ts";
import { plantMany, type Tree } from "../../../support/disks/files.ts";
import { allow, deny, denyMatching } from "../../../support/data/rules.ts";
import { assertDeniedLater, at, enter, type viewer } from "../../core/access/visitors.ts";
import { setUp as setUpWalker } from "./set_up.ts";

interface Result {
  path: string;
  dir: boolean;
}

type As = Parameters<typeof viewer>[0];

async function setUp(tree: Tree = {}) {
  const s = await setUpWalker(tree);
  const reserved = [join(s.root, "store.kv")];
  const open = async (
    query: string,
    path = "/",
    as: As = {},
    format: SearchFormat = "lines",
    signal?: AbortSignal,
  ) => {
    const options = {
      query: parseQuery(query),
      format,
      details: false,
      media: false,
      ...wholePart,
    };
    const args = { access: enter(s.root, as, reserved), path: at(path), options };
    return (await s.listingWorker.search(args, { signal })).stream.read();
  };
  const find = async (...args: Parameters<typeof open>): Promise<string[]> => {
    const text = await textOf(await open(...args));
    const results: Result[] = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    return results.map(({ path, dir }) => dir ? `${path}/` : path);
  };
  return { ...s, open, find };
}

async function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return await new Response(stream).text();
}

Deno.test("a search refuses as the gate does", async () => {
  await using s = await setUp({ secret: { a: "" }, file: "" });
  Deno.symlinkSync("/etc", join(s.root, "out"));
  await assertDeniedLater(s.open("a", "/out"), "forbidden");
  await assertDeniedLater(s.open("a", "/secret", { rules: [deny("/secret")] }), "forbidden");
  await assertDeniedLater(s.open("a", "/none"), "not_found");
  await assertDeniedLater(s.open("a", "/file"), "not_found");
  await assertDeniedLater(s.open("a", "/", { scope: "/gone" }), "not_found");
});

Deno.test("a search does not find what the viewer may not know of", async () => {
  await using s = await setUp({
    "x.txt": "",
    ".x": "",
    "store.kv": "",
    [makeTemporaryName()]: "",
    secret: { "x.txt": "", open: { "x.txt": "" } },
    ".hidden": { "x.txt": "" },
    deep: { "x.key": "", ".x": { "x.txt": "" } },
  });
  assert.deepEqual((await s.find("x")).sort(), [
    ".hidden/x.txt",
    ".x",
    "deep/.x/",
    "deep/.x/x.txt",
    "deep/x.key",
    "secret/open/x.txt",
    "secret/x.txt",
    "x.txt",
  ]);
  const hide = { hideDotfiles: true, rules: [deny("/secret"), denyMatching("\\.key$")] };
  assert.deepEqual(await s.find("x", "/", hide), ["x.txt"]);
  assert.deepEqual(await s.find("store"), []);
  assert.deepEqual(await s.find("cubby-upload"), []);
  const exception = { rules: [deny("/secret"), allow("/secret/open")] };
  assert.deepEqual(await s.find("x", "/secret/open", exception), ["x.txt"]);
  assert.deepEqual(await s.find("x", "/", { scope: "/secret" }), ["x.txt", "open/x.txt"]);
});

Deno.test("a search lists links and walks into none", async () => {
  await using s = await setUp({ real: { "x.txt": "" }, secret: { "x.txt": "" } });
  const link = (target: string, name: string) => Deno.symlinkSync(target, join(s.root, name));
  link("real", "x folder");
  link("real/x.txt", "x file");
  link("none", "x broken");
  link("../..", "real/x up and out");
  link("/etc", "x out");
  link("secret", "x secret");
  link(".", "x loop");
  assert.deepEqual((await s.find("x", "/", { rules: [deny("/secret")] })).sort(), [
    "real/x up and out",
    "real/x.txt",
    "x broken",
    "x file",
    "x folder/",
    "x loop/",
    "x out",
  ]);
  assert.deepEqual((await s.find("x", "/x folder")).sort(), ["x up and out", "x.txt"]);
  Deno.symlinkSync("none", join(s.root, "broken.jpg"));
  Deno.mkdirSync(join(s.root, "folder.jpg"));
  assert.deepEqual(await s.find("type:image"), []);
});

Deno.test("a search gives paths from its folder, the nearest first, in both formats", async () => {
  await using s = await setUp({ a: { b: { c: { "x 3": "" }, "x 2": {} }, "x 1": "" } });
  assert.deepEqual(await s.find("x", "/a"), ["x 1", "b/x 2/", "b/c/x 3"]);
  assert.deepEqual(await s.find("x", "/"), ["a/x 1", "a/b/x 2/", "a/b/c/x 3"]);
  const json = await textOf(await s.open("x", "/a/b", {}, "json"));
  assert.equal(json, '[{"path":"x 2","dir":true},{"path":"c/x 3","dir":false}]');
  assert.equal(await textOf(await s.open("none", "/", {}, "json")), "[]");
  assert.equal(await textOf(await s.open("none", "/", {}, "lines")), "");
});

Deno.test("searches find all there is, and others need not wait for them", async () => {
  await using s = await setUp({ wide: {}, flat: {} });
  for (let index = 0; index < 1_500; index++) Deno.mkdirSync(join(s.root, `wide/${index}`));
  for (const index of [0, 750, 1_499]) {
    Deno.writeTextFileSync(join(s.root, `wide/${index}/needle`), "");
  }
  plantMany(join(s.root, "flat"), 2_000);
  const needles = ["wide/0/needle", "wide/1499/needle", "wide/750/needle"];

  let done = 0;
  const searches = Array.from({ length: 5 }, async () => {
    assert.deepEqual((await s.find("needle")).sort(), needles);
    done++;
  });
  const { numFiles } = await s.list("/flat");
  const before = done;
  await Promise.all(searches);
  assert.equal(numFiles, 2_000);
  assert.ok(before < searches.length, "the listing did not wait for all searches");

  const found: Result[] = JSON.parse(await textOf(await s.open("entry", "/", {}, "json")));
  assert.equal(new Set(found.map(({ path }) => path)).size, 2_000);
});

Deno.test("a search goes no further than it is read, and ends with its reader", async () => {
  await using s = await setUp();
  for (let number = 0; number < 40; number++) {
    const folder = join(s.root, `folder ${number} ${"of a long name ".repeat(15)}`);
    Deno.mkdirSync(folder);
    plantMany(folder, 50);
  }
  const reader = (await s.open("entry")).getReader();
  const first = await reader.read();
  assert(first.value && first.value.length < 100_000);
  await s.list("/");
  for (const { name } of Deno.readDirSync(s.root)) {
    if (name > "folder 2") Deno.removeSync(join(s.root, name), { recursive: true });
  }
  let length = first.value.length;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
  }
  assert(length < 40 * 50 * 260, `${length} bytes, as if nothing had been waiting`);

  const cancelled = await s.open("entry");
  await cancelled.cancel();
  const controller = new AbortController();
  const dropped = s.open("entry", "/", {}, "lines", controller.signal);
  controller.abort();
  await assert.rejects(dropped, { name: "AbortError" });
  await assert.rejects(s.open("x", "/", {}, "lines", AbortSignal.abort()), { name: "AbortError" });
});
