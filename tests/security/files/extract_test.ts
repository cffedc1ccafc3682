import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";
import { tarOf, zipOf } from "../../support/data/hostile_archives.ts";
import { rarOf, sevenZips } from "../../support/data/packed_archives.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({ tree: { home: { "own.txt": "own" }, outside: {} } });
Deno.test.afterAll(app.close);
const { token } = await app.addUser("anna", { scope: "/home" });
const home = join(app.root, "home");

/** Everything below the root, with hidden names. */
function tree(at = app.root): string[] {
  return [...Deno.readDirSync(at)].flatMap(({ name, isDirectory }) => {
    return isDirectory ? [`${name}/`, ...tree(join(at, name)).map((each) => name + "/" + each)] : [
      name,
    ];
  }).sort();
}

async function extract(
  name: string,
  bytes: Uint8Array,
  { as = token, to = "/new" }: { as?: string; to?: string } = {},
): Promise<JobInfo> {
  Deno.writeFileSync(join(home, name), bytes);
  const json = { action: "extract", entries: [{ path: `/${name}`, destination: to }] };
  const headers = { prefer: "respond-async, wait=60" };
  const answer = await app.call("POST", "/api/jobs", { token: as, json, headers });
  const text = await answer.text();
  Deno.removeSync(join(home, name));
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

/** Extracts archives that must be refused for one reason, and must leave nothing behind. */
async function assertAllRefused(
  archives: Record<string, Uint8Array>,
  code: string,
  options: { as?: string; to?: string } = {},
) {
  const before = tree();
  for (const [what, bytes] of Object.entries(archives)) {
    const job = await extract("attack.bin", bytes, options);
    assert.deepEqual(job.failures.map((each) => each.code), [code], what + JSON.stringify(job));
    assert.equal(job.undo, "nothing", what);
    assert.deepEqual(tree(), before, what);
  }
}

Deno.test("paths that lead out of the folder are refused (zip slip)", async () => {
  const paths = [
    ...["../evil", "a/../../evil", "..", "a/..", "./../evil", "..\\evil", "a\\..\\..\\evil"],
    ...["/../evil", "C:\\..\\..\\evil", `/${app.root}/../evil`],
  ];
  for (const name of paths) {
    await assertAllRefused({
      [`zip ${name}`]: zipOf([{ name: "good", content: "x" }, { name, content: "evil" }]),
      [`tar ${name}`]: tarOf([{ name: "good", content: "x" }, { name, content: "evil" }]),
      [`tar.gz folder ${name}`]: gzipSync(tarOf([{ name, type: "5" }])),
    }, "unsafe_archive");
  }
});

Deno.test("absolute paths are left out and named, and nothing is written there", async () => {
  const paths = [
    ...["/evil", "//evil", "\\evil", "C:\\evil", "c:/evil", `/${app.root}/outside/evil`],
    ...["\\\\host\\share", "/home/own.txt", "//home/own.txt"],
  ];
  for (const name of paths) {
    const before = tree();
    const entries = [{ name: "good", content: "x" }, { name, content: "evil" }];
    for (const bytes of [zipOf(entries), tarOf(entries), gzipSync(tarOf(entries))]) {
      const { arrived, failures: [failure] } = await extract("absolute.bin", bytes);
      assert.deepEqual([arrived, failure?.code, failure?.leftOut?.count], [
        ["new"],
        "not_a_file",
        1,
      ]);
      const [told = ""] = failure?.leftOut?.first ?? [];
      assert.equal(told.replaceAll("\\", "/"), name.replaceAll("\\", "/"));
      assert.deepEqual(tree(join(home, "new")), ["good"]);
      Deno.removeSync(join(home, "new"), { recursive: true });
      assert.deepEqual(tree(), before);
    }
    await assertAllRefused({ alone: tarOf([{ name, type: "5" }]) }, "unsafe_archive");
  }
});

Deno.test("a NUL in a name is refused", async () => {
  const name = `evil\0.txt`;
  await assertAllRefused({
    zip: zipOf([{ name, content: "x" }]),
    pax: tarOf([{ name: "p", type: "x", content: `18 path=evil\0.txt\n` }, { name: "a" }]),
  }, "unsafe_archive");
});

Deno.test("links are left out, and nothing is written through one", async () => {
  const outside = join(app.root, "outside");
  const entries = [
    { name: "link", type: "2", link: outside },
    { name: "up", type: "2", link: "../../outside" },
    { name: "link/evil", content: "evil" },
    { name: "up/evil", content: "evil" },
  ];
  const job = await extract("links.tar", tarOf(entries));
  assert.deepEqual([job.failed, job.arrived], [0, ["new"]], JSON.stringify(job.failures));
  assert.deepEqual(tree(join(home, "new")), ["link/", "link/evil", "up/", "up/evil"]);
  assert.deepEqual(tree(outside), []);
  Deno.removeSync(join(home, "new"), { recursive: true });

  const zip = zipOf([{ name: "link", content: outside, mode: 0o120777 }, { name: "x" }]);
  assert.equal((await extract("links.zip", zip)).failed, 0);
  assert.deepEqual(tree(join(home, "new")), ["x"]);
  Deno.removeSync(join(home, "new"), { recursive: true });
});

Deno.test("a hard link is a copy of a file in the archive, and of nothing else", async () => {
  const linkTo = (link: string) => [{ name: "a/b", content: "x" }, { name: "b", type: "1", link }];
  assert.equal((await extract("hard.tar", tarOf(linkTo("a/b")))).failed, 0);
  assert.equal(Deno.readTextFileSync(join(home, "new/b")), "x");
  assert.equal(Deno.statSync(join(home, "new/b")).nlink, 1);
  Deno.removeSync(join(home, "new"), { recursive: true });
  const targets = ["../own.txt", "/etc/passwd", `${home}/own.txt`, "none", "b", "a", "", "../../x"];
  for (const link of targets) {
    await assertAllRefused({ [link]: tarOf(linkTo(link)) }, "unsafe_archive");
  }
  const symbolic = [{ name: "s", type: "2", link: "/etc/passwd" }, ...linkTo("s")];
  await assertAllRefused({ symbolic: tarOf(symbolic) }, "unsafe_archive");
});

Deno.test("devices and pipes are left out and named; nothing but these is refused", async () => {
  const types = ["3", "4", "6"];
  const tars = types.map((type) => [type, tarOf([{ name: "dev", type }])] as const);
  const zips = [0o010644, 0o020644, 0o060644, 0o140644].map((mode) => {
    return [`${mode}`, zipOf([{ name: "dev", mode }])] as const;
  });
  await assertAllRefused(Object.fromEntries([...tars, ...zips]), "unsafe_archive");
  const devices = types.map((type) => ({ name: `dev${type}`, type }));
  const job = await extract("dev.tar", tarOf([...devices, { name: "a", content: "x" }]));
  assert.deepEqual(job.failures[0]?.leftOut?.first, ["dev3", "dev4", "dev6"]);
  assert.equal(job.partial, 1);
  assert.deepEqual(tree(join(home, "new")), ["a"]);
  Deno.removeSync(join(home, "new"), { recursive: true });
});

Deno.test("a file over a folder of the same name is refused, and the reverse", async () => {
  await assertAllRefused({
    "file over folder": tarOf([{ name: "a/b", content: "1" }, { name: "a", content: "2" }]),
    "folder over file": tarOf([{ name: "a", content: "1" }, { name: "a/b", content: "2" }]),
  }, "unsafe_archive");
});

Deno.test("an encrypted entry is refused before anything is written", async () => {
  const entries = [{ name: "a", content: "x" }, { name: "b", content: "x", flags: 1 }];
  await assertAllRefused({ zip: zipOf(entries) }, "encrypted_archive");
});

Deno.test("names of the server's own are refused, in any case", async () => {
  const own = [".cubby-trash", ".Cubby-Trash", `.cubby-upload-${"0".repeat(32)}`];
  for (const name of own) {
    await assertAllRefused({
      file: zipOf([{ name, content: "x" }]),
      folder: tarOf([{ name: `deep/${name}/x`, content: "x" }]),
    }, "forbidden");
  }
});

Deno.test("names that the user may not have are refused as uploads of them are", async () => {
  const rules = [deny("/denied"), deny("/new/secret"), denyMatching("\\.pem$")];
  const { token: amy } = await app.addUser("amy", { scope: "/home", rules, hideDotfiles: true });
  await assertAllRefused(
    {
      "by rule": zipOf([{ name: "a", content: "x" }, { name: "deep/key.pem", content: "x" }]),
      "by path": tarOf([{ name: "a", content: "x" }, { name: "secret", content: "x" }]),
      "alone at the top": tarOf([{ name: "top/secret", content: "x" }]),
      hidden: tarOf([{ name: "a" }, { name: "deep/.env", content: "x" }]),
    },
    "forbidden",
    { as: amy },
  );
  await assertAllRefused({ plain: tarOf([{ name: "a" }]) }, "forbidden", {
    as: amy,
    to: "/denied",
  });
  const taken = await extract("a.tar", tarOf([{ name: "a" }]), { to: "/../up" }).catch(() => null);
  assert.equal(taken, null);
});

Deno.test("names that no disk takes are refused", async () => {
  const long = "n".repeat(256);
  await assertAllRefused({
    zip: zipOf([{ name: `a/${long}`, content: "x" }]),
    pax: tarOf([{ name: "p", type: "x", content: `268 path=a/${long}\n` }, { name: "a" }]),
  }, "invalid_name");
});

Deno.test("bombs are refused by what they say, and by what they are", async () => {
  const zeros = new Uint8Array(1024 * 1024);
  const deep = Array(101).fill("d").join("/");
  await assertAllRefused({
    "more content than its size": zipOf([
      { name: "0", content: zeros, method: 8 },
      { name: "1", content: zeros, method: 8, size: 2 ** 31 },
    ]),
    overlapping: zipOf(Array.from({ length: 1100 }, (_, index) => {
      return { name: `${index}`, content: zeros, method: 8, overlaps: index > 0 };
    })),
    "a huge file": gzipSync(tarOf([{ name: "huge", size: 2 ** 32 }])),
    "a dictionary of 1.5 GiB": Uint8Array.fromHex(
      "fd377a585a000004e6d6b446020021012500" + "00003b787b4101000361626" +
        "30a0087692d8f3933e9db0001" + "1c046f2c9cc11fb6f37d010000000004595a",
    ),
    depth: zipOf([{ name: `${deep}/` }]),
  }, "archive_too_large");
  await assertAllRefused({
    "lies about its size": zipOf([{ name: "0", content: zeros, method: 8, size: 1000 }]),
    "lies about a large one": zipOf([
      { name: "0", content: new Uint8Array(3e6), method: 8, size: 2e6 },
    ]),
    "claims entries": zipOf([{ name: "0" }], 60_000),
  }, "broken_archive");
  const long = tarOf([{ name: "p", type: "x", size: 2 ** 31 }]);
  await assertAllRefused({ "long header": long }, "unsafe_archive");
});

Deno.test("what is damaged or cut off is refused, and leaves nothing behind", async () => {
  const zip = zipOf([{ name: "a", content: "x".repeat(1000), method: 8 }]);
  const tar = tarOf([{ name: "a", content: "x".repeat(1000) }]);
  const zipped = gzipSync(tar);
  const flipped = zipped.slice();
  flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1;
  await assertAllRefused({
    "checksum of an entry": zipOf([{ name: "a", content: "x", sum: 7 }]),
    "zip without its end": zip.subarray(0, zip.length - 30),
    "tar in an entry": tar.subarray(0, 1000),
    "tar at an entry": tarOf([{ name: "a", content: "x" }], true),
    gzip: zipped.subarray(0, zipped.length - 9),
    "checksum of gzip": flipped,
    header: tar.map((byte, at) => at === 3 ? 65 : byte),
  }, "broken_archive");
});

Deno.test("what is not read here is refused with its name", async () => {
  const job = await extract("x.zip", Uint8Array.fromHex("00112233"));
  const [failure] = job.failures;
  assert.equal(failure?.code, "not_supported");
  assert.ok(failure?.message.includes("known format"), failure?.message);
});

Deno.test("7z and RAR are held to what other archives are", async () => {
  const failed = async (name: string, bytes: Uint8Array) => {
    const { failures } = await extract(name, bytes);
    assert.ok(!existsSync(join(home, "new")), name);
    return failures[0]?.code;
  };
  assert.equal(await failed("x.rar", rarOf({ "../evil.txt": "x" })), "unsafe_archive");
  assert.equal(await failed("x.rar", rarOf({ ".cubby-trash/x": "x" })), "forbidden");
  assert.equal(await failed("x.7z", sevenZips.locked), "encrypted_archive");
  assert.equal(await failed("x.7z", sevenZips.plain.subarray(0, 150)), "broken_archive");
  const damaged = Uint8Array.from(sevenZips.plain);
  damaged[40] = (damaged[40] ?? 0) ^ 0xff;
  assert.equal(await failed("x.7z", damaged), "broken_archive");
  const { failures } = await extract("x.7z", sevenZips.plain);
  assert.deepEqual(failures, []);
  assert.equal(Deno.readTextFileSync(join(home, "new/photos/deep/ä 日本.txt")), "Grüße");
  Deno.removeSync(join(home, "new"), { recursive: true });
});
