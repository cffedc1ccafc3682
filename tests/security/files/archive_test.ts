import assert from "node:assert/strict";
import { join } from "node:path";
import { archiveFormats } from "../../../lib/shared/schemas/choices/choices.ts";
import { startApp } from "../../support/server/app.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny, denyMatching } from "../../support/data/rules.ts";
import { namesInTar, namesInZip, treeOf, unpack } from "../../support/disks/unpack.ts";

const app = await startApp({
  tree: {
    home: {
      "own.txt": "own",
      denied: { "secret.txt": "SECRET" },
      mixed: { "open.txt": "open", "key.pem": "SECRET", deep: { "other.pem": "SECRET" } },
      ".hidden": { "a.txt": "SECRET" },
      plain: { ".env": "SECRET", "e.txt": "e" },
    },
    other: { "a.txt": "SECRET", deep: { "more.txt": "SECRET" } },
    slip: {},
    odd: { "plain.txt": "plain" },
  },
});
Deno.test.afterAll(app.close);
const home = join(app.root, "home");
const other = join(app.root, "other");
const token = await app.tokenOf("admin");
const get = (path: string, as = token) => app.call("GET", `/api/raw${path}`, { token: as });

/** The names in an archive of a folder, or of a selection, whichever of the two formats it has. */
async function namesOf(path: string, as: string): Promise<string[]> {
  const more = path.includes("?") ? "&" : "?";
  const zip = await namesInZip(await (await get(path, as)).bytes());
  const tar = await namesInTar("tar", await (await get(`${path}${more}algo=tar`, as)).bytes());
  assert.deepEqual(tar, zip);
  return zip;
}

Deno.test("an archive leaves out what is denied or hidden, however deep it lies", async () => {
  const user = {
    scope: "/home",
    rules: [deny("/denied"), denyMatching("\\.pem$")],
    hideDotfiles: true,
  };
  const { token: amy } = await app.addUser("amy", user);
  assert.deepEqual(await namesOf("/", amy), [
    ...["own.txt", "mixed/", "mixed/open.txt", "mixed/deep/", "plain/", "plain/e.txt"],
  ]);
  assert.deepEqual(await namesOf("/mixed/", amy), ["open.txt", "deep/"]);
  assert.deepEqual(await namesOf("/?files=own.txt,mixed", amy), [
    ...["own.txt", "mixed/", "mixed/open.txt", "mixed/deep/"],
  ]);
});

Deno.test("what is denied or hidden is refused when it is chosen by name, there or not", async () => {
  const user = { scope: "/home", rules: [deny("/denied"), deny("/gone")], hideDotfiles: true };
  const { token: ben } = await app.addUser("ben", user);
  const names = ["denied", "denied/secret.txt", "denied/none", "gone", ".hidden", ".none/x"];
  names.push("plain/.env", "DENIED/../denied", "denied%252Fsecret.txt");
  for (const name of names) {
    for (
      const path of [`/?files=${name}`, `/?files=own.txt,${name}`, `/?files=own.txt&files=${name}`]
    ) {
      const answer = await get(path, ben);
      assert.ok([400, 403].includes(answer.status), `${path} ${answer.status}`);
      assert.doesNotMatch(await answer.text(), /SECRET/);
    }
  }
  for (const path of ["/denied/", "/denied", "//denied/", "/%64enied/", "/.hidden/", "/gone/"]) {
    await assertRefused(await get(`${path}?algo=tar`, ben), 403, "forbidden", path);
  }
});

Deno.test("an archive follows no link, and none that leaves the scope can be chosen", async () => {
  const links: Record<string, string> = {
    "absolute.txt": join(other, "a.txt"),
    "relative.txt": "../other/a.txt",
    "chained.txt": "absolute.txt",
    "dangling.txt": join(other, "none"),
    "folder": other,
    "up": "..",
    "plain/nested": "../../other/deep",
  };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, join(home, name));
  Deno.symlinkSync("own.txt", join(home, "fine.txt"));
  try {
    const { token: cat } = await app.addUser("cat", { scope: "/home" });
    const names = await namesOf("/", cat);
    for (const name of [...Object.keys(links), "fine.txt"]) {
      assert.ok(!names.some((each) => each.startsWith(name)), name);
    }
    const through = ["folder/a.txt", "folder/deep", "up/other", "plain/nested/more.txt"];
    for (const name of [...Object.keys(links), ...through]) {
      const chosen = encodeURIComponent(name);
      await assertRefused(await get(`/?files=${chosen}`, cat), 403, "forbidden", name);
      await assertRefused(await get(`/?files=own.txt,${chosen}`, cat), 403, "forbidden", name);
    }
    for (const name of ["folder", "up", "plain/nested", "folder/deep"]) {
      await assertRefused(await get(`/${name}/?algo=tar`, cat), 403, "forbidden", name);
    }
  } finally {
    for (const name of [...Object.keys(links), "fine.txt"]) Deno.removeSync(join(home, name));
  }
});

Deno.test("no choice of files leaves the folder or the scope (traversal in files)", async () => {
  const { token: dan } = await app.addUser("dan", { scope: "/home" });
  const attacks: [string, number][] = [
    ["..", 400],
    ["../other/a.txt", 400],
    ["..%2Fother%2Fa.txt", 400],
    ["%252e%252e%252fother%252fa.txt", 400],
    ["%25252e%25252e%25252fother", 404],
    ["own.txt,..", 400],
    ["mixed/../../other", 400],
    ["./own.txt", 400],
    [".", 400],
    ["own.txt%00", 400],
    ["own.txt%2500", 400],
    ["%25c0%25ae%25c0%25ae", 400],
    ["/etc/passwd", 404],
    [join(other, "a.txt"), 404],
    ["..%5Cother", 404],
    ["C:%5C", 404],
  ];
  for (const [files, status] of attacks) {
    for (const folder of ["/", "/mixed/"]) {
      const answer = await get(`${folder}?files=${files}`, dan);
      await assertStatus(answer, status, `${folder} ${files}`);
    }
  }
});

/** Names that lead elsewhere on some system, or upset a terminal, and what becomes of them. */
const slips: Record<string, string> = {
  "..\\..\\evil.txt": ".._.._evil.txt",
  "\\\\host\\share": "__host_share",
  "C:evil.txt": "C_evil.txt",
  "c:\\evil.txt": "c__evil.txt",
  "line\nbreak": "line_break",
  "\u001b[2Jescape": "_[2Jescape",
  "\u007f": "_",
  "..\\": ".._",
};

Deno.test("no name in an archive climbs out of where it is unpacked (zip-slip, unpacking)", async () => {
  const slip = join(app.root, "slip");
  for (const name of Object.keys(slips)) await Deno.writeTextFile(join(slip, name), name);
  await Deno.mkdir(join(slip, "D:"));
  await Deno.writeTextFile(join(slip, "D:", "..\\x"), "");
  for (const kind of archiveFormats) {
    await using folder = await temporaryFolder();
    await unpack(kind, await (await get(`/slip/?algo=${kind}`)).bytes(), folder.path);
    const found = treeOf(folder.path).map((line) => line.replace(/ \d+ \d+.*$/, "").slice(1));
    assert.deepEqual(found.sort(), [...Object.values(slips), "D_/", "D_/.._x"].sort(), kind);
  }
});

Deno.test("two names that come out alike in an archive do not overwrite each other", async () => {
  await Deno.mkdir(join(app.root, "alike"));
  for (const name of ["a\\b", "a_b", "a\nb", "a_b_"]) {
    await Deno.writeTextFile(join(app.root, "alike", name), name);
  }
  const names = await namesOf("/alike/", token);
  assert.equal(new Set(names).size, 4);
  assert.ok(names.includes("a_b") && names.includes("a_b_"));
});

Deno.test("an uploaded archive is a file like any other: nothing unpacks it (zip-slip, packing)", async () => {
  const zip = await (await get("/slip/")).bytes();
  const climbing = new TextEncoder().encode("_host_share");
  const evil = new TextEncoder().encode("/../../../x");
  const at = zip.findIndex((_, index) => climbing.every((byte, i) => zip[index + i] === byte));
  zip.set(evil, at);
  const path = "/api/resources/home/mixed/evil.zip";
  await assertStatus(await app.call("POST", path, { token, body: zip }), 200);
  assert.deepEqual(await (await get("/home/mixed/evil.zip")).bytes(), zip);
  assert.deepEqual([...Deno.readDirSync(app.root)].map(({ name }) => name).sort(), [
    ...["alike", "home", "odd", "other", "slip"],
  ]);
  await assertStatus(await app.call("DELETE", path, { token }), 200);
});

Deno.test("no name of a folder splits or ends a header of its archive", async () => {
  for (const name of ['a"; filename=evil.exe', "a\r\nset-cookie: x=1", "a\\", "ä 中 😀", "a;b=c"]) {
    await Deno.mkdir(join(app.root, "odd", name));
    const answer = await get(`/odd/${encodeURIComponent(name)}/`);
    await answer.body?.cancel();
    assert.equal(answer.headers.get("set-cookie"), null);
    const value = answer.headers.get("content-disposition") ?? "";
    const [, plain = "", extended = ""] =
      /^attachment; filename="((?:[^"\\\r\n]|\\.)*)"; filename\*=UTF-8''([\w.~!%'()*-]+)$/.exec(
        value,
      ) ??
        [];
    assert.notEqual(plain, "", value);
    assert.equal(decodeURIComponent(extended), `${name}.zip`);
    await Deno.remove(join(app.root, "odd", name));
  }
});

Deno.test("pipes and sockets are left out of an archive, and refused alone: nothing hangs", async () => {
  await new Deno.Command("mkfifo", { args: [join(app.root, "odd/pipe")] }).output();
  const listening = Deno.listen({ transport: "unix", path: join(app.root, "odd/socket") });
  const rest = ["plain.txt", "left-out.txt"];
  assert.deepEqual(await namesOf("/odd/", token), rest);
  for (const name of ["pipe", "socket"]) {
    await assertRefused(await get(`/odd/?files=${name}`), 403, "not_a_file", name);
    assert.deepEqual(await namesOf(`/odd/?files=plain.txt,${name}`, token), rest, name);
  }
  listening.close();
});

Deno.test("an archive hands on no set-user-ID, and does not tell who owns the files", async () => {
  await Deno.mkdir(join(app.root, "owned"));
  const path = join(app.root, "owned/tool");
  await Deno.writeTextFile(path, "#!/bin/sh\n");
  if (Deno.uid() === 0) Deno.chownSync(path, 4242, 4243);
  Deno.chmodSync(path, 0o6755);
  const tar = await (await get("/owned/?algo=tar")).bytes();
  const field = (at: number, length: number) =>
    new TextDecoder().decode(tar.subarray(at, at + length)).replaceAll("\0", "");
  const head = tar.indexOf(0x78, 156) === 156 ? 1024 : 0;
  assert.equal(field(head + 100, 8), "0000755");
  assert.equal(field(head + 108, 8), "0000000");
  assert.equal(field(head + 116, 8), "0000000");
  assert.equal(field(head + 265, 64), "");
});

Deno.test("an archive is no script, style or worker of a page, whatever is in it", async () => {
  for (const destination of ["script", "style", "worker", "serviceworker"]) {
    const headers = { "sec-fetch-dest": destination };
    const answer = await app.call("GET", "/api/raw/home/?algo=tar", { token, headers });
    await assertRefused(answer, 403, "forbidden", destination);
  }
});
