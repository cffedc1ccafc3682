// With two threads, too: rooms that visitors reach from any thread, shares and rights that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import { Editor } from "../../support/clients/coediting.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOnce, keepActivity } from "../../support/server/audited.ts";

const app = await startApp({
  config: { trustedProxies: ["127.0.0.1"] },
  tree: { anna: { shared: {} } },
});
Deno.test.afterAll(app.close);
Deno.test.afterEach(async () => {
  await app.cubby.coediting.settle();
  await app.cubby.audit.flush();
});
const { url } = app.listen();
const anna = await app.addUser("anna", { scope: "/anna" });
const { settings, shares, users } = app.cubby;
let files = 0;

/** A new file in a share of its own. */
async function planted(json: object = { anyoneMay: "edit" }) {
  const name = `file${files++}.txt`;
  const address = `203.0.113.${files}`;
  await Deno.writeTextFile(join(app.root, "anna/shared", name), "text");
  const made = await app.call("POST", `/api/share/shared/${name}`, { token: anna.token, json });
  assert.equal(made.status, 200, await made.clone().text());
  const { hash } = await made.json();
  const content = () => Deno.readTextFile(join(app.root, "anna/shared", name));
  const visit = (visitor?: string, query: Record<string, string> = {}) =>
    new Editor({
      ...{ url, address: `public/coediting/${hash}` },
      query: { ...visitor !== undefined && { name: visitor }, ...query },
      headers: { "x-forwarded-for": address },
    });
  const path = join(app.root, "anna/shared", name);
  return { name, path, hash, address, content, visit };
}

Deno.test("visitors of a link to edit write together; a link to less follows", async () => {
  const { content, visit, name } = await planted();
  await using own = new Editor({ url, address: `coediting/shared/${name}`, token: anna.token });
  await using one = visit("Ada");
  await using two = visit("Bea");
  await Promise.all([own.synced(), one.synced(), two.synced()]);
  await one.until("all are in", () => one.present.length === 3);
  const names = one.present.map(({ name, guest, right }) => `${name} ${guest} ${right}`).sort();
  assert.deepEqual(names, ["Ada true edit", "Bea true edit", "anna undefined edit"]);
  one.point();
  two.point();
  one.type("1");
  await two.until("one's", () => two.text === "text1");
  two.type("2");
  one.type("3", 0);
  own.type("4");
  await own.until("all", () => own.text.length === 8);
  for (const each of [own, one, two]) await each.allKept();
  one.saveNow();
  await one.until("saved", () => one.saved?.by.includes("Ada (guest)") ?? false);
  assert.equal(await content(), own.text);

  for (const anyoneMay of ["view", "download", "upload"]) {
    const less = await planted({ anyoneMay });
    await using reader = less.visit("Eve");
    await reader.synced();
    assert.equal(reader.self?.right, "view", anyoneMay);
    reader.type("never");
    await reader.until("refused", () => reader.ended.some(({ code }) => code === "read_only"));
    assert.equal(await less.content(), "text");
  }
});

Deno.test("a visitor is never taken for a user, nor for another visitor", async () => {
  const { visit, hash } = await planted();
  const typed: [string | undefined, string][] = [
    ["anna", "anna"],
    ["\u202eanna\u2066 (admin)", "anna admin"],
    ["anna".repeat(100), "anna".repeat(10)],
    ["\u200b \u3164", ""],
    [undefined, ""],
  ];
  for (const [name, shown] of typed) {
    await using visitor = visit(name);
    await visitor.synced();
    assert.deepEqual([visitor.self?.name, visitor.self?.guest], [shown, true]);
  }
  const { token } = await app.addUser("guest of anna");
  await using user = new Editor({
    ...{ url, address: `public/coediting/${hash}`, token },
    query: { name: "Eve", guest: "true" },
  });
  await user.synced();
  assert.deepEqual([user.self?.name, user.self?.guest], ["guest of anna", undefined]);
  await using one = visit("Ada", { page: "first" });
  await using two = visit("Ada", { page: "second" });
  await Promise.all([one.synced(), two.synced()]);
  // What a page says of itself is not passed on, and it speaks for no other one.
  one.point({ user: { name: "anna", id: 1, guest: false } });
  one.type("1");
  await two.until("one's", () => two.text === "text1");
  await two.until("pointed", () => two.awareness.getStates().size > 0);
  const states = [...two.awareness.getStates().values()];
  const seen = states.flatMap(({ user }) => user === undefined ? [] : [user]);
  assert.deepEqual(seen.map(({ name, guest }) => [name, guest]), [["Ada", true]]);
  assert.equal((await shares.get(hash)).terms?.anyoneMay, "edit");
});

type Planted = Awaited<ReturnType<typeof planted>>;

Deno.test("what ends the right of a link ends it in a text that is open", async () => {
  const terms = (change: object) => ({ hash }: Planted) => shares.change(hash, { terms: change });
  const { user: { perm } } = anna;
  const endings: [told: string, end: (of: Planted) => Promise<unknown>, code: string][] = [
    ["a password", ({ hash }) => shares.change(hash, { password: "new one 77" }), "not_found"],
    ["view", terms({ anyoneMay: "view" }), "not_found"],
    ["download", terms({ anyoneMay: "download" }), "not_found"],
    ["view only", terms({ viewOnly: true }), "not_found"],
    ["closed", terms({ audience: { users: [], groups: [] } }), "not_found"],
    ["expired", ({ hash }) => shares.change(hash, { seconds: -10 }), "not_found"],
    ["ended", async ({ hash }) => await shares.remove(await shares.get(hash)), "not_found"],
    [
      "the owner may not share",
      () => users.update(anna.user.id, { perm: { ...perm, share: false } }),
      "forbidden",
    ],
  ];
  for (const [told, end, code] of endings) {
    const text = await planted();
    await using visitor = text.visit("Ada");
    await visitor.synced();
    visitor.type("!");
    await visitor.allKept();
    await end(text);
    visitor.type("never");
    assert.equal((await visitor.end())?.code, code, told);
    assert.ok(["text", "text!"].includes(await text.content()), told);
    await users.update(anna.user.id, { perm });
    anna.token = await app.tokenOf("anna");
    // What was acknowledged is saved by the next one who may.
    const address = `coediting/shared/${text.name}`;
    await using own = new Editor({ url, address, token: anna.token });
    await own.synced();
    own.saveNow();
    await own.until("saved", () => Deno.readTextFileSync(text.path) === "text!");
  }
});

Deno.test("an owner who may change no more lets visitors follow", async () => {
  const text = await planted();
  await using visitor = text.visit("Ada");
  await visitor.synced();
  const { user: { perm } } = anna;
  await users.update(anna.user.id, { perm: { ...perm, delete: false } });
  await visitor.until("follows", () => visitor.self?.right === "view");
  visitor.type("never");
  await visitor.until("refused", () => visitor.ended.some(({ code }) => code === "read_only"));
  assert.equal(await text.content(), "text");
  await users.update(anna.user.id, { perm });
  anna.token = await app.tokenOf("anna");
});

Deno.test("what the server lets links give ends in a text that is open, and comes back", async () => {
  const text = await planted();
  await using visitor = text.visit("Ada");
  await visitor.synced();
  visitor.type("!");
  await visitor.allKept();
  const before = await settings.get();
  await settings.update({ ...before, maxLinkRight: "download" });
  await visitor.until("follows", () => visitor.self?.right === "view");
  visitor.type("never");
  await visitor.until("refused", () => visitor.ended.some(({ code }) => code === "read_only"));
  await using late = text.visit("Bea");
  await late.synced();
  assert.deepEqual([late.self?.right, late.text], ["view", "text!"]);
  await settings.update(before);
  await late.until("edits", () => late.self?.right === "edit");
  late.type("?");
  await late.allKept();
  late.saveNow();
  await late.until("saved", () => late.saved?.by.includes("Bea (guest)") ?? false);
  assert.match(await text.content(), /^text!.*\?/);
});

Deno.test("the log names the visitor whose text was saved, without an id", async () => {
  await keepActivity(app, "changes");
  const text = await planted();
  await using visitor = text.visit("admin");
  await visitor.synced();
  visitor.type("!");
  await visitor.allKept();
  visitor.saveNow();
  await visitor.until("saved", () => (visitor.saved?.by.length ?? 0) > 0);
  const saves = (all: AuditRecord[]) =>
    all.filter(({ action, subject }) => action === "save" && subject === text.hash);
  const [save] = saves(await activitiesOnce(app, (all) => saves(all).length > 0));
  assert.deepEqual([save?.user, save?.userId], ["admin (guest)", null]);
  assert.equal(save?.address, text.address);
});
