import assert from "node:assert/strict";
import { join } from "node:path";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { requestHead, sendRaw } from "../../support/clients/raw_http.ts";
import { davClient } from "../../support/clients/dav.ts";
import { plantNames } from "../../support/disks/files.ts";
import { mount } from "../../support/disks/small_disk.ts";
import { namesInZip } from "../../support/disks/unpack.ts";
import { type Report, type ReportScene, reportTests } from "../../support/server/reports.ts";
import { assertStatus } from "../../support/server/refused.ts";

const odd = "#%?日本 \\`.txt";
const oddName = encodeURIComponent(odd);

/** Begins an upload by tus. */
function begin(
  { call }: ReportScene,
  name: string,
  length: number,
  headers: Record<string, string> = {},
): Promise<Response> {
  return call("POST", "/api/tus", name, { headers: { "upload-length": `${length}`, ...headers } });
}

/** Sends bytes of an upload. */
function send({ call }: ReportScene, name: string, offset: number, body: string) {
  const headers = {
    "upload-offset": `${offset}`,
    "content-type": "application/offset+octet-stream",
  };
  return call("PATCH", "/api/tus", name, { headers, body });
}

/** Answers over a connection, where Deno adds what a call in this process does not have. */
async function fetched(
  { app, path, token }: ReportScene,
  method: string,
  api: string,
  name: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const address = `${app.listen().url}${api}${path}/${name}`;
  return await fetch(address, { method, headers: { "x-auth": token, ...headers }, ...init });
}

/** The status of an answer whose body does not matter. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

const uploads: Report[] = [
  {
    id: "R14",
    source: "owncloud/ocis#3154, #3599, tus-js-client#106",
    holds: "an empty file is uploaded by tus at once",
    tree: {},
    async check(scene) {
      await assertStatus(await begin(scene, "empty.txt", 0), 201);
      assert.equal(Deno.statSync(join(scene.folder, "empty.txt")).size, 0);
      const { status, headers } = await scene.call("HEAD", "/api/tus", "empty.txt");
      assert.deepEqual([status, headers.get("upload-offset")], [200, "0"]);
    },
  },
  {
    id: "R15",
    source: "tus-js-client#58, #185, #233",
    holds: "the address of an upload is a path, so that it has the scheme of the page",
    tree: {},
    async check(scene) {
      const headers = { "x-forwarded-proto": "http", "x-forwarded-host": "inner:8080" };
      const answer = await begin(scene, oddName, 3, headers);
      await assertStatus(answer, 201);
      const location = answer.headers.get("location") ?? "";
      assert.match(location, /^\/api\/tus\//);
      const head = await scene.app.call("HEAD", location, { token: scene.token });
      await assertStatus(head, 200);
    },
  },
  {
    id: "R16",
    source: "filebrowser#2701, #2714",
    holds: "HEAD tells how far an upload is, and is kept by nobody",
    tree: {},
    async check(scene) {
      for (const name of [oddName, "a%2Bb.txt", "100%25"]) {
        await assertStatus(await begin(scene, name, 6), 201, name);
        await assertStatus(await send(scene, name, 0, "abc"), 204, name);
        const { status, headers } = await scene.call("HEAD", "/api/tus", name);
        const told = [status, headers.get("upload-offset"), headers.get("upload-length")];
        assert.deepEqual(told, [200, "3", "6"], name);
        assert.equal(headers.get("cache-control"), "no-store");
        await assertStatus(await send(scene, name, 3, "def"), 204, name);
      }
      assert.equal(Deno.readTextFileSync(join(scene.folder, odd)), "abcdef");
    },
  },
  {
    id: "R17",
    source: "filebrowser#5486, #3399, #5863",
    holds: "what is uploaded into a folder of a group belongs to the group",
    tree: { team: {} },
    async check({ call, folder }) {
      Deno.chownSync(join(folder, "team"), null, 4321);
      Deno.chmodSync(join(folder, "team"), 0o2775);
      await assertStatus(await call("POST", "/api/resources", "team/a.txt", { body: "a" }), 200);
      await assertStatus(await call("POST", "/api/resources", "team/new/deep/"), 200);
      await assertStatus(
        await call("POST", "/api/resources", "team/new/b.txt", { body: "b" }),
        200,
      );
      for (const path of ["team/a.txt", "team/new", "team/new/deep", "team/new/b.txt"]) {
        const { gid, mode, isDirectory } = Deno.statSync(join(folder, path));
        assert.equal(gid, 4321, path);
        assert.equal(((mode ?? 0) & 0o2000) !== 0, isDirectory, path);
      }
    },
  },
  {
    id: "R18",
    source: "filebrowser#5496",
    holds: "a folder that is made on the way of an upload can be entered",
    tree: {},
    async check(scene) {
      await assertStatus(await begin(scene, "made/on/a.txt", 1), 201);
      await assertStatus(await send(scene, "made/on/a.txt", 0, "a"), 204);
      for (const path of ["made", "made/on"]) {
        assert.equal((Deno.statSync(join(scene.folder, path)).mode ?? 0) & 0o500, 0o500, path);
      }
    },
  },
  {
    id: "R19",
    source: "JabRef/jabref-koppor#750, linuxmint/xed#619, neovim#11798",
    holds: "a file that is saved or replaced keeps its mode, its group and its attributes",
    tree: { "a.txt": "before" },
    async check(scene) {
      const { folder, call } = scene;
      const path = join(folder, "a.txt");
      Deno.chownSync(path, null, 4321);
      Deno.chmodSync(path, 0o640);
      using above = disk.folder(folder);
      const note = new TextEncoder().encode("a note");
      const attributes = () => {
        using file = above.file("a.txt", "read");
        return file.attributes().get("user.note");
      };
      const hasNote = attempt(() => {
        using file = above.file("a.txt", "write");
        file.setAttribute("user.note", note);
      });
      const ways: [string, () => Promise<Response>][] = [
        ["PUT", () => call("PUT", "/api/resources", "a.txt", { body: "1" })],
        ["POST", () => call("POST", "/api/resources", "a.txt?override=true", { body: "1" })],
        ["WebDAV", () => davClient(scene.app)("PUT", `${scene.path}/a.txt`, { body: "1" })],
        ["tus", async () => {
          await assertStatus(await begin(scene, "a.txt?override=true", 1), 201);
          return await send(scene, "a.txt?override=true", 0, "1");
        }],
      ];
      for (const [told, way] of ways) {
        Deno.writeTextFileSync(path, "before");
        assert.ok((await way()).ok, told);
        assert.equal(Deno.readTextFileSync(path), "1", told);
        const { gid, mode } = Deno.statSync(path);
        assert.deepEqual([gid, (mode ?? 0) & 0o777], [4321, 0o640], told);
        if (hasNote) assert.deepEqual(attributes(), note, told);
      }
    },
  },
  {
    id: "R20",
    source: "filebrowser#1464, nextcloud/server#51977",
    holds: "an upload for which there is no room is refused before its body",
    tree: { small: {} },
    async check(scene) {
      const { folder } = scene;
      await mount("-t", "tmpfs", "-o", "size=2m", "cubby-test", join(folder, "small"));
      try {
        // Nothing of the body is sent; a client waits for 100 Continue likewise.
        const body = new ReadableStream();
        const headers = { "content-length": "5000000000" };
        const answer = await scene.call("POST", "/api/resources", "small/large.bin", {
          headers,
          body,
        });
        await assertStatus(answer, 507);
        await assertStatus(await begin(scene, "small/large.bin", 5_000_000_000), 507);
        assert.deepEqual([...Deno.readDirSync(join(folder, "small"))], []);
      } finally {
        await new Deno.Command("umount", { args: [join(folder, "small")] }).output();
      }
    },
  },
  {
    id: "R21",
    source: "xpipe#848, elFinder#1370, rclone-manager#268",
    holds: "an upload keeps the time of its file, as far as the disk goes",
    tree: {},
    async check(scene) {
      const times = { "2017.txt": 1_500_000_000_123, "5138.txt": 99_999_999_999_000 };
      for (const [name, time] of Object.entries(times)) {
        const headers = { "upload-metadata": `lastModified ${btoa(`${time}`)}` };
        await assertStatus(await begin(scene, name, 1, headers), 201, name);
        await assertStatus(await send(scene, name, 0, "x"), 204, name);
      }
      assert.equal(timeOf(scene, "2017.txt"), 1_500_000_000_123);
      assert.ok((timeOf(scene, "5138.txt") ?? 0) > Date.parse("2038-01-01"));
    },
  },
  {
    id: "R22",
    source: "exa#550",
    holds: "files from before 1970 are uploaded with their times",
    tree: {},
    async check(scene) {
      const headers = { "upload-metadata": `lastModified ${btoa("-86400000")}` };
      await assertStatus(await begin(scene, "tus.txt", 1, headers), 201);
      await assertStatus(await send(scene, "tus.txt", 0, "x"), 204);
      const asked = "post.txt?modified=-86400000";
      await assertStatus(await scene.call("POST", "/api/resources", asked, { body: "x" }), 200);
      for (const name of ["tus.txt", "post.txt"]) assert.equal(timeOf(scene, name), -86_400_000);
    },
  },
  {
    id: "R23",
    source: "kd2org/picodav#6, nextcloud/server#7995",
    holds: "a body of unknown length arrives whole, also after 100 Continue",
    tree: {},
    async check(scene) {
      const parts = ["one ", "two ", "three"];
      const body = () => ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
      const made = await fetched(scene, "POST", "/api/resources", "a.txt", { body: body() });
      await assertStatus(made, 200);
      const saved = await fetched(scene, "PUT", "/api/resources", "a.txt", { body: body() });
      await assertStatus(saved, 200);
      const head = requestHead("PUT", `/api/resources${scene.path}/a.txt`, {
        "x-auth": scene.token,
        "transfer-encoding": "chunked",
        "expect": "100-continue",
        "connection": "close",
      });
      assert.equal(Deno.readTextFileSync(join(scene.folder, "a.txt")), parts.join(""));
      await sendRaw(scene.app.listen(), head, "4\r\nfour\r\n", "0\r\n\r\n");
      assert.equal(Deno.readTextFileSync(join(scene.folder, "a.txt")), "four");
    },
  },
];

const downloads: Report[] = [
  {
    id: "R24",
    source: "BitMiracle/Dormice#86, oven-sh/bun#33548",
    holds: "a range is sent only if the file is still what If-Range says",
    tree: { "a.txt": "0123456789" },
    async check(scene) {
      const whole = await scene.call("GET", "/api/raw", "a.txt");
      await whole.body?.cancel();
      const tag = whole.headers.get("etag") ?? "";
      const date = whole.headers.get("last-modified") ?? "";
      const cases: [string, number][] = [
        [tag, 206],
        [`W/${tag}`, 200],
        ['"other"', 200],
        [date, 206],
        ["Sun, 06 Nov 1994 08:49:37 GMT", 200],
        ["nonsense", 200],
      ];
      // A date stands for the file once a second has passed.
      Deno.utimeSync(join(scene.folder, "a.txt"), 1_600_000_000, 1_600_000_000);
      const now = await scene.call("HEAD", "/api/raw", "a.txt");
      const [first, ...others] = cases;
      assert.ok(first);
      const fresh: [string, number][] = [
        [now.headers.get("etag") ?? "", 206],
        [now.headers.get("last-modified") ?? "", 206],
        [tag, 200],
        ...others.filter(([value]) => value !== date),
      ];
      for (const [value, status] of fresh) {
        const headers = { range: "bytes=0-3", "if-range": value };
        assert.equal(
          await statusOf(scene.call("GET", "/api/raw", "a.txt", { headers })),
          status,
          value,
        );
      }
    },
  },
  {
    id: "R25",
    source: "CenterForOpenScience/waterbutler#411, misskey#12881",
    holds: "ranges are answered as players ask for them",
    tree: { "a.bin": "0123456789" },
    async check(scene) {
      const answers: Record<string, [number, string | null]> = {
        "bytes=0-1": [206, "bytes 0-1/10"],
        "bytes=0-": [206, "bytes 0-9/10"],
        "bytes=9-": [206, "bytes 9-9/10"],
        "bytes=-3": [206, "bytes 7-9/10"],
        "bytes=-99": [206, "bytes 0-9/10"],
        "bytes=2-99999999999999999999": [206, "bytes 2-9/10"],
        "bytes=10-": [416, "bytes */10"],
        "bytes=99999999999999999999-": [416, "bytes */10"],
        "bytes=-0": [416, "bytes */10"],
        "bytes=5-2": [200, null],
        "bytes=a-b": [200, null],
        "items=0-1": [200, null],
      };
      for (const [range, expected] of Object.entries(answers)) {
        const answer = await scene.call("GET", "/api/raw", "a.bin", { headers: { range } });
        await answer.body?.cancel();
        assert.deepEqual([answer.status, answer.headers.get("content-range")], expected, range);
      }
    },
  },
  {
    id: "R26",
    source: "onionshare#804",
    holds: "a resumed download is refused once the file is another",
    tree: { "a.txt": "0123456789" },
    async check(scene) {
      const { headers } = await scene.call("HEAD", "/api/raw", "a.txt");
      const conditions = {
        "range": "bytes=5-",
        "if-match": headers.get("etag") ?? "",
        "if-unmodified-since": headers.get("last-modified") ?? "",
      };
      const ask = () => statusOf(scene.call("GET", "/api/raw", "a.txt", { headers: conditions }));
      assert.equal(await ask(), 206);
      Deno.writeTextFileSync(join(scene.folder, "a.txt"), "9876543210+");
      assert.equal(await ask(), 412);
    },
  },
  {
    id: "R28",
    source: "minizip-ng#184, ZIPFoundation#197",
    holds: "a zip of over 65,535 entries is read by other programs",
    tree: { one: {}, two: {} },
    async check(scene) {
      for (const name of ["one", "two"]) plantNames(join(scene.folder, name), 33_000);
      const answer = await scene.call("GET", "/api/raw", "?algo=zip");
      const names = await namesInZip(await answer.bytes());
      assert.equal(names.filter((name) => !name.endsWith("/")).length, 66_000);
    },
  },
  {
    id: "R32",
    source: "RFC 9110, 8.6",
    holds: "HEAD has the length of GET, or none",
    tree: { "a.txt": "0123456789" },
    async check(scene) {
      const headers = { "accept-encoding": "identity" };
      for (
        const [api, name] of [["/api/resources", "a.txt"], ["/api/resources", "none"]] as const
      ) {
        const got = await fetched(scene, "GET", api, name, { headers });
        const { length } = await got.bytes();
        const head = await fetched(scene, "HEAD", api, name, { headers });
        assert.equal(head.status, got.status);
        assert.ok([null, `${length}`].includes(head.headers.get("content-length")), name);
      }
    },
  },
];

/** The time of change of a file of the folder, in milliseconds. */
function timeOf({ folder }: ReportScene, name: string): number | undefined {
  return Deno.statSync(join(folder, name)).mtime?.getTime();
}

/** Whether it can be done here. */
function attempt(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

await reportTests([...uploads, ...downloads], { webdav: true });
