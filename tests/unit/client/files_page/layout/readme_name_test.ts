import assert from "node:assert/strict";
import { Rows } from "../../../../../lib/client/base/files/rows.ts";
import { README, readmeIn } from "../../../../../lib/client/files_page/layout/readme_name.ts";
import type { Entry } from "../../../../../lib/shared/schemas/entry.ts";

const row = (name: string, isDir = false) => ({ name, path: `/${name}`, isDir }) as Entry;

Deno.test("a README is known by its name, in any case", () => {
  for (const name of ["README.md", "readme", "ReadMe.TXT", "readme.markdown"]) {
    assert.ok(README.test(name), name);
  }
  for (const name of ["README.pdf", "README.md.bak", "my readme.md", "readmes"]) {
    assert.ok(!README.test(name), name);
  }
});

Deno.test("readmeIn() tells the README, that there is none, or that it can't know", () => {
  const known = (...rows: Entry[]) => new Rows(rows.length).with(0, rows);
  assert.equal(readmeIn(known(row("a"), row("Readme.md"))), "Readme.md");
  assert.equal(readmeIn(known(row("a"), row("readme", true))), null);
  assert.equal(readmeIn(new Rows(20_000).with(0, [row("a")])), "");
  assert.equal(readmeIn(Rows.none), null);
});
