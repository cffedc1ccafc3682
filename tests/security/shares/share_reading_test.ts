// With two threads, too: shares that end, limits that are counted.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { quarters } from "../../support/data/pictures.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { sharedHomes } from "../../support/server/shared_homes.ts";

const photo = await quarters(300, 200).jpeg().toBuffer();
const zip = zipOf([{ name: "in.txt", content: "inside" }, { name: "deep/b.txt", content: "b" }]);
const srt = "1\n00:00:01,000 --> 00:00:02,000\nThe sea!\n";
const folder = { "a.zip": zip, "a.srt": srt, "a.txt": "the text", "a.jpg": photo };
const app = await startApp({
  config: { trustedProxies: ["127.0.0.1"] },
  tree: {
    home: { album: { ...folder, deep: folder, secret: folder, ".hidden": folder }, album2: folder },
    far: folder,
  },
});
Deno.test.afterAll(app.close);

const { shareOf, assertEnds } = sharedHomes(app);

/** Every call by which a visitor reads in a folder, whose path begins with the hash. */
const readings = (folder: string) => [
  `/api/public/archive/${folder}/a.zip`,
  `/api/public/archive/${folder}/a.zip?entry=/in.txt`,
  `/api/public/subtitle/${folder}/a.srt`,
  `/api/public/ratios/${folder}?read=true`,
  `/api/public/share/${folder}/a.txt?content=true`,
];

const within = (address: string, query: string) =>
  `${address}${address.includes("?") ? "&" : "?"}${query}`;

async function assertAllRefused(folder: string, status: number, code: ErrorCode, query = "") {
  for (const address of readings(folder)) {
    const asked = query === "" ? address : within(address, query);
    await assertRefused(await app.call("GET", asked), status, code, asked);
  }
}

async function assertAllOpen(folder: string, headers: Record<string, string> = {}) {
  for (const address of readings(folder)) {
    await assertStatus(await app.call("GET", address, { headers }), 200, address);
  }
}

Deno.test("share: nothing is read in place before the password, nor by another share's token", async () => {
  const { token } = await app.addUser("pw", { scope: "/home" });
  const hash = await shareOf(token, { password: "open sesame" }, "/album");
  const other = await shareOf(token, { password: "open sesame" }, "/album");
  const headers = { "x-share-password": "open%20sesame" };
  const proofOf = async (of: string) =>
    (await (await app.call("GET", `/api/public/share/${of}`, { headers })).json()).token;
  for (const at of [hash, `${hash}/deep`, `${hash}/none`]) {
    await assertAllRefused(at, 401, "password_required");
    for (const forged of ["x", token, await proofOf(other)]) {
      await assertAllRefused(at, 401, "password_required", `token=${forged}`);
    }
  }
  for (const address of readings(hash)) {
    // From elsewhere, so that the right password is not throttled.
    const wrong = { "x-share-password": "wrong", "x-forwarded-for": "192.0.2.77" };
    const answer = await app.call("GET", address, { headers: wrong });
    await assertRefused(answer, 401, "password_required", address);
    const asked = within(address, `token=${await proofOf(hash)}`);
    await assertStatus(await app.call("GET", asked), 200, asked);
  }
  await assertAllOpen(`${hash}/deep`, headers);
});

Deno.test("share: nothing is read in place once the share or its owner's right ends", async () => {
  const { user, token } = await app.addUser("ending", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album");
  await assertAllOpen(hash);
  await assertEnds({ user, hash }, assertAllRefused);
});

Deno.test("share: nothing is read in place that is denied or hidden, or lies beside what is shared", async () => {
  const { token } = await app.addUser("ruled", {
    scope: "/home",
    rules: [deny("/album/secret")],
    hideDotfiles: true,
  });
  const hash = await shareOf(token, {}, "/album");
  for (const name of ["secret", ".hidden"]) {
    await assertAllRefused(`${hash}/${name}`, 403, "forbidden");
  }
  for (const name of ["..%2falbum2", "%2e%2e%2falbum2", "%00"]) {
    await assertAllRefused(`${hash}/${name}`, 400, "invalid_path");
  }
  await assertAllRefused(`${hash}2`, 404, "not_found");
  await assertAllRefused(`${hash}/../album2`, 404, "not_found");
  await assertAllOpen(`${hash}/deep`);
});

Deno.test("share: no link is followed out of what is shared", async () => {
  const album = join(app.root, "home/album");
  const links = { beside: "../album2", out: "../../far", up: ".." };
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, join(album, name));
  const { token } = await app.addUser("linked", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album");
  for (const at of ["beside", "out", "up/album2"]) {
    await assertAllRefused(`${hash}/${at}`, 403, "forbidden");
  }
  for (const name of Object.keys(links)) Deno.removeSync(join(album, name));
});

Deno.test("share: a request for files lets nobody read, whatever the call", async () => {
  const { token } = await app.addUser("asking", { scope: "/home" });
  const answer = await app.call("POST", "/api/request/album", { token, json: {} });
  const { hash } = await answer.json();
  await assertAllRefused(hash, 404, "not_found");
});

Deno.test("share: where downloads are counted no text, archive or subtitle is read past the count", async () => {
  const { token } = await app.addUser("limiting", { scope: "/home" });
  const hash = await shareOf(token, { downloadLimit: 1 }, "/album");
  const [list = "", entry = "", subtitle = "", ratios = "", text = ""] = readings(hash);
  for (const address of [list, entry, subtitle]) {
    await assertRefused(await app.call("GET", address), 403, "forbidden", address);
  }
  await assertStatus(await app.call("GET", ratios), 200);
  const told = await (await app.call("GET", text)).json();
  assert.deepEqual([told.name, told.content, told.encoding], ["a.txt", undefined, undefined]);
  await assertStatus(await app.call("GET", `/api/public/dl/${hash}/a.txt`), 200);
  await assertAllRefused(hash, 404, "not_found");
});

Deno.test("share: one that only shows files shows texts and subtitles, and opens no archive", async () => {
  const { token } = await app.addUser("showing", { scope: "/home" });
  const hash = await shareOf(token, { viewOnly: true }, "/album");
  const [list = "", entry = "", subtitle = "", ratios = "", text = ""] = readings(hash);
  for (const address of [list, entry]) {
    await assertRefused(await app.call("GET", address), 403, "forbidden", address);
  }
  for (const address of [subtitle, ratios]) {
    await assertStatus(await app.call("GET", address), 200, address);
  }
  assert.equal((await (await app.call("GET", text)).json()).content, "the text");
});

Deno.test("share: what is read in place is what users get, with paths in the share", async () => {
  const { token } = await app.addUser("plain", { scope: "/home" });
  const hash = await shareOf(token, {}, "/album/deep");
  const [list = "", entry = "", subtitle = "", ratios = "", text = ""] = readings(hash);
  const folder = await (await app.call("GET", list)).json();
  assert.deepEqual(folder.items.map(({ path }: { path: string }) => path), ["/deep", "/in.txt"]);
  assert.equal(await (await app.call("GET", entry)).text(), "inside");
  assert.match(await (await app.call("GET", subtitle)).text(), /^WEBVTT[^]*The sea!/);
  assert.deepEqual(await (await app.call("GET", ratios)).json(), {
    ratios: [150, 100, 100, 100],
    unread: 0,
  });
  const { path, content } = await (await app.call("GET", text)).json();
  assert.deepEqual([path, content], ["/a.txt", "the text"]);
  const plain = await (await app.call("GET", text.replace("?content=true", ""))).json();
  assert.equal(plain.content, undefined, "only where it is asked for");
  const asCode = { headers: { "sec-fetch-dest": "script" } };
  await assertRefused(await app.call("GET", entry, asCode), 403, "forbidden");
  const months = await app.call(
    "GET",
    `/api/public/share/${hash}?sort=taken&groupBy=month&limit=1`,
  );
  const { groups, items } = await months.json();
  assert.equal(groups.length, 1);
  assert.equal(items.length, 1);
  const single = await shareOf(token, {}, "/album/a.zip");
  for (const sub of ["", "/a.zip"]) {
    const answer = await app.call("GET", `/api/public/archive/${single}${sub}?entry=/in.txt`);
    assert.equal(await answer.text(), "inside");
  }
});
