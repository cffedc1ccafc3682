import assert from "node:assert/strict";
import { join } from "node:path";
import { fingerprint } from "../../../lib/server/boot/build.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

async function changes(change: (folder: string) => void): Promise<boolean> {
  await using folder = await temporaryFolder();
  await plant(folder.path, { routes: { api: { "a.ts": "aa" } }, "main.ts": "m", other: {} });
  const mark = () => fingerprint(folder.path, ["routes", "main.ts", "islands"], ["1.0"]);
  const before = mark();
  assert.equal(mark(), before);
  change(folder.path);
  return mark() !== before;
}

Deno.test("fingerprint() changes when a file is added, removed, renamed, resized or touched", async () => {
  const file = (folder: string) => join(folder, "routes", "api", "a.ts");
  assert(await changes((folder) => Deno.writeTextFileSync(join(folder, "routes", "b.ts"), "")));
  assert(await changes((folder) => Deno.removeSync(file(folder))));
  assert(await changes((folder) => Deno.renameSync(file(folder), `${file(folder)}x`)));
  assert(await changes((folder) => Deno.writeTextFileSync(file(folder), "aaa")));
  assert(await changes((folder) => Deno.utimeSync(file(folder), 1, 1)));
  assert(await changes((folder) => Deno.mkdirSync(join(folder, "islands"))));
});

Deno.test("fingerprint() does not look at other files", async () => {
  assert(!await changes((folder) => Deno.writeTextFileSync(join(folder, "other", "x"), "x")));
});

Deno.test("fingerprint() of the program takes a few milliseconds", () => {
  const top = new URL("../../..", import.meta.url).pathname;
  const took = Array.from({ length: 5 }, () => {
    const start = performance.now();
    fingerprint(top, ["lib", "routes", "static", "locales", "components", "islands"], []);
    return performance.now() - start;
  });
  // The best of a few: others may have the processor meanwhile.
  assert(Math.min(...took) < 200, took.join());
});
