import assert from "node:assert/strict";
import { join } from "node:path";
import { bundleJs } from "../../lib/fresh/src/dev/esbuild.ts";
import { plant, temporaryFolder } from "../support/disks/files.ts";

/** Two pages; `one` needs three modules, which different dynamic imports need as well. */
const tree = {
  "x.ts": "export const x = (n: number) => `x${n}`;\nexport default 7;",
  "y.ts": 'import { x } from "./x.ts";\nexport const y = { same: x };',
  "z.ts": "export let z = 0;\nexport const count = () => ++z;",
  "late_x.ts": 'import { x } from "./x.ts";\nimport { count } from "./z.ts";\n' +
    "export const late = () => x(count());",
  "late_y.ts": 'import { y } from "./y.ts";\nexport const late = y.same(5);',
  "late_two.ts": 'import { z } from "./z.ts";\nexport const seen = () => z;',
  "one.ts": 'import seven, { x } from "./x.ts";\nimport { y } from "./y.ts";\n' +
    'import { count, z } from "./z.ts";\n' +
    "export async function run() {\n  const before = count();\n" +
    '  const { late } = await import("./late_x.ts");\n' +
    '  const other = await import("./late_y.ts");\n' +
    "  return [x(seven), y.same(before), late(), other.late, z];\n}",
  "two.ts": 'export const run = async () => (await import("./late_two.ts")).seen();',
};

Deno.test("chunks that one page loads become one, and mean what they did", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, tree);
  const entries = new Map(["one", "two"].map((name) => [name, join(folder.path, `${name}.ts`)]));
  const apart = await bundleJs(entries, { minify: true, sourceMap: "external" });
  const merged = await bundleJs(entries, { minify: true });
  const chunks = (scripts: { name: string }[]) =>
    scripts.filter(({ name }) => /^chunk-.*\.js$/.test(name)).length;
  assert.ok(chunks(merged) < chunks(apart), `${chunks(merged)} of ${chunks(apart)}`);

  const out = join(folder.path, "out");
  await Deno.mkdir(out);
  for (const { name, content } of merged) await Deno.writeFile(join(out, name), content);
  const { run } = await import(join(out, "one.js"));
  assert.deepEqual(await run(), ["x7", "x1", "x2", "x5", 2]);
  const two = await import(join(out, "two.js"));
  assert.equal(await two.run(), 2, "both pages share the state of a module");
});

Deno.test("a page that needs one module does not load those of another page", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, tree);
  const entries = new Map(["one", "two"].map((name) => [name, join(folder.path, `${name}.ts`)]));
  const scripts = new Map(
    (await bundleJs(entries, { minify: true })).map(({ name, content }) =>
      [name, new TextDecoder().decode(content)] as const
    ),
  );
  const loaded = new Set(["two.js"]);
  for (const name of loaded) {
    for (const [, next = ""] of (scripts.get(name) ?? "").matchAll(/"\.\/([^"]+\.js)"/g)) {
      loaded.add(next);
    }
  }
  assert.ok(loaded.size > 2);
  for (const name of loaded) assert.doesNotMatch(scripts.get(name) ?? "", /same:/, name);
});
