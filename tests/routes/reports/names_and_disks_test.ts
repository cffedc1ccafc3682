import assert from "node:assert/strict";
import { join } from "node:path";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { davClient } from "../../support/clients/dav.ts";
import { filesBelow, type Tree } from "../../support/disks/files.ts";
import { mount } from "../../support/disks/small_disk.ts";
import { type Report, type ReportScene, reportTests } from "../../support/server/reports.ts";
import { assertStatus } from "../../support/server/refused.ts";

/** Files by their names, each of which is its own content. */
function filesNamed(...names: readonly string[]): Tree {
  return Object.fromEntries(names.map((name) => [name, name]));
}

const encode = encodeURIComponent;

/** The names in a folder of the report, as its listing has them. */
async function namesIn({ resource }: ReportScene, folder = ""): Promise<string[]> {
  return ((await resource(folder)).items ?? []).map(({ name }) => name);
}

/**
 * Asserts that files of these names can be uploaded both ways, are listed, described, downloaded,
 * renamed and back, and reached by WebDAV; and that nothing else came of it.
 */
async function assertUsable(scene: ReportScene, ...names: readonly string[]): Promise<void> {
  const { call, bytes, resource, transfer, app, folder, path: id } = scene;
  const dav = davClient(app);
  for (const name of names) {
    await assertStatus(
      await call("POST", "/api/resources", encode(name), { body: name }),
      200,
      name,
    );
    await assertStatus(
      await dav("PUT", `${id}/${encode(`2 ${name}`)}`, { body: name }),
      201,
      name,
    );
  }
  const all = [...names, ...names.map((name) => `2 ${name}`)];
  assert.deepEqual((await namesIn(scene)).toSorted(), all.toSorted());
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), all.toSorted());
  for (const name of all) {
    const content = name.replace(/^2 /, "");
    assert.equal(new TextDecoder().decode(await bytes(encode(name))), content, name);
    assert.equal((await resource(encode(name))).name, name);
    const read = await dav("GET", `${id}/${encode(name)}`);
    assert.equal(await read.text(), content, name);
  }
  for (const name of names) {
    await assertStatus(await transfer("rename", name, `moved ${name}`), 200, name);
    await assertStatus(await transfer("rename", `moved ${name}`, name), 200, name);
    await assertStatus(await call("DELETE", "/api/resources", encode(name)), 200, name);
  }
  assert.deepEqual((await namesIn(scene)).length, names.length);
}

const nfc = "é.txt".normalize("NFC");
const nfd = "é.txt".normalize("NFD");

const names: Report[] = [
  {
    id: "R1",
    source: "filebrowser#5801",
    holds: "names with percent signs are uploaded, downloaded and renamed",
    tree: {},
    check: (scene) =>
      assertUsable(scene, "100%.txt", "%", "%zz.txt", "%20.txt", "50%25.txt", "%%", "a%"),
  },
  {
    id: "R2",
    source: "filebrowser#1701",
    holds: "a plus sign is no space",
    tree: {},
    check: (scene) => assertUsable(scene, "a+b.txt", "++", "a b.txt", "c++ & c#.txt", "+"),
  },
  {
    id: "R3",
    source: "nextcloud/server#12030, #12367",
    holds: "a name with a percent sign hides no other",
    tree: filesNamed("100%", "%E0%A4%A", "%c0%80", "plain.txt", "%"),
    async check(scene) {
      const listed = await namesIn(scene);
      assert.deepEqual(
        listed.toSorted(),
        ["100%", "%E0%A4%A", "%c0%80", "plain.txt", "%"].toSorted(),
      );
    },
  },
  {
    id: "R4",
    source: "mherrmann/fman#365",
    holds: "a name is decoded once",
    tree: filesNamed("a%62c.txt", "%2e%2e.txt", "%25.txt", "Ep 1"),
    async check({ call, resource }) {
      for (const name of ["a%62c.txt", "%2e%2e.txt", "%25.txt"]) {
        assert.equal((await resource(encode(name))).name, name);
      }
      await assertStatus(await call("GET", "/api/resources", "Ep%25201"), 404);
      await assertStatus(await call("GET", "/api/resources", "a%2562c"), 404);
      await assertStatus(await call("GET", "/api/resources", "abc.txt"), 404);
    },
  },
  {
    id: "R5",
    source: "droppyjs/droppy#72",
    holds: "composed and decomposed names lie beside each other, and each is reached",
    tree: { [nfc]: "nfc", [nfd]: "nfd" },
    async check(scene) {
      assert.deepEqual((await namesIn(scene)).toSorted(), [nfc, nfd].toSorted());
      for (const [name, content] of [[nfc, "nfc"], [nfd, "nfd"]] as const) {
        assert.equal(new TextDecoder().decode(await scene.bytes(encode(name))), content);
      }
    },
  },
  {
    id: "R6",
    source: "haiwen/seahub#5259",
    holds: "names may have emoji, joined ones too",
    tree: {},
    check: (scene) => assertUsable(scene, "😀🏆.txt", "👨‍👩‍👧‍👦.jpg", "🏳️‍🌈", "🇯🇵 trip.md", "1️⃣.txt"),
  },
  {
    id: "R7",
    source: "error311/FileRise#19",
    holds: "letters of every alphabet stay what they are",
    tree: {},
    check: (scene) =>
      assertUsable(
        scene,
        ...["Grüner Tee.txt", "Straße.txt", "İstanbul ı.txt", "ﬁle.txt", "全角　空白.txt"],
        ...["עברית.txt", "العربية.txt", "ไทย.txt", "हिन्दी.txt", "ǅ.txt"],
      ),
  },
  {
    id: "R8",
    source: "9001/copyparty#1010",
    holds: "names with colons are taken where the disk takes them",
    tree: {},
    check: (scene) => assertUsable(scene, "a:b.txt", "co:lon", "12:30 Uhr.txt", "C:", ":"),
  },
  {
    id: "R9",
    source: "zed-industries/zed#5211, rstudio#1886",
    holds: "a name can change its case",
    tree: { CaseA: { "x.txt": "x" }, "Read.TXT": "r" },
    async check(scene) {
      const { app, path } = scene;
      await assertStatus(await scene.transfer("rename", "CaseA", "casea"), 200);
      const destination = `http://cubby.test/dav${path}/read.txt`;
      const moved = await davClient(app)("MOVE", `${path}/Read.TXT`, {
        headers: { destination, overwrite: "F" },
      });
      await assertStatus(moved, 201);
      assert.deepEqual((await namesIn(scene)).toSorted(), ["casea", "read.txt"]);
    },
  },
  {
    id: "R10",
    source: "supabase/storage#1385",
    holds: "a download is named as the file is, with every sign in it",
    tree: filesNamed(...[
      "it's (1) *!.txt",
      'say "hi".txt',
      "a;b=c.txt",
      "line\nbreak.txt",
      "t\tab",
    ]),
    async check({ call }) {
      for (
        const name of ["it's (1) *!.txt", 'say "hi".txt', "a;b=c.txt", "line\nbreak.txt", "t\tab"]
      ) {
        assert.equal(await savedAs(call, name), name);
      }
    },
  },
  {
    id: "R11",
    source: "cloudreve#1576, claudiodangelis/qrcp#331",
    holds: "a download's header has a name in UTF-8, and one in ASCII for what knows no other",
    tree: filesNamed("Ä Ö Ü.txt", "日本.txt", "café.txt"),
    async check({ call }) {
      for (const name of ["Ä Ö Ü.txt", "日本.txt", "café.txt"]) {
        const answer = await call("GET", "/api/raw", encode(name));
        await answer.body?.cancel();
        const disposition = answer.headers.get("content-disposition") ?? "";
        assert.match(disposition, /^[\x20-\x7e]*filename="[\x20-\x7e]+\.txt"/);
        assert.equal(await savedAs(call, name), name);
      }
    },
  },
  {
    id: "R12",
    source: "ohmage/server#900",
    holds: "a comma in a name divides no header",
    tree: filesNamed("a, b.txt", ",", "x,filename=evil.txt"),
    async check({ call }) {
      for (const name of ["a, b.txt", ",", "x,filename=evil.txt"]) {
        assert.equal(await savedAs(call, name), name);
      }
    },
  },
  {
    id: "R106",
    source: "copyparty#637, gtsteffaniak#551, ranger#1440",
    holds: "names are in the order in which people count",
    tree: filesNamed(
      ...["file10.txt", "file9.txt", "file1.txt", "File2.txt", "v1.10", "v1.9", "v1.2"],
      ...["a100", "a20", "a3", "ä", "z", "Z2", "z10"],
    ),
    async check(scene) {
      assert.deepEqual(await namesIn(scene), [
        ...["ä", "a3", "a20", "a100", "file1.txt", "File2.txt", "file9.txt", "file10.txt"],
        ...["v1.2", "v1.9", "v1.10", "z", "Z2", "z10"],
      ]);
    },
  },
  {
    id: "R107",
    source: "opencloud-eu/web#3047",
    holds: "zeros before a number have an order",
    tree: filesNamed("00_C", "0_D", "0000_B", "00000_A"),
    async check(scene) {
      const first = await namesIn(scene);
      assert.deepEqual(first, ["00000_A", "0000_B", "00_C", "0_D"]);
    },
  },
];

/** The name under which a browser saves a download (RFC 6266). */
async function savedAs(call: ReportScene["call"], name: string): Promise<string> {
  const answer = await call("GET", "/api/raw", encode(name));
  await answer.body?.cancel();
  assert.equal(answer.status, 200, name);
  const disposition = answer.headers.get("content-disposition") ?? "";
  const [, encoded] = /; filename\*=UTF-8''([^;]*)$/i.exec(disposition) ?? [];
  const [, quoted] = /; filename="((?:[^"\\]|\\.)*)"/.exec(disposition) ?? [];
  return encoded === undefined
    ? (quoted ?? "").replace(/\\(.)/g, "$1")
    : decodeURIComponent(encoded);
}

/** Runs a program of the system in a folder. */
async function run(folder: string, program: string, ...args: string[]): Promise<void> {
  const command = new Deno.Command(program, { args, cwd: folder, stdout: "null", stderr: "piped" });
  const { success, stderr } = await command.output();
  assert.ok(success, `${program}: ${new TextDecoder().decode(stderr)}`);
}

/** The byte 0xE9 in a name, as lib/shared/entry_names.ts spells it. */
const latin = "\uefe9";

const hasRawNames = disk.kind !== "portable";

/** Seconds before, at and after 1970, beyond 2038 and 2446, and a half. */
const oddTimes = [-631152000, -0.5, 0, 0.5, 2 ** 31, 15000000000];

const disks: Report[] = [
  {
    id: "R13",
    source: "houtianze/bypy#346, 9001/copyparty",
    holds: "a name that is not UTF-8 is listed, read and renamed",
    tree: {},
    async check(scene) {
      if (!hasRawNames) return;
      using folder = disk.folder(scene.folder);
      {
        using file = folder.file(`t${latin}.txt`, "create");
        file.write(new TextEncoder().encode("raw"), 0);
      }
      assert.deepEqual(await namesIn(scene), [`t${latin}.txt`]);
      assert.equal(new TextDecoder().decode(await scene.bytes(encode(`t${latin}.txt`))), "raw");
      const moved = await scene.transfer("rename", `t${latin}.txt`, "été.txt");
      await assertStatus(moved, 200);
      assert.equal(Deno.readTextFileSync(join(scene.folder, "été.txt")), "raw");
    },
  },
  {
    id: "R98",
    source: "copyparty#1470, cosmic-files#1959, fman#668",
    holds: "times of every century are listed, copied and sent",
    tree: filesNamed(...oddTimes.map(String)),
    async check(scene) {
      for (const time of oddTimes) Deno.utimeSync(join(scene.folder, `${time}`), time, time);
      const times = () =>
        oddTimes.map((time) => Deno.statSync(join(scene.folder, `${time}`)).mtime?.getTime());
      const { items = [] } = await scene.resource("");
      const listed = new Map(items.map(({ name, modified }) => [name, Date.parse(modified)]));
      for (const [index, time] of times().entries()) {
        assert.equal(listed.get(`${oddTimes[index]}`), time);
      }
      await assertStatus(await scene.transfer("copy", "", "copy"), 400);
      Deno.mkdirSync(join(scene.folder, "to"));
      for (const time of oddTimes) {
        await assertStatus(await scene.transfer("copy", `${time}`, `to/${time}`), 200);
        const { mtime } = Deno.statSync(join(scene.folder, "to", `${time}`));
        assert.equal(mtime?.getTime(), listed.get(`${time}`));
      }
      for (const format of ["zip", "tar", "targz"]) {
        const answer = await scene.call("GET", "/api/raw", `?algo=${format}`);
        assert.equal(answer.status, 200, format);
        assert.ok((await answer.bytes()).length > 500, format);
      }
    },
  },
  {
    id: "R99",
    source: "filebrowser#370, jupyterlab#9120",
    holds: "a broken link is listed beside the others",
    tree: filesNamed("a.txt"),
    async check(scene) {
      Deno.symlinkSync("nowhere", join(scene.folder, "broken"));
      Deno.symlinkSync("loop", join(scene.folder, "loop"));
      assert.deepEqual((await namesIn(scene)).toSorted(), ["a.txt", "broken", "loop"]);
    },
  },
  {
    id: "R100",
    source: "gtsteffaniak#1566",
    holds: "a broken link is renamed, copied, moved to the trash and deleted",
    tree: {},
    async check(scene) {
      const at = (name: string) => join(scene.folder, name);
      for (const name of ["a", "b"]) Deno.symlinkSync("nowhere", at(name));
      await assertStatus(await scene.transfer("rename", "a", "c"), 200);
      await assertStatus(await scene.transfer("copy", "c", "d"), 200);
      assert.equal(Deno.readLinkSync(at("d")), "nowhere");
      await assertStatus(await scene.call("DELETE", "/api/resources", "b?trash=true"), 200);
      await assertStatus(await scene.call("DELETE", "/api/resources", "c?trash=false"), 200);
      assert.deepEqual([...Deno.readDirSync(scene.folder)].map(({ name }) => name), ["d"]);
    },
  },
  {
    id: "R101",
    source: "elixir#15034, containers/storage#2113, ruby/fileutils#36, packer#2872",
    holds: "a pipe stops no copy and no move, and is named as left out",
    tree: { tree: { "a.txt": "a", deep: { "b.txt": "b" } } },
    async check(scene) {
      await run(scene.folder, "mkfifo", "tree/deep/pipe");
      const copied = await scene.transfer("copy", "tree", "copy");
      await assertStatus(copied, 200);
      assert.match(copied.headers.get("left-out") ?? "", /deep\/pipe|deep%2Fpipe/);
      assert.deepEqual(filesBelow(join(scene.folder, "copy")), ["a.txt", "deep/b.txt"]);
      await assertStatus(await scene.transfer("rename", "tree", "moved"), 200);
      assert.deepEqual(filesBelow(join(scene.folder, "moved")), [
        "a.txt",
        "deep/b.txt",
        "deep/pipe",
      ]);
      await assertStatus(await scene.call("DELETE", "/api/resources", "moved?trash=false"), 200);
    },
  },
  {
    id: "R102",
    source: "vfiler.vim#43",
    holds: "a socket and a pipe are listed, and refused at once when opened",
    tree: filesNamed("a.txt"),
    async check(scene) {
      await run(scene.folder, "mkfifo", "pipe");
      using _listener = Deno.listen({ transport: "unix", path: join(scene.folder, "socket") });
      assert.deepEqual((await namesIn(scene)).toSorted(), ["a.txt", "pipe", "socket"]);
      for (const name of ["pipe", "socket"]) {
        assert.equal((await scene.resource(name)).type, "blob");
        for (const api of ["/api/raw", "/api/preview/thumb"]) {
          await assertStatus(await scene.call("GET", api, name), 403, `${api} ${name}`);
        }
      }
    },
  },
  {
    id: "R103",
    source: "moves to another disk, and full ones",
    holds: "a move to another disk keeps times and modes; a full disk leaves the source whole",
    tree: { "run.sh": "#!/bin/sh", "large.bin": new Uint8Array(200_000), small: {} },
    async check(scene) {
      const at = (name: string) => join(scene.folder, name);
      await mount("-t", "tmpfs", "-o", "size=100k", "cubby-test", at("small"));
      try {
        Deno.chmodSync(at("run.sh"), 0o750);
        Deno.utimeSync(at("run.sh"), 1_000_000_000, 1_000_000_000);
        await assertStatus(await scene.transfer("rename", "run.sh", "small/run.sh"), 200);
        const { mode, mtime } = Deno.statSync(at("small/run.sh"));
        assert.deepEqual([(mode ?? 0) & 0o777, mtime?.getTime()], [0o750, 1_000_000_000_000]);
        await assertStatus(await scene.transfer("rename", "large.bin", "small/large.bin"), 507);
        assert.equal(Deno.statSync(at("large.bin")).size, 200_000);
        assert.deepEqual(filesBelow(at("small")), ["run.sh"]);
        const removed = await scene.call("DELETE", "/api/resources", "small?trash=false");
        await assertStatus(removed, 403);
      } finally {
        await run(scene.folder, "umount", "small");
      }
    },
  },
];

await reportTests([...names, ...disks], { webdav: true });
