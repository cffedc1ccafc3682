import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { plantMany } from "../../support/disks/files.ts";
import { fc, runs } from "../../support/run/property.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const large = crypto.getRandomValues(new Uint8Array(60_000));
const app = await startApp({
  tree: {
    tree: {
      "a.txt": "a",
      "large.bin": new Uint8Array(Array.from({ length: 30 }, () => [...large]).flat()),
      folder: { empty: {}, "b.txt": "b", "ünder.txt": "c" },
      many: {},
    },
    changing: { "a.txt": "1", "b.txt": "2" },
  },
});
plantMany(join(app.root, "tree/many"), 300);
const { url } = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

const get = (path: string, headers: Record<string, string> = {}) =>
  app.call("GET", `/api/raw${path}`, { token, headers });
/** Who wants a part waits until the length is known; the whole is sent at once if that takes long. */
const patient = { range: "bytes=0-" };
const whole = await get("/tree/", patient);
const etag = whole.headers.get("etag") ?? "";
const bytes = await whole.bytes();

Deno.test("a range behind the end of an archive is refused with the length", async () => {
  for (const range of [`bytes=${bytes.length}-`, "bytes=99999999999-", "bytes=-0"]) {
    const answer = await get("/tree/", { range });
    assert.equal(answer.headers.get("content-range"), `bytes */${bytes.length}`);
    await assertRefused(answer, 416, "range_not_satisfiable", range);
  }
});

Deno.test("If-Match that fails is 412, If-None-Match that holds is 304", async () => {
  const ask = (condition: Record<string, string>) => get("/tree/", { ...patient, ...condition });
  await assertRefused(await ask({ "if-match": '"x"' }), 412, "precondition_failed");
  await assertStatus(await ask({ "if-none-match": etag }), 304);
  await assertStatus(await ask({ "if-none-match": '"x"' }), 206);
});

Deno.test("an archive is the same whether it was planned or not, and has a length if it was", async () => {
  for (;;) {
    const answer = await get("/tree/");
    const length = answer.headers.get("content-length");
    assert.ok(isSame(await answer.bytes(), bytes));
    if (length === null) continue; // A busy machine took too long to look at the tree.
    assert.equal(length, String(bytes.length));
    assert.equal(answer.headers.get("etag"), etag);
    return;
  }
});

Deno.test("a part that the client has to be waited for comes whole, with its last page", async () => {
  for (const end of [1_000_000, 1_500_000, 1_790_000]) {
    const answer = await get("/tree/", { range: `bytes=0-${end}` });
    assert.ok(isSame(await answer.bytes(), bytes.subarray(0, end + 1)), String(end));
  }
});

Deno.test("any part of an archive is the same as in the whole, wherever it begins", async () => {
  const place = fc.nat(bytes.length - 1);
  await fc.assert(
    fc.asyncProperty(place, place, async (one, other) => {
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      const answer = await get("/tree/", { range: `bytes=${start}-${end}`, "if-range": etag });
      assert.equal(answer.status, 206);
      const told = answer.headers.get("content-range");
      assert.equal(told, `bytes ${start}-${end}/${bytes.length}`);
      assert.equal(answer.headers.get("content-length"), String(end - start + 1));
      const part = await answer.bytes();
      assert.equal(part.length, end - start + 1);
      assert.ok(isSame(part, bytes.subarray(start, end + 1)), told);
    }),
    {
      numRuns: runs(60),
      examples: [[0, 0], [0, bytes.length - 1], [bytes.length - 1, bytes.length - 1]],
    },
  );
});

Deno.test("a download that broke off anywhere goes on where it stopped", async () => {
  for (const at of [1, 30, 1000, 300_000, bytes.length - 30, bytes.length - 1]) {
    const first = await fetch(`${url}/api/raw/tree/`, { headers: { "x-auth": token } });
    const reader = first.body?.getReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    while (reader && length < at) {
      const { value } = await reader.read();
      if (!value) break;
      const part = value.slice(0, at - length);
      parts.push(part);
      length += part.length;
    }
    await reader?.cancel();
    const headers = { "x-auth": token, range: `bytes=${at}-`, "if-range": etag };
    const rest = await fetch(`${url}/api/raw/tree/`, { headers });
    assert.equal(rest.status, 206);
    const joined = await new Blob([...parts, await rest.bytes()]).bytes();
    assert.ok(isSame(joined, bytes), `broken at ${at}`);
  }
});

Deno.test("the last bytes, and several ranges, which come as the whole", async () => {
  const tail = await get("/tree/", { range: "bytes=-22" });
  assert.ok(isSame(await tail.bytes(), bytes.subarray(-22)));
  const several = await get("/tree/", { range: "bytes=0-9,20-29" });
  assert.equal(several.status, 200);
  assert.ok(isSame(await several.bytes(), bytes));
});

Deno.test("a selection has ranges like a folder", async () => {
  const path = "/tree/?files=a.txt,folder";
  const all = await get(path, patient);
  const part = await get(path, { range: "bytes=10-", "if-range": all.headers.get("etag") ?? "" });
  assert.equal(part.status, 206);
  assert.ok(isSame(await part.bytes(), (await all.bytes()).subarray(10)));
});

Deno.test("a changed tree is another archive: its parts are not mixed with the former", async () => {
  const changing = join(app.root, "changing");
  const changes: Record<string, () => void> = {
    "a file has other content": () => Deno.writeTextFileSync(join(changing, "a.txt"), "one"),
    "a file has another time": () => Deno.utimeSync(join(changing, "a.txt"), 1e9, 1e9),
    "a file has other rights": () => Deno.chmodSync(join(changing, "a.txt"), 0o600),
    "a file has another name": () =>
      Deno.renameSync(join(changing, "a.txt"), join(changing, "c.txt")),
    "a file was added": () => Deno.writeTextFileSync(join(changing, "d.txt"), ""),
    "a file was removed": () => Deno.removeSync(join(changing, "d.txt")),
    "a folder was added": () => Deno.mkdirSync(join(changing, "e")),
  };
  for (const [told, change] of Object.entries(changes)) {
    const former = (await app.call("HEAD", "/api/raw/changing/", { token })).headers.get("etag");
    change();
    const headers = { range: "bytes=10-", "if-range": former ?? "" };
    await assertStatus(await get("/changing/", headers), 200, told);
    const conditions = { ...patient, "if-match": former ?? "" };
    await assertStatus(await get("/changing/", conditions), 412, told);
  }
});

Deno.test("what can't be gone on with does not say that it can", async () => {
  for (const query of ["?algo=tar", "?compress=true", "?algo=tar.gz"]) {
    const answer = await get(`/changing/${query}`, { range: "bytes=5-" });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("accept-ranges"), "none");
    await answer.body?.cancel();
  }
});

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
