import assert from "node:assert/strict";
import { join } from "node:path";
import { archiveFormats } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder, type Tree } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { namesInTar, namesInZip, treeOf, unpack } from "../../support/disks/unpack.ts";

/** Names in every script, and such as archives find hard. */
const names = [
  ...["plain.txt", "white space .txt", " leading", "trailing ", "-rf", "--help", "~", "$HOME"],
  ...["ä é ñ.txt", "a\u0301 decomposed", "ελληνικά", "русский", "עברית", "العربية", "हिन्दी"],
  ...["ไทย", "한국어", "日本語", "简体中文", "繁體中文", "ქართული", "አማርኛ", "தமிழ்", "😀👩‍👩‍👧", "𝔘𝔫𝔦"],
  ...[
    "quote'd",
    'double"quoted',
    "semi;colon",
    "per%cent",
    "comma,",
    "star*",
    "question?",
    "10:30",
  ],
  ...[
    ".hidden",
    "...",
    "UPPER",
    "upper",
    "CON",
    "x".repeat(255),
    "中".repeat(85),
    `${"y".repeat(99)}z`,
  ],
];

/** No compression makes it smaller. */
const noise = crypto.getRandomValues(new Uint8Array(64 * 1024));
const large = new Uint8Array(1_500_000);
for (let at = 0; at < large.length; at += noise.length) {
  large.set(noise.subarray(0, large.length - at), at);
}

const deep = Array.from({ length: 12 }, (_, index) => `a folder with a long name ${index}`);
const app = await startApp({
  tree: {
    tree: {
      names: Object.fromEntries(names.map((name) => [name, `content of ${name}`])),
      empty: {},
      "empty.txt": "",
      "large.bin": large,
      "zeros.bin": new Uint8Array(700_000),
      "block.bin": new Uint8Array(512).fill(1),
      [deep[0] ?? ""]: deep.slice(1).reduceRight<Tree>((inner, name) => ({ [name]: inner }), {
        "at the end": "deep",
      }),
      "run.sh": "#!/bin/sh\n",
      "old.txt": "old",
    },
    "one.txt": "1",
    "two, three.txt": "23",
    void: {},
  },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const root = join(app.root, "tree");
Deno.chmodSync(join(root, "run.sh"), 0o755);
Deno.chmodSync(join(root, "empty"), 0o700);
Deno.chmodSync(join(root, "empty.txt"), 0o600);
Deno.utimeSync(join(root, "old.txt"), 1_000_000_000, 1_000_000_000.25);
Deno.utimeSync(join(root, "empty"), 1_100_000_001, 1_100_000_001);

const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/raw${path}`, { token, headers });
const namesOf = async (path: string) => await namesInZip(await (await get(path)).bytes());

Deno.test("an archive of an unknown kind, or of what is not there, is refused", async () => {
  for (const kind of ["rar", "tar.7z", "zip.gz", "TAR", "../zip"]) {
    await assertRefused(await get(`/tree/?algo=${kind}`), 400, "invalid_option", kind);
  }
  await assertRefused(await get("/none/?algo=zip"), 404, "not_found");
  await assertRefused(await get("/?files=none"), 404, "not_found");
  await assertRefused(await get("/?files=one.txt,none"), 404, "not_found");
  for (const files of ["", "one.txt,", "%25", "%25ff"]) {
    await assertRefused(await get(`/?files=${files}`), 400, "invalid_option", files);
  }
});

for (const kind of archiveFormats) {
  for (const more of kind === "zip" ? ["", "&compress=true"] : [""]) {
    Deno.test(`${kind}${more} brings a tree along, with names, rights, times and empty folders`, async () => {
      const answer = await get(`/tree/?algo=${kind}${more}`);
      assert.equal(answer.status, 200);
      await using folder = await temporaryFolder();
      await unpack(kind, await answer.bytes(), folder.path);
      assert.deepEqual(treeOf(folder.path), treeOf(root));
    });
  }
}

Deno.test("kinds are also spelled without the dot", async () => {
  for (const [spelled, type] of [["targz", "application/gzip"], ["tarzst", "application/zstd"]]) {
    const answer = await get(`/void/?algo=${spelled}`);
    assert.equal(answer.headers.get("content-type"), type);
    await answer.body?.cancel();
  }
});

Deno.test("an empty folder is an empty archive", async () => {
  for (const kind of archiveFormats) {
    const bytes = await (await get(`/void/?algo=${kind}`)).bytes();
    if (kind === "zip") assert.deepEqual([...bytes], [0x50, 0x4b, 5, 6, ...Array(18).fill(0)]);
    else assert.deepEqual(await namesInTar(kind, bytes), [], kind);
  }
});

Deno.test("a selection that no address could hold comes in a form", async () => {
  const twice = encodeURIComponent("two, three.txt");
  const send = (lists: string[], rest = "/") => {
    const body = new FormData();
    for (const list of lists) body.append("files", list);
    return app.call("POST", `/api/raw${rest}`, { token, body });
  };
  await assertRefused(await send([]), 400, "invalid_body");
  await assertRefused(await send(["one.txt,"]), 400, "invalid_option");
  await assertRefused(await send(["x,".repeat(3_000_000)]), 413, "body_too_large");

  const often = Array.from({ length: 5_000 }, () => `one.txt,${twice}`).join(",");
  const answer = await send([often, "void"]);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-disposition") ?? "", /"Cubby\.zip"/);
  assert.deepEqual(await namesInZip(await answer.bytes()), ["one.txt", "two, three.txt", "void/"]);
  const plain = new URLSearchParams({ files: "old.txt" });
  const tar = await app.call("POST", "/api/raw/tree/?algo=tar", { token, body: plain });
  assert.deepEqual(await namesInTar("tar", await tar.bytes()), ["old.txt"]);
});

Deno.test("a selection holds what was chosen, counted from the folder they share", async () => {
  const twice = (name: string) => encodeURIComponent(encodeURIComponent(name));
  const chosen = `one.txt,${twice("two, three.txt")}`;
  assert.deepEqual(await namesOf(`/?files=${chosen}`), ["one.txt", "two, three.txt"]);
  assert.deepEqual(await namesOf("/?files=one.txt&files=void"), ["one.txt", "void/"]);
  assert.deepEqual(await namesOf("/?files=tree/empty,tree/empty.txt"), ["empty.txt", "empty/"]);
  assert.deepEqual(await namesOf("/tree/?files=old.txt,old.txt"), ["old.txt"]);
  const nested = await namesOf("/?files=tree/names/plain.txt,tree/names,one.txt");
  assert.equal(nested.filter((name) => name.endsWith("plain.txt")).length, 1);
  assert.deepEqual(await namesOf("/?files=one.txt"), ["one.txt"]);
});

Deno.test("a folder's archive bears its name, that of several the site's", async () => {
  const nameOf = async (path: string) => {
    const answer = await get(path);
    await answer.body?.cancel();
    return /^attachment; filename="([^"]*)"/.exec(
      answer.headers.get("content-disposition") ?? "",
    )?.[1];
  };
  assert.equal(await nameOf("/tree/"), "tree.zip");
  assert.equal(await nameOf("/tree?algo=tar.br"), "tree.tar.br");
  assert.equal(await nameOf("/?files=void"), "void.zip");
  assert.equal(await nameOf("/?files=one.txt,void&algo=tar"), "Cubby.tar");
  assert.equal(await nameOf("/?algo=tar.gz"), "Cubby.tar.gz");
});

Deno.test("an archive is private, sandboxed and never to be guessed at", async () => {
  for (const kind of archiveFormats) {
    const { headers, body } = await get(`/void/?algo=${kind}`);
    assert.equal(headers.get("cache-control"), "private, no-cache");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
    assert.equal(headers.get("accept-ranges"), kind === "zip" ? "bytes" : "none");
    await body?.cancel();
  }
});

Deno.test("HEAD tells the length of a stored zip, and no other", async () => {
  const head = await app.call("HEAD", "/api/raw/tree/", { token });
  const { length } = await (await get("/tree/")).bytes();
  assert.equal(head.headers.get("content-length"), String(length));
  for (const query of ["?algo=tar", "?compress=true", "?algo=tar.zst"]) {
    const head = await app.call("HEAD", `/api/raw/tree/${query}`, { token });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-length"), null);
    assert.equal(head.headers.get("etag"), null);
  }
  await assertStatus(await app.call("HEAD", "/api/raw/none/?algo=zip", { token }), 404);
});
