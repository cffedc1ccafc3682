import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { newJob } from "../../../lib/server/features/jobs/job.ts";
import { type EntryPath, parsePath } from "../../../lib/shared/path.ts";
import { archiveFormats } from "../../../lib/shared/schemas/choices/choices.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { tarOf, zipOf } from "../../support/data/hostile_archives.ts";
import { oldNames } from "../../support/data/old_names.ts";
import { deny } from "../../support/data/rules.ts";
import { plant, plantNoise, temporaryFolder } from "../../support/disks/files.ts";
import { namesInTar, namesInZip, treeOf, unpack } from "../../support/disks/unpack.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const old = new Date("2020-02-03T04:05:06Z");
const app = await startApp({
  tree: {
    home: {
      docs: { "a.txt": "A".repeat(5_000), deep: { "ä ö.txt": "B", empty: {} }, "zero": "" },
      "one.txt": "one",
      "two.txt": "two",
      secret: { "key.txt": "KEY" },
    },
  },
});
Deno.test.afterAll(app.close);
const at = (path: string) => join(app.root, "home", path);
await plantNoise(at("docs/noise.bin"), 3_000_000);
for (const path of ["docs/a.txt", "docs/deep", "docs/noise.bin"]) {
  Deno.utimeSync(at(path), old, old);
}

const { token } = await app.addUser("anna", { scope: "/home" });
const { token: reader } = await app.addUser("reader", {
  scope: "/home",
  perm: { create: false },
});
const { token: blind } = await app.addUser("blind", { scope: "/home", perm: { download: false } });

const names = (path = "") => [...Deno.readDirSync(at(path))].map(({ name }) => name).sort();

async function begin(action: string, entry: object, as = token, seconds = 60): Promise<JobInfo> {
  const headers = { prefer: `respond-async, wait=${seconds}` };
  const json = { action, entries: [entry] };
  const answer = await app.call("POST", "/api/jobs", { token: as, json, headers });
  const text = await answer.text();
  assert.ok([200, 202].includes(answer.status), text);
  return JSON.parse(text);
}

async function done(action: string, entry: object, as = token): Promise<JobInfo> {
  const job = await begin(action, entry, as);
  assert.deepEqual(job.failures, []);
  assert.equal(job.state, "done");
  return job;
}

async function undo(id: string): Promise<JobInfo> {
  const headers = { prefer: "respond-async, wait=60" };
  return await (await app.call("POST", `/api/jobs/${id}/undo`, { token, headers })).json();
}

async function assertFails(action: string, entry: object, code: string, as = token) {
  const before = treeOf(app.root);
  const { failures, undo } = await begin(action, entry, as);
  assert.deepEqual([failures.map((each) => each.code), undo], [[code], "nothing"]);
  assert.deepEqual(treeOf(app.root), before);
}

Deno.test("jobs of archives that make no sense are refused before they begin", async () => {
  for (
    const json of [
      { action: "archive", entries: [{ path: "/docs" }] },
      { action: "extract", entries: [{ path: "/a.zip" }] },
      { action: "archive", entries: [{ path: "/docs", destination: "/x", format: "rar" }] },
      { action: "archive", entries: [{ path: "/docs", destination: "/x", names: "all" }] },
      { action: "checksum", entries: [{ path: "/one.txt", algorithm: "crc32" }] },
    ]
  ) {
    const answer = await app.call("POST", "/api/jobs", { token, json });
    await assertRefused(answer, 400, "invalid_body");
  }
  const entries = [{ path: "/docs", destination: "/x.zip", names: ["../one.txt"] }];
  const answer = await app.call("POST", "/api/jobs", {
    token,
    json: { action: "archive", entries },
  });
  await assertRefused(answer, 400, "invalid_path");
});

Deno.test("archives are refused as downloads and uploads of them are", async () => {
  const entry = { path: "/docs", destination: "/new.zip" };
  await assertFails("archive", entry, "forbidden", reader);
  await assertFails("archive", entry, "forbidden", blind);
  await assertFails("archive", { ...entry, destination: "/one.txt" }, "exists");
  await assertFails("archive", { ...entry, destination: "/docs", override: true }, "is_folder");
  await assertFails("archive", { ...entry, destination: "/one.txt/x.zip" }, "exists");
  await assertFails("archive", { ...entry, path: "/none" }, "not_found");
  await assertFails("archive", { ...entry, path: "/", names: ["none"] }, "not_found");
  const { token: amy } = await app.addUser("amy", { scope: "/home", rules: [deny("/secret")] });
  await assertFails("archive", { ...entry, path: "/", names: ["secret"] }, "forbidden", amy);
  await assertFails("archive", { ...entry, destination: "/secret/x.zip" }, "forbidden", amy);
  const job = await done("archive", { path: "/", destination: "/all.tar", format: "tar" }, amy);
  const listed = await namesInTar("tar", Deno.readFileSync(at("all.tar")));
  assert.ok(listed.includes("docs/deep/") && !listed.some((name) => name.startsWith("secret")));
  assert.ok(!listed.some((name) => name.includes(".cubby-upload-")));
  assert.deepEqual(job.arrived, ["all.tar"]);
  Deno.removeSync(at("all.tar"));
});

Deno.test("extracting and checksums need their rights", async () => {
  Deno.writeFileSync(at("x.zip"), zipOf([{ name: "a", content: "x" }]));
  const entry = { path: "/x.zip", destination: "/x" };
  await assertFails("extract", entry, "forbidden", reader);
  await assertFails("extract", entry, "forbidden", blind);
  await assertFails("extract", { ...entry, destination: "/docs" }, "exists");
  await assertFails("extract", { ...entry, path: "/docs" }, "is_folder");
  await assertFails("extract", { ...entry, path: "/none.zip" }, "not_found");
  await assertFails("checksum", { path: "/one.txt" }, "forbidden", blind);
  await assertFails("checksum", { path: "/docs" }, "is_folder");
  Deno.removeSync(at("x.zip"));
});

for (const format of archiveFormats) {
  Deno.test(`a ${format} is made as programs read it, and extracted as it was`, async () => {
    const name = `made.${format}`;
    const made = await done("archive", { path: "/docs", destination: `/${name}`, format });
    assert.deepEqual([made.arrived, made.undo, made.to], [[name], "all", "/"]);
    assert.ok(made.progress.size === 0 && names().every((each) => !each.startsWith(".cubby-u")));
    await using folder = await temporaryFolder();
    await unpack(format, Deno.readFileSync(at(name)), folder.path);
    const original = treeOf(at("docs"));
    const withoutModes = (lines: string[]) =>
      lines.map((line) => line.replace(/ \d+ (?=\d+)/, " "));
    assert.deepEqual(withoutModes(treeOf(folder.path)), withoutModes(original));

    const extracted = await done("extract", { path: `/${name}`, destination: "/made" });
    assert.deepEqual([extracted.arrived, extracted.undo], [["made"], "all"]);
    assert.deepEqual(withoutModes(treeOf(at("made"))), withoutModes(original));
    await undo(extracted.id);
    await undo(made.id);
    assert.ok(!names().includes("made") && !names().includes(name));
  });
}

Deno.test("a selection comes into an archive by its names, however many there are", async () => {
  const entry = { path: "/", destination: "/some.zip", names: ["one.txt", "docs"] };
  await done("archive", entry);
  const listed = await namesInZip(Deno.readFileSync(at("some.zip")));
  assert.ok(listed.includes("one.txt") && listed.includes("docs/deep/"));
  assert.ok(!listed.some((name) => name.includes("two.txt")));

  const many = Array.from({ length: 6_000 }, (_, index) => `${"n".repeat(20)}${index}`);
  Deno.mkdirSync(at("many"));
  for (const name of many) Deno.writeTextFileSync(at(`many/${name}`), "");
  await done("archive", { path: "/many", destination: "/many.tar", names: many, format: "tar" });
  const found = await namesInTar("tar", Deno.readFileSync(at("many.tar")));
  assert.deepEqual(found.toSorted(), many.toSorted());
  for (const name of ["some.zip", "many.tar", "many"]) {
    Deno.removeSync(at(name), { recursive: true });
  }
});

Deno.test("a taken name is numbered, or its file replaced and brought back", async () => {
  const entry = { path: "/docs", destination: "/one.txt" };
  const numbered = await done("archive", { ...entry, rename: true });
  assert.deepEqual(numbered.arrived, ["one(1).txt"]);
  const replaced = await done("archive", { ...entry, override: true });
  assert.equal(Deno.readFileSync(at("one.txt"))[0], "P".charCodeAt(0));
  await undo(replaced.id);
  assert.equal(Deno.readTextFileSync(at("one.txt")), "one");
  const path = "/one(1).txt";
  for (const [index, expected] of ["docs(1)", "docs(2)"].entries()) {
    const job = await done("extract", { path, destination: "/docs", rename: true });
    assert.deepEqual(job.arrived, [expected], String(index));
  }
  for (const name of ["docs(1)", "docs(2)", "one(1).txt"]) {
    Deno.removeSync(at(name), { recursive: true });
  }
});

Deno.test("the only folder at the top is not doubled, files beside it keep it", async () => {
  const inside = { name: "other/deep/a", content: "x" };
  const cases: [string, Uint8Array, string[]][] = [
    ["single.tar", tarOf([{ name: "other/", type: "5" }, inside]), ["deep"]],
    ["implied.zip", zipOf([inside]), ["deep"]],
    ["two.zip", zipOf([inside, { name: "b" }]), ["b", "other"]],
    ["file.zip", zipOf([{ name: "b" }]), ["b"]],
    ["none.zip", zipOf([]), []],
    ["dot.tar", tarOf([{ name: "./", type: "5" }, { name: "./b" }]), ["b"]],
  ];
  for (const [name, bytes, expected] of cases) {
    Deno.writeFileSync(at(name), bytes);
    const job = await done("extract", { path: `/${name}`, destination: "/put/new" });
    assert.deepEqual(names("put/new"), expected, name);
    assert.deepEqual(names("put"), ["new"], name);
    await undo(job.id);
    Deno.removeSync(at(name));
  }
  Deno.removeSync(at("put"));
});

Deno.test("names come out as the programs meant that wrote them", async () => {
  const bytes = (...all: number[]) => new Uint8Array(all);
  const spell = async (name: string, archive: Uint8Array) => {
    Deno.writeFileSync(at(name), archive);
    await done("extract", { path: `/${name}`, destination: "/new" });
    const found = names("new");
    for (const each of ["new", name]) Deno.removeSync(at(each), { recursive: true });
    return found;
  };
  const umlaut = bytes(0x84, 0x2e, 0x74);
  const utf8 = new TextEncoder().encode("ä.t");
  assert.deepEqual(await spell("x.zip", zipOf([{ name: umlaut, flags: 0 }])), ["ä.t"]);
  assert.deepEqual(await spell("x.zip", zipOf([{ name: utf8, flags: 0 }])), ["ä.t"]);
  assert.deepEqual(await spell("x.zip", zipOf([{ name: utf8, flags: 0x800 }])), ["ä.t"]);
  assert.deepEqual(await spell("x.zip", zipOf([{ name: "a\\b.t" }, { name: "c" }])), ["a", "c"]);
});

Deno.test("names in a tar that are not UTF-8 come out in the encoding that fits all of them", async () => {
  for (const [encoding, { names: meant, bytes }] of Object.entries(oldNames)) {
    const tar = tarOf(bytes.map((name) => ({ name, content: "x" })));
    for (const [name, archive] of [["x.tar", tar], ["x.tar.gz", gzipSync(tar)]] as const) {
      Deno.writeFileSync(at(name), archive);
      await done("extract", { path: `/${name}`, destination: "/new" });
      assert.deepEqual(names("new"), meant.toSorted(), `${encoding} in ${name}`);
      for (const each of ["new", name]) Deno.removeSync(at(each), { recursive: true });
    }
  }
});

Deno.test("archives of other programs are extracted", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, {
    in: { ["long".repeat(60)]: "x", d: { "b.txt": "b".repeat(70_000) } },
  });
  const programs: [string, string[]][] = [
    ["gnu.tar", ["tar", "--format=gnu", "-cf"]],
    ["v7.tar.gz", ["tar", "--format=ustar", "--exclude=long*", "-czf"]],
    ["pax.tar.xz", ["tar", "--format=pax", "-cJf"]],
    ["bz.tar.bz2", ["tar", "-cjf"]],
    ["zs.tar.zst", ["tar", "--zstd", "-cf"]],
    ["info.zip", ["zip", "-qr"]],
  ];
  for (const [name, [program = "", ...options]] of programs) {
    const args = [...options, at(name), "in"];
    const { success } = await new Deno.Command(program, { args, cwd: folder.path }).output();
    assert.ok(success, name);
    await done("extract", { path: `/${name}`, destination: "/new" });
    assert.equal(Deno.readTextFileSync(at("new/d/b.txt")), "b".repeat(70_000));
    assert.equal(names("new").length, name.startsWith("v7") ? 1 : 2, name);
    for (const each of ["new", name]) Deno.removeSync(at(each), { recursive: true });
  }
});

Deno.test("of the modes in an archive only the permission to execute counts", async () => {
  const special = tarOf([{ name: "run", content: "x" }, { name: "dir/", type: "5" }]);
  Deno.writeFileSync(at("modes.tar"), special);
  await done("extract", { path: "/modes.tar", destination: "/modes" });
  const bits = (path: string) => (Deno.statSync(at(path)).mode ?? 0) & 0o7777;
  Deno.writeTextFileSync(at("plain"), "");
  Deno.mkdirSync(at("folder"));
  // Where a file may be read, it may be executed.
  assert.equal(bits("modes/run"), bits("plain") | (bits("plain") & 0o444) >> 2);
  assert.equal(bits("modes/dir"), bits("folder"));
  assert.equal(bits("modes"), bits("folder"));
  for (const name of ["modes.tar", "modes", "plain", "folder"]) {
    Deno.removeSync(at(name), { recursive: true });
  }
});

Deno.test("a checksum is the result of its job, for as long as that is kept", async () => {
  const bytes = Deno.readFileSync(at("docs/noise.bin"));
  for (const algorithm of ["md5", "sha1", "sha256", "sha512"]) {
    const job = await done("checksum", { path: "/docs/noise.bin", algorithm });
    const digest = createHash(algorithm).update(bytes).digest("hex");
    assert.deepEqual(job.checksums, [{ path: "/docs/noise.bin", algorithm, digest }]);
    assert.deepEqual([job.undo, job.to, job.arrived], ["nothing", null, []]);
    const later = await app.call("GET", `/api/jobs/${job.id}`, { token });
    assert.deepEqual((await later.json()).checksums, job.checksums);
  }
});

Deno.test("a cancelled or paused job leaves no temporary files", async () => {
  const piece = Buffer.alloc(64 * 1024 * 1024, "some text to be compressed ");
  for (let part = 0; part < 4; part++) Deno.writeFileSync(at("large"), piece, { append: part > 0 });
  const archive = { path: "/", destination: "/large.tar.xz", names: ["large"], format: "tar.xz" };
  const before = names();
  const change = async (id: string, state: string): Promise<JobInfo> => {
    const path = `/api/jobs/${id}`;
    const changed = await app.call("PATCH", path, { token, json: { state } });
    if (state === "running") return await changed.json();
    await assertStatus(changed, 200);
    // It is heeded within a moment, which may be longer on a busy machine.
    const headers = { prefer: "wait=60" };
    return await (await app.call("GET", path, { token, headers })).json();
  };
  const making = await begin("archive", archive, token, 0);
  assert.equal((await change(making.id, "paused")).state, "paused");
  assert.deepEqual(names(), before);
  assert.equal((await change(making.id, "cancelled")).state, "cancelled");

  await done("archive", { ...archive, destination: "/large.zip", format: "zip" });
  const extracting = await begin("extract", { path: "/large.zip", destination: "/big" }, token, 0);
  assert.equal((await change(extracting.id, "paused")).state, "paused");
  assert.deepEqual(names(), [...before, "large.zip"].sort());
  await change(extracting.id, "running");
  const headers = { prefer: "wait=60" };
  const last = await app.call("GET", `/api/jobs/${extracting.id}`, { token, headers });
  assert.equal((await last.json()).state, "done");
  assert.deepEqual(names(), [...before, "big", "large.zip"].sort());
  for (const name of ["large", "large.zip", "big"]) Deno.removeSync(at(name), { recursive: true });
});

Deno.test("a job whose server was killed begins anew, unless all was done but the note", async () => {
  await using own = await startApp({ inProcess: true, tree: { "plain.txt": "x" } });
  const { jobs } = own.cubby;
  jobs.adopt();
  const inRoot = (path: string) => join(own.root, path);
  Deno.writeFileSync(inRoot("a.zip"), zipOf([{ name: "x", content: "X" }, { name: "y" }]));
  const entry = { path: parsePath("/a.zip").path, to: parsePath("/a").path, rename: true };
  const facts = { userId: 1, address: "127.0.0.1", action: "extract" as const };
  const cut = async (copy?: { to: EntryPath; ino: number | null }) => {
    const job = newJob(facts, [entry]);
    const current = { ino: null, since: Date.now(), copy };
    const left = inRoot(`${job.staging}/content`);
    Deno.mkdirSync(left, { recursive: true });
    Deno.writeTextFileSync(join(left, "x"), "half");
    await jobs.records.add({ ...job, state: "running", runner: "dead", current }, [entry]);
    const done = await jobs.wait(1, job.id, 30_000);
    assert.deepEqual([done.state, done.failed, done.steps], ["done", 0, 1]);
    const hidden = [...Deno.readDirSync(own.root)].filter(({ name }) => name === job.staging);
    assert.deepEqual(hidden, []);
    return done;
  };
  assert.deepEqual((await cut()).arrived, ["a"]);
  assert.equal(Deno.readTextFileSync(inRoot("a/x")), "X");
  const { ino } = Deno.statSync(inRoot("a"));
  assert.deepEqual((await cut({ to: entry.to, ino })).arrived, ["a"]);
  assert.deepEqual((await cut({ to: entry.to, ino: 1 })).arrived, ["a(1)"]);
  assert.deepEqual([...Deno.readDirSync(inRoot("a(1)"))].map(({ name }) => name).sort(), [
    "x",
    "y",
  ]);
});

Deno.test("chosen entries alone are extracted, without the folders above them", async () => {
  const zip = zipOf([
    { name: "a/deep/one.txt", content: "1" },
    { name: "a/deep/in/two.txt", content: "2" },
    { name: "a/three.txt", content: "3" },
    { name: "a/deeper.txt", content: "4" },
    { name: "locked.txt", content: "5", flags: 0x801 },
  ]);
  const tar = tarOf([
    { name: "a/one.txt", content: "1" },
    { name: "a/same.txt", type: "1", link: "a/one.txt" },
    { name: "b/two.txt", content: "2" },
  ]);
  Deno.writeFileSync(at("pick.zip"), zip);
  Deno.writeFileSync(at("pick.tar"), tar);
  const entry = { path: "/pick.zip", destination: "/picked" };
  const failsBy = async (asked: object, code: string) => {
    const { failures } = await begin("extract", { ...entry, ...asked });
    assert.deepEqual(failures.map((each) => each.code), [code]);
    assert.ok(!names().includes("picked"));
  };
  await failsBy({ names: ["a/none", "a/three.txt"] }, "not_found");
  await failsBy({ names: ["locked.txt"] }, "encrypted_archive");
  await failsBy({}, "encrypted_archive");
  await failsBy({ path: "/pick.tar", names: ["/a/same.txt"] }, "not_supported");
  const several = await done("extract", {
    ...entry,
    names: ["a/deep", "a/deep/in", "a/three.txt"],
  });
  assert.deepEqual([names("picked"), names("picked/deep/in")], [["deep", "three.txt"], [
    "two.txt",
  ]]);
  assert.equal(Deno.readTextFileSync(at("picked/deep/one.txt")), "1");
  await undo(several.id);
  const one = await done("extract", { ...entry, names: ["a/deep"] });
  assert.deepEqual(names("picked"), ["in", "one.txt"]);
  await undo(one.id);
  const last = await done("extract", { ...entry, path: "/pick.tar", names: ["/b/", "/a"] });
  assert.deepEqual(names("picked"), ["a", "b"]);
  await undo(last.id);
  Deno.removeSync(at("pick.zip"));
  Deno.removeSync(at("pick.tar"));
});
