import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    "a.txt": "hello",
    "pixel.png": "not really",
    listing: { "b10.txt": "1", "b2.txt": "22", "A1.txt": "333", sub: { "x": "" } },
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/resources${path}`, { token, headers });

async function namesOf(path: string): Promise<string[] | undefined> {
  const resource: Resource = await (await get(path)).json();
  return resource.items?.map(({ name }) => name);
}

Deno.test("resources refuses malformed options", async () => {
  for (const query of ["limit=-1", "offset=x", "limit=1.5", "sort=colour", "order=up"]) {
    await assertRefused(await get(`/listing?${query}`), 400, "invalid_option", query);
  }
  await assertRefused(await get("/a.txt?checksum=crc32"), 400, "invalid_option");
});

Deno.test("resources is 404 for what is not there, also below a file", async () => {
  for (const path of ["/none", "/none/", "/listing/none", "/a.txt/below"]) {
    await assertRefused(await get(path), 404, "not_found", path);
  }
});

Deno.test("resources refuses a checksum without the permission to download", async () => {
  const { token: weak } = await app.addUser("kim", { perm: { download: false } });
  const ask = (path: string) => app.call("GET", `/api/resources${path}`, { token: weak });
  await assertRefused(await ask("/a.txt?checksum=md5"), 403, "forbidden");
  const resource: Resource = await (await ask("/a.txt")).json();
  assert.equal(resource.size, 5);
  assert.equal(resource.content, undefined);
});

Deno.test("resources describes a file with its text", async () => {
  const answer = await get("/a.txt");
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.match(answer.headers.get("etag") ?? "", /^"[^"]+"$/);
  const { modified, mode, ...rest }: Resource = await answer.json();
  assert.match(modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  assert.equal(mode & 0o600, 0o600);
  assert.deepEqual(rest, {
    name: "a.txt",
    path: "/a.txt",
    isDir: false,
    isSymlink: false,
    type: "text",
    size: 5,
    extension: ".txt",
    content: "hello",
    encoding: "utf-8",
    lineEnding: "lf",
  });
});

Deno.test("resources describes a file as well when its path ends with a slash", async () => {
  const resource: Resource = await (await get("/a.txt/")).json();
  assert.equal(resource.path, "/a.txt");
  assert.equal(resource.isDir, false);
});

Deno.test("resources answers 304 to a client that knows the file", async () => {
  const etag = (await get("/a.txt")).headers.get("etag") ?? "";
  const answer = await get("/a.txt", { "if-none-match": etag });
  assert.equal(answer.status, 304);
  assert.equal(await answer.text(), "");
  await assertStatus(await get("/a.txt", { "if-none-match": '"other"' }), 200);
});

Deno.test("resources gives checksums of a file", async () => {
  const sums = async (algorithm: string) =>
    (await (await get(`/a.txt?checksum=${algorithm}`)).json()).checksums;
  assert.deepEqual(await sums("md5"), { md5: "5d41402abc4b2a76b9719d911017c592" });
  assert.deepEqual(await sums("sha1"), { sha1: "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d" });
  assert.deepEqual(await sums("sha256"), {
    sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  });
  assert.match((await sums("sha512")).sha512, /^9b71d224bd62f378[0-9a-f]{112}$/);
});

Deno.test("resources lists a folder, folders first, names in natural order", async () => {
  const answer = await get("/listing/");
  const resource: Resource = await answer.json();
  assert.equal(answer.headers.get("etag"), null);
  assert.equal(resource.type, "listing");
  assert.equal(resource.numDirs, 1);
  assert.equal(resource.numFiles, 3);
  assert.deepEqual(resource.sorting, { by: "name", asc: true });
  assert.deepEqual(
    resource.items?.map(({ name, path, isDir }) => [name, path, isDir]),
    [
      ["sub", "/listing/sub", true],
      ["A1.txt", "/listing/A1.txt", false],
      ["b2.txt", "/listing/b2.txt", false],
      ["b10.txt", "/listing/b10.txt", false],
    ],
  );
  assert.deepEqual(await namesOf("/listing"), await namesOf("/listing/"));
});

Deno.test("resources gives a window of the entries in the order asked for", async () => {
  assert.deepEqual(await namesOf("/listing?offset=1&limit=2"), ["A1.txt", "b2.txt"]);
  assert.deepEqual(await namesOf("/listing?limit=0"), []);
  assert.deepEqual(await namesOf("/listing?offset=9"), []);
  assert.deepEqual(await namesOf("/listing?sort=size&order=desc"), [
    "sub",
    "A1.txt",
    "b2.txt",
    "b10.txt",
  ]);
  const windowed: Resource = await (await get("/listing?limit=1")).json();
  assert.equal(windowed.numFiles, 3);
});

Deno.test("resources finds the window that an entry is in", async () => {
  const windowOf = async (query: string) => {
    const resource: Resource = await (await get(`/listing?${query}`)).json();
    return [resource.offset, resource.items?.map(({ name }) => name).join(" ")];
  };
  assert.deepEqual(await windowOf("around=none&limit=2"), [0, "sub A1.txt"]);
  assert.deepEqual(await windowOf("around=none&limit=2&offset=3"), [3, "b10.txt"]);
  assert.deepEqual(await windowOf("around=b2.txt&limit=0"), [2, ""]);
  assert.deepEqual(await windowOf("around=b10.txt"), [0, "sub A1.txt b2.txt b10.txt"]);
  assert.deepEqual(await windowOf("around=A1.txt&limit=2"), [0, "sub A1.txt"]);
  assert.deepEqual(await windowOf("around=b2.txt&limit=2"), [2, "b2.txt b10.txt"]);
  const bySize = "sort=size&order=desc&limit=3";
  assert.deepEqual(await windowOf(`around=b10.txt&${bySize}`), [3, "b10.txt"]);
});

Deno.test("resources finds the window of the next name that starts so", async () => {
  const placeOf = async (query: string) => {
    const resource: Resource = await (await get(`/listing?limit=1&${query}`)).json();
    return [resource.offset, resource.items?.[0]?.name];
  };
  assert.deepEqual(await placeOf("startsWith=x&offset=1"), [undefined, "A1.txt"]);
  assert.deepEqual(await placeOf("startsWith=a"), [1, "A1.txt"]);
  assert.deepEqual(await placeOf("startsWith=B&offset=3"), [3, "b10.txt"]);
  assert.deepEqual(await placeOf("startsWith=su&offset=3"), [0, "sub"]);
});

Deno.test("resources lists and counts what a filter leaves of a folder", async () => {
  const leftBy = async (query: string) => {
    const { items, numDirs, numFiles }: Resource = await (await get(`/listing?${query}`)).json();
    return [numDirs, numFiles, items?.map(({ name }) => name).join(" ")];
  };
  assert.deepEqual(await leftBy("filter=nothing"), [0, 0, ""]);
  assert.deepEqual(await leftBy("filter=TXT"), [0, 3, "A1.txt b2.txt b10.txt"]);
  assert.deepEqual(await leftBy("filter=txt+B&limit=1"), [0, 2, "b2.txt"]);
  assert.deepEqual(await leftBy("filter=b&sort=size&order=desc"), [1, 2, "sub b2.txt b10.txt"]);
  assert.deepEqual(await leftBy("filter=+"), [1, 3, "sub A1.txt b2.txt b10.txt"]);
});

Deno.test("resources lists the root and large folders alike", async () => {
  const big = join(app.root, "big");
  Deno.mkdirSync(big);
  for (let index = 0; index < 1500; index++) Deno.writeTextFileSync(join(big, `${index}`), "");
  const resource: Resource = await (await get("/big?offset=10&limit=3")).json();
  assert.equal(resource.numFiles, 1500);
  assert.deepEqual(resource.items?.map(({ name }) => name), ["10", "11", "12"]);
  const found: Resource = await (await get("/big?around=1234&limit=50")).json();
  assert.deepEqual([found.offset, found.items?.length, found.items?.[34]?.name], [
    1200,
    50,
    "1234",
  ]);
  const next: Resource = await (await get("/big?startsWith=149&offset=150&limit=1")).json();
  assert.deepEqual([next.offset, next.items?.[0]?.name], [1490, "1490"]);
  const left: Resource = await (await get("/big?filter=123&offset=1&limit=2")).json();
  assert.deepEqual([left.numFiles, left.items?.map(({ name }) => name)], [12, ["1123", "1230"]]);
  assert.ok((await namesOf(""))?.includes("big"));
  assert.ok((await namesOf("/"))?.includes("big"));
});

Deno.test("HEAD of resources tells whether something is there", async () => {
  const head = async (path: string) =>
    (await app.call("HEAD", `/api/resources${path}`, { token })).status;
  assert.equal(await head("/a.txt"), 200);
  assert.equal(await head("/listing/"), 200);
  assert.equal(await head("/none"), 404);
});
