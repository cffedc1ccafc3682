import assert from "node:assert/strict";

const top = new URL("../../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, top));
const config = JSON.parse(read("deno.json"));

/** An exact version: neither a range nor a tag. */
const EXACT = /^(?:npm|jsr):(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:\/[\w./-]+)?$/;

Deno.test("every package has an exact version, and is installed from npm or a folder", () => {
  const specifiers = Object.values<string>(config.imports);
  assert.deepEqual(specifiers.filter((specifier) => !EXACT.test(specifier)), []);
  const linked = config.links.map((folder: string) => {
    const json = `${folder}/${folder.endsWith("react") ? "package" : "deno"}.json`;
    return JSON.parse(read(json)).name;
  });
  const foreign = specifiers.filter((specifier) => specifier.startsWith("jsr:"));
  assert.deepEqual(
    foreign.filter((specifier) => !linked.some((name: string) => specifier.includes(name))),
    [],
  );
});

Deno.test("the product is made with Fresh, React code on Preact, Deno KV, ImageScript and i18next", () => {
  const { imports, unstable, links } = config;
  assert.match(imports.fresh, /^jsr:@fresh\/core@2\./);
  assert.match(imports.imagescript, /^npm:imagescript@/);
  assert.match(imports.i18next, /^npm:i18next@/);
  assert.match(imports["react-i18next"], /^npm:react-i18next@/);
  assert.ok(unstable.includes("kv"));
  // React is preact/compat under its name, for our code and for packages that import it.
  assert.match(imports.react, /^npm:react@/);
  assert.ok(links.includes("./lib/react"));
  assert.match(read("lib/react/index.js"), /from "preact\/compat"/);
  const react = JSON.parse(read("lib/react/package.json"));
  assert.equal(`npm:preact@${react.dependencies.preact}`, imports.preact);
});

Deno.test("packages that only JSR has are listed with what serves in their place", () => {
  const [, packages = ""] = read("docs/architecture.md").split("\n## Packages\n");
  const rows = packages.split("\n## ")[0]?.match(/^\| `.*$/gm) ?? [];
  for (const name of ["@std/http", "@std/fs", "@std/archive", "djwt", "bcrypt"]) {
    const [, , inPlace = "", why = ""] = rows.find((row) => row.includes(`\`${name}\``))
      ?.split("|") ?? [];
    assert.ok(inPlace.trim() && why.trim(), `no row of docs/architecture.md explains ${name}`);
    assert.ok(!(name in config.imports), name);
  }
});

Deno.test("no file names the host of a package registry: clients know theirs, or are told it", async () => {
  const hosts = [["registry", "npmjs", "org"], ["registry", "yarnpkg", "com"], ["jsr", "io"]];
  const names = hosts.map((labels) => labels.join("."));
  const { stdout } = await new Deno.Command("git", {
    args: ["grep", "-lIF", ...names.flatMap((name) => ["-e", name])],
    cwd: top,
  }).output();
  assert.deepEqual(new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean), []);
});
