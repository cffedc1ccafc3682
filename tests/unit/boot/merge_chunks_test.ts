import assert from "node:assert/strict";
import { join } from "node:path";
import { mergeChunks } from "../../../lib/server/boot/merge_chunks.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

/** Two pages; `one` needs three modules, which different dynamic imports need as well. */
const tree = {
  "x.ts": "export const x = (n: number) => `x${n}`;\nexport default 7;",
  "y.ts": 'import { x } from "./x.ts";\n' +
    `export const y = { same: x, long: "${"y".repeat(7_000)}" };`,
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

/** The scripts of the tree as the bundler splits them, by name. */
async function bundle(folder: string): Promise<Map<string, string>> {
  await plant(folder, tree);
  const { outputFiles } = await Deno.bundle({
    entrypoints: ["one.ts", "two.ts"].map((name) => join(folder, name)),
    ...{ outputDir: folder, write: false, minify: true },
    ...{ format: "esm", platform: "browser", codeSplitting: true },
  });
  return new Map(outputFiles?.map((file) => [file.path.split("/").at(-1) ?? "", file.text()]));
}

/** The same, merged, in a folder of their own. */
async function merge(folder: string, scripts: Map<string, string>): Promise<Map<string, string>> {
  const out = join(folder, "out");
  await plant(folder, { out: Object.fromEntries(scripts) });
  await mergeChunks(out);
  return new Map(
    [...Deno.readDirSync(out)].map(({ name }) => [name, Deno.readTextFileSync(join(out, name))]),
  );
}

Deno.test("chunks that one page loads become one, and mean what they did", async () => {
  await using folder = await temporaryFolder();
  const apart = await bundle(folder.path);
  const merged = await merge(folder.path, apart);
  assert.ok(merged.size < apart.size, `${merged.size} of ${apart.size}`);
  assert.deepEqual([...merged.keys()].filter((name) => !apart.has(name)), [], "names of the build");

  const { run } = await import(join(folder.path, "out", "one.js"));
  assert.deepEqual(await run(), ["x7", "x1", "x2", "x5", 2]);
  const two = await import(join(folder.path, "out", "two.js"));
  assert.equal(await two.run(), 2, "both pages share the state of a module");
});

Deno.test("a page that needs one module loads none of another page that is not small", async () => {
  await using folder = await temporaryFolder();
  const scripts = await merge(folder.path, await bundle(folder.path));
  const loaded = new Set(["two.js"]);
  for (const name of loaded) {
    for (const [, next = ""] of (scripts.get(name) ?? "").matchAll(/"\.\/([^"]+\.js)"/g)) {
      loaded.add(next);
    }
  }
  assert.ok(loaded.size > 2);
  for (const name of loaded) assert.doesNotMatch(scripts.get(name) ?? "", /same:/, name);
});

/** Scripts of a build in which pages share some, by name; each exports its imports' names, too. */
function chunksOf(needs: Record<string, string[]>, lengths: Record<string, number> = {}) {
  const line = (name: string) => `import{v as ${name}}from"./${name}-AAAAAAAA.js";`;
  return new Map(
    Object.entries(needs).map(([name, imports]) => {
      const text = JSON.stringify(name.repeat(lengths[name] ?? 1));
      const code = `${imports.map(line).join("")}var x=[${text}.slice(0,${name.length}),` +
        `${imports.map((name) => `...${name}`).join()}];`;
      const isPage = name.startsWith("page");
      return [isPage ? `${name}.js` : `${name}-AAAAAAAA.js`, `${code}export{x as v};`];
    }),
  );
}

Deno.test("a script that a page has only beside another parts none of its chunks", async () => {
  await using folder = await temporaryFolder();
  const lengths = { b: 7_000, c: 7_000 };
  const needs = { b: [], c: [], pageBeside: ["b"], pageOne: ["b", "c"], pageTwo: [] };
  const scripts = await merge(folder.path, chunksOf(needs, lengths));
  assert.equal(scripts.size, 4, [...scripts.keys()].join());
  const { v } = await import(join(folder.path, "out", "pageBeside.js"));
  assert.deepEqual(v, ["pageBeside", "b"]);
});

Deno.test("a tiny chunk joins what all pages need, unless it needs more than that", async () => {
  await using folder = await temporaryFolder();
  const lengths = { all: 7_000, large: 7_000, two: 7_000, three: 7_000 };
  const needs = {
    ...{ all: [], tiny: ["all"], large: ["all"], edge: ["large"], two: [], three: [] },
    pageOne: ["tiny", "edge"],
    pageTwo: ["tiny", "two"],
    pageThree: ["large", "three"],
  };
  const scripts = await merge(folder.path, chunksOf(needs, lengths));
  const chunks = [...scripts.keys()].filter((name) => !name.startsWith("page"));
  assert.deepEqual(
    chunks.sort(),
    ["all", "edge", "large", "three", "two"].map((name) => `${name}-AAAAAAAA.js`),
  );
  const { v } = await import(join(folder.path, "out", "pageOne.js"));
  assert.deepEqual(v, ["pageOne", "tiny", "all", "edge", "large", "all"]);
});

Deno.test("a component that nothing uses goes, though it has a name for developer tools", async () => {
  await using folder = await temporaryFolder();
  const used = 'function a(){return"used"}a.displayName="Used";export{a as u};';
  const unused = 'import{u as a}from"./used-AAAAAAAA.js";function b(){return"unused"+a()}' +
    'b.displayName="Unused";export{a as v};';
  const page = 'import{v as a}from"./unused-BBBBBBBB.js";import{u as b}from"./used-AAAAAAAA.js";' +
    "export const run=()=>a()+b();";
  const chunks = { "used-AAAAAAAA.js": used, "unused-BBBBBBBB.js": unused, "one.js": page };
  const scripts = await merge(folder.path, new Map(Object.entries(chunks)));
  assert.equal(scripts.size, 2);
  assert.doesNotMatch([...scripts.values()].join(), /"unused|displayName/);
  const { run } = await import(join(folder.path, "out", "one.js"));
  assert.equal(run(), "usedused");
});

Deno.test("the licences of a script name packages, and stay whole", async () => {
  await using folder = await temporaryFolder();
  const licence = "  (**\n   * @license icons v1 - ISC\n   *)";
  const comment = (names: string[]) =>
    `/*! Bundled license information:\n\n${names.join(":\n")}:\n${licence}\n*/\n`;
  const modules = ["icons/a.mjs", "icons/esm/b.mjs", "@scope/more/c.js"];
  const scripts = await merge(folder.path, new Map([["one.js", `run();\n${comment(modules)}`]]));
  assert.equal(scripts.get("one.js"), `run();\n${comment(["icons", "@scope/more"])}`);
});
