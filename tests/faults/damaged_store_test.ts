/** A store that is damaged while the server runs: clear answers, and a line in the log. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startApp } from "../support/server/app.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";

const pageBytes = 4096;

/** The first byte of a leaf in the tree of records (https://www.sqlite.org/fileformat2.html). */
const leaf = 0x0a;

/** Fills with noise the pages that hold records of the last of the users `filler…`. */
function damagePages(path: string): number {
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

/** Changes the values of those records, which no check of the pages notices. */
function damageRecords(path: string, change: string): number {
  const file = new DatabaseSync(path);
  try {
    const holds = "instr(v, CAST('a rule of filler 2' AS BLOB))";
    return Number(file.prepare(`UPDATE kv SET ${change} WHERE ${holds}`).run().changes);
  } finally {
    file.close();
  }
}

const ofFile = "Cannot use the store: its file is damaged; restore it from a backup";
const ofRecord =
  "Cannot use the store: a record in its file is damaged; restore the file from a backup";

const damages: [what: string, damage: (path: string) => number, expected: string][] = [
  ["page", damagePages, ofFile],
  ["record that was cut off", (path) => damageRecords(path, "v = substr(v, 1, 99)"), ofRecord],
  ["record of noise", (path) => damageRecords(path, "v = randomblob(99)"), ofRecord],
  ["record of an unknown kind", (path) => damageRecords(path, "v_encoding = 99"), ofRecord],
];

for (const [what, damage, expected] of damages) {
  Deno.test(`a damaged store, by a ${what}, is told as such, and the rest goes on`, async () => {
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
    assert.equal(message, expected);
    assert.deepEqual(
      app.log.lines.filter((line) => line.startsWith("Failed: ")),
      [`Failed: GET /api/users: ${message}`],
    );
    await assertStatus(await app.call("GET", "/api/raw/a.txt", { token }), 200);
  });
}
