import assert from "node:assert/strict";
import { parse } from "yaml";
import { ar, bytesOf, type Entry, tar } from "../../../deploy/release/archive.ts";
import { debianVersion, readMaintainer, unpublished } from "../../../deploy/release/debian.ts";
import { cratesOf, describePackage, readCompiled } from "../../../deploy/release/licenses.ts";
import {
  fetchPackages,
  neededPackages,
  runtimes,
  targets,
} from "../../../deploy/release/program.ts";
import { importedPackages, readLock, withWholeLinks } from "../../../deploy/npm/package.ts";
import { sectionOf } from "../../../deploy/release/notes.ts";
import { version } from "../../../lib/shared/version.ts";
import { temporaryFolder } from "../../support/disks/files.ts";

const top = new URL("../../../", import.meta.url);

Deno.test("describePackage() refuses to pass a package on without a licence that SPDX lists", () => {
  const of = (manifest: object, files: Record<string, string> = {}) => {
    const all: Record<string, string> = { "package.json": JSON.stringify(manifest), ...files };
    return () => describePackage(Object.keys(all), (name) => all[name] ?? "");
  };
  const [name, version] = ["a", "1.0.0"];
  assert.throws(of({ name, version }), /^StartRefusal: Cannot pass "a" on/);
  assert.throws(of({ name, version, license: "Mine" }), /"Mine" is no licence that SPDX lists/);
  const { text } = of({ name, version, license: "MIT", author: "Ann" })();
  assert.match(text, /Copyright \(c\) Ann/);
  assert.match(text, /Permission is hereby granted/);
  assert.equal(of({ name, version, license: "MIT" }, { "LICENSE.md": "Mine\n" })().text, "Mine");
  const weak = of({ name, version, license: "LGPL-3.0-or-later" })().text;
  assert.match(weak, /GNU LESSER GENERAL PUBLIC LICENSE[^]*GNU GENERAL PUBLIC LICENSE/);
});

Deno.test("tar() refuses a path that no header has room for", () => {
  const path = `${"a".repeat(101)}.txt`;
  assert.throws(() => tar([{ path, content: bytesOf("") }], 0), /the path is too long/);
});

Deno.test("tar() and ar() are read by the programs of others, with modes, links and long paths", async () => {
  await using folder = await temporaryFolder();
  const long = `${"folder/".repeat(20)}file.txt`;
  const entries: Entry[] = [
    { path: "run.sh", content: bytesOf("#!/bin/sh\n"), mode: 0o755 },
    { path: long, content: bytesOf("deep") },
    { path: "link", link: "run.sh" },
  ];
  Deno.writeFileSync(`${folder.path}/a.tar`, tar(entries, 1_700_000_000, "./"));
  await call("tar", ["xf", "a.tar"], folder.path);
  assert.equal(Deno.readTextFileSync(`${folder.path}/${long}`), "deep");
  assert.equal(Deno.readLinkSync(`${folder.path}/link`), "run.sh");
  const { mode, mtime } = Deno.statSync(`${folder.path}/run.sh`);
  assert.equal((mode ?? 0) & 0o777, 0o755);
  assert.equal(mtime?.getTime(), 1_700_000_000_000);
  const archive = ar([{ name: "one", content: bytesOf("odd") }, {
    name: "two",
    content: bytesOf("even"),
  }], 0);
  const text = new TextDecoder().decode(archive);
  assert.match(text, /^!<arch>\none {13}0 {11}0 {5}0 {5}100644 {2}3 {9}`\nodd\ntwo /);
});

Deno.test("tar() gives the same bytes for entries in any order", () => {
  const entries = ["b/c", "a", "b/a"].map((path) => ({ path, content: bytesOf(path) }));
  assert.deepEqual(tar(entries, 5), tar(entries.toReversed(), 5));
});

Deno.test("a release has the Deno of the tests, and for each processor its own packages", () => {
  assert.equal(runtimes.version, Deno.version.deno);
  for (const target of targets) {
    const needed = neededPackages(readLock(), importedPackages(), target);
    const names = needed.map(({ name }) => name);
    const other = target.cpu === "x64" ? "arm64" : "x64";
    assert.ok(names.includes(`@img/sharp-libvips-linux-${target.cpu}`), names.join());
    assert.ok(names.includes(`@deno/linux-${target.cpu}-glibc`));
    assert.deepEqual(
      names.filter((name) => new RegExp(`${other}|musl|wasm32|darwin|win32`).test(name)),
      [],
    );
    for (const { name, integrity } of needed) assert.match(integrity, /^sha512-/, name);
  }
});

Deno.test("packages are not fetched without npm, which is told in a line", async () => {
  await using folder = await temporaryFolder();
  const path = Deno.env.get("PATH") ?? "";
  Deno.env.set("PATH", folder.path);
  try {
    const some = [{ name: "a", version: "1.0.0", integrity: "" }];
    await assert.rejects(fetchPackages(some, folder.path), {
      name: "StartRefusal",
      message: /^Cannot fetch packages: npm is not there; install .*PATH$/,
    });
  } finally {
    Deno.env.set("PATH", path);
  }
});

Deno.test("the maintainer of a Debian package has a name and an address", () => {
  for (const text of ["", "Ann", "ann@example.org", "Ann <ann>", "A <a@b.c>\nX: y", "<a@b.org>"]) {
    assert.throws(() => readMaintainer(text), /it is not "Name <name@example\.org>"$/, text);
  }
  for (const text of ["Ann Example <ann@example.org>", unpublished]) {
    assert.equal(readMaintainer(text), text);
  }
});

Deno.test("native code comes with the licences of the crates in it, of its own version", () => {
  const compiled = readCompiled();
  const rust = /^@(?:deno\/|node-rs\/|napi-rs\/|antoniomuso\/).*linux-(?:x64|arm64)/;
  for (const target of targets) {
    const needed = neededPackages(readLock(), importedPackages(), target);
    const native = needed.filter(({ name }) => rust.test(name));
    assert.equal(native.length, 5);
    for (const one of native) {
      const crates = cratesOf(one, compiled);
      assert.ok(crates.length >= 20, one.name);
      for (const { name, license, text } of crates) {
        assert.ok(license !== "" && text.length > 200, `${one.name}: ${name}`);
      }
      assert.throws(
        () => cratesOf({ ...one, version: "0.0.1" }, compiled),
        /compiled\.json has the crates of ".*"; .*collect_crates\.ts collects them$/,
      );
    }
  }
  assert.deepEqual(cratesOf({ name: "sharp", version: "1.0.0" }, compiled), []);
});

Deno.test("a version before a release sorts before it, as Debian compares", () => {
  assert.equal(debianVersion("1.0.0-rc.1"), "1.0.0~rc.1");
  assert.equal(debianVersion("1.0.0"), "1.0.0");
});

Deno.test("links to what is not passed on lead to the repository or are text", () => {
  const markdown = "[a](docs/a.md) [b](bench/README.md#x) [c](https://example.org/c)";
  const has = (path: string) => path === "docs/a.md";
  const repository = "https://example.org/o/r";
  assert.match(
    withWholeLinks(markdown, { folder: "", has, repository }),
    /^\[a\]\(docs\/a\.md\) \[b\]\(https:\/\/example\.org\/o\/r\/blob\/v[^/]+\/bench\/README\.md#x\) \[c\]/,
  );
  assert.match(
    withWholeLinks(markdown, { folder: "", has, repository: undefined }),
    /^\[a\]\(docs\/a\.md\) b \[c\]\(https:\/\/example\.org\/c\)$/,
  );
});

Deno.test("workflows run actions by their commits, and the Deno of the tests", () => {
  const folder = new URL(".github/workflows/", top);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["ci.yml", "dependencies.yml", "release.yml"]);
  for (const name of names) {
    const text = Deno.readTextFileSync(new URL(name, folder));
    const { permissions, jobs }: Workflow = parse(text);
    assert.deepEqual(permissions, { contents: "read" }, "jobs get more, one by one");
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    for (const { uses } of steps) {
      if (uses !== undefined) assert.match(uses, /^[\w./-]+@[0-9a-f]{40}$/);
    }
    for (const [, found] of text.matchAll(/\bdeno@(\S+)/g)) assert.equal(found, Deno.version.deno);
  }
});

Deno.test("the changelog has a part for the version, short enough to be read", () => {
  const changelog = Deno.readTextFileSync(new URL("CHANGELOG.md", top));
  const notes = sectionOf(version, changelog);
  assert.throws(() => sectionOf("9.9.9", changelog), /CHANGELOG\.md has no part "## 9\.9\.9"/);
  assert.ok(notes.split("\n").length <= 140, "notes tell what users notice");
  assert.ok(notes.indexOf("Breaking") < notes.indexOf("### Fixed"), "breaking changes come first");
});

/** What is read of a workflow. */
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { steps: { uses?: string }[] }>;
}

/** Commands that would fetch what somebody else could have published under the planned names. */
const fetching = [
  /\bnpx (?:-\S+ )*cubby-files\b/,
  /\bnpm (?:pack|view|exec|i|install|add)\b[^\n`|]*(?<=[\s"'])cubby-files(?=[\s"'`@]|$)/m,
  /\b(?:docker|podman) pull\b[^\n]*cubby/,
  /\b(?:apt|apt-get) install (?:-\S+ )*cubby/,
  /\bcubby-files@\d/,
];

Deno.test("no document and no script fetches the planned names, which another could have taken", () => {
  const found = [...documentsBelow("")].flatMap((path) => {
    const text = Deno.readTextFileSync(new URL(path, top));
    return fetching.flatMap((pattern) => {
      const [line] = pattern.exec(text) ?? [];
      return line === undefined ? [] : `${path}: ${line}`;
    });
  });
  assert.deepEqual(found, []);
  assert.match("npm install -g cubby-files", fetching[1] ?? /^$/);
  assert.doesNotMatch("npm install -g ./cubby-files-1.0.0.tgz", fetching[1] ?? /^$/);
});

Deno.test("an image that no registry has is built, and never pulled by its name", () => {
  const files = [...documentsBelow("deploy")].filter((path) => /compose\S*\.ya?ml$/.test(path));
  assert.ok(files.length >= 3);
  for (const path of files) {
    const text = Deno.readTextFileSync(new URL(path, top));
    const own = text.match(/^ *image: cubby$/gm) ?? [];
    const built = text.match(/^ *pull_policy: build$/gm) ?? [];
    assert.equal(built.length, own.length, path);
  }
});

function* documentsBelow(folder: string): Generator<string> {
  for (
    const { name, isDirectory } of Deno.readDirSync(new URL(`${folder}/`.replace(/^\//, ""), top))
  ) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const isOwn = folder !== "" || ["docs", "deploy", ".github"].includes(name);
    if (isDirectory && isOwn) yield* documentsBelow(path);
    else if (/\.(?:md|sh|ya?ml|conf)$|(?:^|\/)Dockerfile$/.test(path)) yield path;
  }
}

async function call(program: string, args: string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}
