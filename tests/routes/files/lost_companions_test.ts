/** Files of macOS whose entries are gone, and what counts of those beside others. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  appleDouble,
  blankFork,
  finderInfo,
  resourceFork,
} from "../../support/data/apple_double.ts";
import { quarters } from "../../support/data/pictures.ts";
import { basic } from "../../support/clients/dav.ts";
import { plant } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { contentsOf } from "../../support/server/contents.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { delay } from "../../../lib/shared/delay.ts";

const facts = { kind: finderInfo, bytes: new TextEncoder().encode("tags and dates: blue sea") };
const notes = new Uint8Array([0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31, 0, 0]);
const photo = new Uint8Array(await quarters(30, 20).jpeg().toBuffer());
const ofPhoto = appleDouble([facts, blankFork]);
const all = {
  "sea.jpg": photo,
  "._sea.jpg": ofPhoto,
  "._gone.jpg": ofPhoto,
  "._Photos": appleDouble(),
  ".DS_Store": notes,
  docs: { "note.txt": "blue sea", "._note.txt": ofPhoto, "._gone.txt": ofPhoto },
  // Somebody's own, by its content.
  "._own.txt": "my blue sea",
};
const app = await startApp({ config: { webdav: true }, tree: { all, lost: {} } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const get = async (path: string) => {
  const answer = await app.call("GET", `/api${path}`, { token });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text}`);
  return JSON.parse(text);
};
const namesIn = async (path: string) =>
  (await get(`/resources${path}`)).items.map(({ name }: { name: string }) => name).sort();

Deno.test("a companion without its file is not shown, if it holds but facts about that", async () => {
  const fork = { kind: resourceFork, bytes: new TextEncoder().encode("a font of 1994") };
  const whole = appleDouble();
  const beyond = appleDouble();
  new DataView(beyond.buffer).setUint32(26 + 8, 10_000);
  const none = appleDouble([]);
  const many = appleDouble([facts]);
  new DataView(many.buffer).setUint16(24, 60_000);
  const huge = appleDouble([{ kind: finderInfo, bytes: new Uint8Array(1024 * 1024) }]);
  await plant(join(app.root, "lost"), {
    "._a.txt": whole,
    "._b": appleDouble([facts]),
    "._c": appleDouble([facts, { kind: resourceFork, bytes: new Uint8Array() }]),
    "._fork": appleDouble([facts, fork]),
    "._text": "my own notes",
    "._start": whole.slice(0, 20),
    "._cut": whole.slice(0, 60),
    ...{ "._beyond": beyond, "._none": none, "._many": many, "._huge": huge, "._empty": "" },
    "._folder": { "in.txt": "in" },
    "a.dat": whole,
  });
  const shown = [
    ...["_beyond", "_cut", "_empty", "_folder", "_fork", "_huge", "_many", "_none", "_start"],
    "_text",
  ].map((name) => `.${name}`);
  assert.deepEqual(await namesIn("/lost"), [...shown, "a.dat"].sort());
  const dav = await app.call("PROPFIND", "/dav/lost/", {
    headers: { authorization: basic("admin", app.admin.password), depth: "1" },
  });
  assert.match(await dav.text(), /\/\._a\.txt</, "programs see all of them");
  await assertStatus(await app.call("DELETE", "/api/resources/lost", { token }), 200);
  await assert.rejects(Deno.stat(join(app.root, "lost")), "they go with their folder");
});

Deno.test("searches, sizes, archives and both indexes leave out what listings do", async () => {
  const visible = ["._own.txt", "docs", "sea.jpg"];
  assert.deepEqual(await namesIn("/all"), visible);
  assert.deepEqual(await namesIn("/all/docs"), ["note.txt"]);
  for (const query of ["_", "sea", "gone", "DS_Store", "note"]) {
    for (const { path } of await get(`/search/all/?query=${query}`)) {
      assert.doesNotMatch(path, /\._(?!own)|DS_Store/, query);
    }
  }
  const bytes = photo.length + "blue sea".length + "my blue sea".length;
  const { bytes: size, files, folders } = await get("/size/all");
  assert.deepEqual([size, files, folders], [bytes, 3, 1]);
  const sizes = await app.call("POST", "/api/sizes/all", { token, json: {} });
  const line = JSON.parse((await sizes.text()).trim().split("\n").at(-1) ?? "");
  assert.deepEqual([line.name, line.bytes], ["docs", "blue sea".length]);
  const archive = await app.call("GET", "/api/raw/all/?format=tar", { token });
  const text = new TextDecoder("latin1").decode(await archive.bytes());
  assert.match(text, /note\.txt/);
  assert.match(text, /\._own\.txt/);
  assert.doesNotMatch(text, /\._(?:note|gone|sea|Photos)|DS_Store/);
});

Deno.test("the timeline has the photo, and neither its companion nor one whose photo is gone", async () => {
  for (;;) {
    const { items, unread, total } = await get("/timeline?limit=50");
    if (total > 0 && unread === 0) {
      assert.deepEqual(items.map(({ path }: { path: string }) => path), ["/all/sea.jpg"]);
      return;
    }
    await delay(20);
  }
});

Deno.test("content search finds no facts of companions, but what somebody has written", async () => {
  const contents = contentsOf(app, token);
  await contents.switchOn();
  assert.deepEqual(await contents.paths("/all?query=content:blue"), ["._own.txt", "docs/note.txt"]);
  assert.deepEqual(await contents.paths("/all?query=content:tags"), []);
  for (const [name, body] of [["._late.txt", ofPhoto], ["late.txt", "late sea"]] as const) {
    await assertStatus(await app.call("POST", `/api/resources/late/${name}`, { token, body }), 200);
  }
  await contents.finds("/late?query=content:sea", ["late.txt"]);
});
