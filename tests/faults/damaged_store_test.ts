/** A store that is damaged while the server runs: clear answers, and a line in the log. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../support/server/app.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";

const pageBytes = 4096;

/** The first byte of a leaf in the tree of records (https://www.sqlite.org/fileformat2.html). */
const leaf = 0x0a;

/** Fills with noise the pages that hold records of the last of the users `filler…`. */
function damage(path: string): number {
  const bytes = Deno.readFileSync(path);
  const decoder = new TextDecoder("latin1");
  let damaged = 0;
  for (let at = pageBytes; at < bytes.length; at += pageBytes) {
    const page = bytes.subarray(at, at + pageBytes);
    if (page[0] !== leaf || !/a rule of filler 2\d/.test(decoder.decode(page))) continue;
    crypto.getRandomValues(page);
    damaged++;
  }
  Deno.writeFileSync(path, bytes);
  return damaged;
}

Deno.test("a damaged page is told as such, and what does not need it goes on", async () => {
  await using folder = await temporaryFolder();
  const database = join(folder.path, "cubby.kv");
  {
    await using app = await startApp({ inProcess: true, config: { database } });
    for (let number = 0; number < 30; number++) {
      const rules = [{ allow: true, regex: false, path: `/a rule of filler ${number}` }];
      await app.addUser(`filler${number}`, { rules: Array(5).fill(rules).flat() });
    }
  }
  assert.ok(damage(database) > 1);

  await using app = await startApp({
    inProcess: true,
    config: { database },
    tree: { "a.txt": "one" },
  });
  const token = await app.tokenOf("admin");
  const answer = await app.call("GET", "/api/users", { token });
  const message = await assertRefused(answer, 500, "disk_error");
  assert.equal(
    message,
    "Cannot use the store: its file is damaged and has to be restored from a backup",
  );
  assert.deepEqual(
    app.log.lines.filter((line) => line.startsWith("Failed: ")),
    [`Failed: GET /api/users: ${message}`],
  );
  await assertStatus(await app.call("GET", "/api/raw/a.txt", { token }), 200);
});
