import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { becomesClosed, timesOpen } from "../../support/disks/open_files.ts";
import { requestHead } from "../../support/clients/raw_http.ts";

const app = await startApp({ tree: { "big.bin": "" } });
const big = join(app.root, "big.bin");
Deno.truncateSync(big, 64 * 1024 * 1024);
const listener = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

const ranges: Record<string, string> = {
  "whole": "",
  "one range": "bytes=1000-60000000",
  "several ranges": "bytes=0-9,1000-60000000",
};
for (const [told, range] of Object.entries(ranges)) {
  Deno.test(`a download broken off lets go of the file: ${told}`, async () => {
    const headers = { "x-auth": token, ...(range ? { range } : {}) };
    const head = requestHead("GET", "/api/raw/big.bin", headers);
    const sockets = await Promise.all(Array.from({ length: 5 }, () => Deno.connect(listener)));
    try {
      for (const socket of sockets) {
        await socket.write(new TextEncoder().encode(head));
        await socket.read(new Uint8Array(1024));
      }
      assert.ok(timesOpen(big) >= sockets.length);
    } finally {
      for (const socket of sockets) socket.close();
    }
    await becomesClosed(big);
  });
}

Deno.test("a download that ends, is not wanted or not allowed lets go of the file", async () => {
  const etag = (await app.call("HEAD", "/api/raw/big.bin", { token })).headers.get("etag") ?? "";
  const attempts: Record<string, string>[] = [
    { range: "bytes=0-99" },
    { range: "bytes=0-9,50-59" },
    { range: "bytes=99999999999-" },
    { "if-none-match": etag },
    { "if-match": '"other"' },
  ];
  for (const attempt of attempts) {
    const headers = { "x-auth": token, ...attempt };
    const answer = await fetch(`${listener.url}/api/raw/big.bin`, { headers });
    await answer.body?.cancel();
  }
  assert.equal((await app.call("HEAD", "/api/raw/big.bin", { token })).status, 200);
  await becomesClosed(big);
});
