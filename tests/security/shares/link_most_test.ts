// With two threads, too: the setting, which each thread reads, and what is open by then.
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  lesserRight,
  type RecipientRight,
  recipientRights,
} from "../../../lib/shared/schemas/choices/choices.ts";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { sharedHomes } from "../../support/server/shared_homes.ts";

const office = await startOfficeServer();
const app = await startApp({ config: { office: { url: office.url, publicUrl: office.url } } });
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
Deno.test.afterEach(() => allow("edit"));
const { person, owner, shareOf } = sharedHomes(app);
const { open } = editorsOf(app, office);

async function allow(maxLinkRight: RecipientRight): Promise<void> {
  const { settings } = app.cubby;
  await settings.update({ ...await settings.get(), maxLinkRight });
}

const uploadHeaders = {
  "upload-length": "3",
  "upload-metadata": `filename ${btoa("up.txt")}`,
  "content-type": "application/offset+octet-stream",
};

/** The right that the answers to calls of each kind show. */
async function rightBy(hash: string, options: CallOptions = {}): Promise<RecipientRight | null> {
  const calls: [RecipientRight, method: string, path: string, more?: CallOptions][] = [
    ["view", "GET", `share/${hash}`],
    ["download", "GET", `dl/${hash}/a.txt`],
    ["upload", "POST", `tus/${hash}`, { headers: uploadHeaders }],
    ["edit", "PUT", `share/${hash}/a.txt`, { body: "changed" }],
    ["edit", "POST", `share/${hash}/made/`],
    ["edit", "PATCH", `share/${hash}/a.txt?action=rename&destination=/b.txt`],
    ["edit", "DELETE", `share/${hash}/b.txt`],
  ];
  const allowed = new Map<RecipientRight, boolean>();
  for (const [right, method, path, more] of calls) {
    const headers = { ...options.headers, ...more?.headers };
    const answer = await app.call(method, `/api/public/${path}`, { ...options, ...more, headers });
    await answer.body?.cancel();
    const { status } = answer;
    // What follows a refused rename finds nothing.
    assert.ok([200, 201, 204, 403, 404].includes(status), `${method} ${path} ${status}`);
    const isDone = status < 300;
    assert.equal(allowed.get(right) ?? isDone, isDone, `all of "${right}": ${method} ${path}`);
    allowed.set(right, isDone);
  }
  return recipientRights.findLast((right) => allowed.get(right)) ?? null;
}

/** A shared folder of an owner of its own, with a file and a document. */
async function shared(terms: object) {
  const anna = await owner();
  const docs = join(anna.home, "docs");
  await Deno.writeTextFile(join(docs, "a.odt"), "ours");
  const restore = () => Deno.writeTextFile(join(docs, "a.txt"), "kept");
  const content = (name: string) => Deno.readTextFile(join(docs, name));
  return { anna, docs, restore, content, hash: await shareOf(anna.token, terms) };
}

Deno.test("no link that exists gives more than the server's most, by which way ever, and all comes back", async () => {
  const stranger = await person();
  for (const anyoneMay of recipientRights) {
    const { hash, restore } = await shared({ anyoneMay });
    for (const most of recipientRights.toReversed()) {
      await allow(most);
      for (const token of [undefined, stranger.token]) {
        await restore();
        const options = token === undefined ? {} : { token };
        assert.equal(await rightBy(hash, options), lesserRight(anyoneMay, most), most);
      }
    }
    await allow("edit");
    await restore();
    assert.equal(await rightBy(hash), anyoneMay, "it comes back");
  }
});

Deno.test("who is named in a share keeps the right, and gets no more by the link", async () => {
  const [bob, cleo] = [await person(), await person()];
  const audience = [{ name: bob.name, may: "edit" }, { name: cleo.name, may: "view" }];
  const { anna, hash, restore } = await shared({ audience, anyone: true, anyoneMay: "edit" });
  await allow("download");
  assert.equal(await rightBy(hash, { token: bob.token }), "edit");
  await restore();
  assert.equal(await rightBy(hash, { token: cleo.token }), "download");
  assert.equal(await rightBy(hash), "download");
  await allow("view");
  assert.equal(await rightBy(hash), "view");
  assert.equal(await rightBy(hash, { token: anna.token }), "download", "of the owner");
});

Deno.test("no link is made to give more, by nobody; what gives it is kept, and closes further", async () => {
  const { anna, hash } = await shared({ anyoneMay: "edit" });
  const boss = await owner({ perm: { admin: true } });
  const named = [{ name: (await person()).name, may: "edit" }];
  await allow("download");
  for (const { token } of [anna, boss]) {
    for (const anyoneMay of ["upload", "edit"]) {
      for (const more of [{}, { audience: named, anyone: true }, { password: "open sesame 1" }]) {
        const json = { ...more, anyoneMay };
        const answer = await app.call("POST", "/api/share/docs", { token, json });
        assert.match(
          await assertRefused(answer, 403, "forbidden"),
          /^Cannot give anyone with the link .*: this server allows "download" at most$/,
        );
      }
    }
    const less = await shareOf(token, { anyoneMay: "view" });
    const change = (json: object, of = less) =>
      app.call("PATCH", `/api/share/${of}`, { token, json });
    await assertRefused(await change({ anyoneMay: "edit" }), 403, "forbidden");
    await assertStatus(await change({ anyoneMay: "download" }), 200);
    const closed = await shareOf(token, { audience: named });
    await assertRefused(
      await change({ anyone: true, anyoneMay: "upload" }, closed),
      403,
      "forbidden",
    );
    await assertStatus(
      await change({ audience: named, anyoneMay: "edit" }, closed),
      200,
      "unopened",
    );
  }
  const shares = await app.call("GET", "/api/share/docs", { token: anna.token });
  const all: { anyoneMay?: string; anyone?: true; audience?: unknown }[] = await shares.json();
  assert.equal(all.filter(({ anyoneMay }) => anyoneMay === "edit").length, 1, "the first one");
  const change = (json: object) =>
    app.call("PATCH", `/api/share/${hash}`, { token: anna.token, json });
  const kept = await change({ notify: true });
  assert.equal((await kept.json()).anyoneMay, "edit");
  assert.equal(await rightBy(hash), "download");
  await assertStatus(await change({ anyoneMay: "upload" }), 200, "that is less");
  await assertRefused(await change({ anyoneMay: "edit" }), 403, "forbidden");
});

Deno.test("a document that a visitor has open is not saved any more, until it is allowed again", async () => {
  const { hash, content } = await shared({ anyoneMay: "edit" });
  const editor = await open(`${hash}/a.odt?name=Ada`, undefined, "/api/public/office/");
  await assertStatus(await editor.operate("LOCK", { lock: "L" }), 200);
  for (const most of ["upload", "download", "view"] as const) {
    await allow(most);
    const info = await (await editor.info()).json();
    assert.deepEqual([info.UserCanWrite, info.DisableExport], [false, most === "view"]);
    const answers = [
      await editor.save("attack", { lock: "L" }),
      await editor.operate("LOCK", { lock: "L" }),
      await editor.operate("REFRESH_LOCK", { lock: "L" }),
      await editor.operate("RENAME_FILE", { lock: "L", headers: { "x-wopi-requestedname": "x" } }),
    ];
    for (const answer of answers) await assertStatus(answer, 404, most);
    assert.equal(await content("a.odt"), "ours");
    const late = await open(`${hash}/a.odt`, undefined, "/api/public/office/");
    assert.equal(late.right, "view");
  }
  await allow("edit");
  await assertStatus(await editor.save("allowed again", { lock: "L" }), 200);
  assert.equal(await content("a.odt"), "allowed again");
});

Deno.test("an upload that a visitor has begun does not end in the folder", async () => {
  const { hash, docs } = await shared({ anyoneMay: "upload" });
  const begun = await app.call("POST", `/api/public/tus/${hash}`, { headers: uploadHeaders });
  await assertStatus(begun, 201);
  const at = begun.headers.get("location") ?? "";
  const append = () =>
    app.call("PATCH", at, {
      headers: { "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      body: "abc",
    });
  await allow("download");
  await assertRefused(await append(), 403, "forbidden");
  assert.deepEqual([...Deno.readDirSync(docs)].filter(({ name }) => name === "up.txt"), []);
  await allow("upload");
  await assertStatus(await append(), 204);
  assert.equal(await Deno.readTextFile(join(docs, "up.txt")), "abc");
});
