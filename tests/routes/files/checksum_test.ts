import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { startApp } from "../../support/server/app.ts";
import { plantBytes } from "../../support/disks/files.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "empty.bin": "", "a.txt": "hello", folder: {} } });
const { url } = app.listen();
Deno.test.afterAll(app.close);
await plantBytes(join(app.root, "large.bin"), 3_000_001);
const token = await app.tokenOf("admin");
const ask = (path: string, options = {}) =>
  app.call("GET", `/api/resources${path}`, { token, ...options });
const algorithms = ["md5", "sha1", "sha256", "sha512"];

Deno.test("checksum refuses what it does not know, folders, and what is not there", async () => {
  for (const name of ["crc32", "SHA256", "sha-256", "", "__proto__", "md5,sha1"]) {
    const query = `?checksum=${encodeURIComponent(name)}`;
    for (const path of ["/a.txt", "/large.bin"]) {
      const message = await assertRefused(await ask(path + query), 400, "invalid_option", name);
      assert.match(message, /not one of md5, sha1, sha256, sha512$/);
    }
  }
  await assertRefused(await ask("/folder/?checksum=md5"), 400, "invalid_option");
  await assertRefused(await ask("/none?checksum=md5"), 404, "not_found");
});

Deno.test("checksum wants the permission to download, of small files and large ones", async () => {
  const { token: weak } = await app.addUser("vera", { perm: { download: false } });
  for (const path of ["/a.txt", "/large.bin", "/empty.bin"]) {
    const answer = await ask(`${path}?checksum=sha256`, { token: weak });
    await assertRefused(answer, 403, "forbidden", path);
  }
});

Deno.test("checksums are those that the system's own programs make", async () => {
  for (const path of ["/empty.bin", "/a.txt", "/large.bin"]) {
    for (const algorithm of algorithms) {
      const { checksums }: Resource = await (await ask(`${path}?checksum=${algorithm}`)).json();
      const args = [join(app.root, path)];
      const { stdout } = await new Deno.Command(`${algorithm}sum`, { args }).output();
      const [expected] = new TextDecoder().decode(stdout).split(" ");
      assert.deepEqual(checksums, { [algorithm]: expected }, path);
    }
  }
});

Deno.test("checksums of several files at once are each their own", async () => {
  const sums = await Promise.all(
    [...algorithms, ...algorithms].map(async (algorithm) => {
      const answer = await ask(`/large.bin?checksum=${algorithm}`);
      return Object.values((await answer.json()).checksums)[0];
    }),
  );
  assert.deepEqual(sums.slice(0, 4), sums.slice(4));
  assert.equal(new Set(sums).size, 4);
});

Deno.test("a checksum stops with its client, and the next is made", async () => {
  const huge = join(app.root, "huge.bin");
  Deno.writeTextFileSync(huge, "");
  Deno.truncateSync(huge, 2 ** 40);
  const controller = new AbortController();
  const headers = { "x-auth": token };
  const { signal } = controller;
  const gone = fetch(`${url}/api/resources/huge.bin?checksum=md5`, { headers, signal });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(gone, { name: "AbortError" });
  const answer = await fetch(`${url}/api/resources/large.bin?checksum=md5`, { headers });
  assert.match((await answer.json()).checksums.md5, /^[0-9a-f]{32}$/);
});
