/** How documents are opened in an office server: by whom, at which address, and while it is away. */
import assert from "node:assert/strict";
import { editorsOf, startOfficeServer } from "../../support/office/office_server.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const office = await startOfficeServer();
const app = await startApp({
  config: { office: { url: office.url, publicUrl: "https://office.example/any/path" } },
  tree: { docs: { "letter.odt": "a letter", "plan.docx": "a plan", "picture.png": "no document" } },
});
Deno.test.afterAll(async () => {
  await app.close();
  await office[Symbol.asyncDispose]();
});
const { token, user } = await app.addUser("ada");
const { open } = editorsOf(app, office);

Deno.test("opening refuses what has no editor, and whoever may not read", async () => {
  const openAs = (path: string, token?: string) =>
    app.call("POST", `/api/office${path}`, { token });
  await assertRefused(await openAs("/docs/letter.odt"), 401, "not_signed_in");
  await assertRefused(await openAs("/docs/none.odt", token), 404, "not_found");
  await assertRefused(await openAs("/docs", token), 409, "is_folder");
  await assertRefused(await openAs("/docs/picture.png", token), 501, "not_supported");
  await assertRefused(await openAs("/docs/letter.odt?right=own", token), 400, "invalid_option");
  const blind = await app.addUser("blind", { perm: { download: false } });
  await assertRefused(await openAs("/docs/letter.odt", blind.token), 403, "forbidden");
  const { secret } = await app.cubby.apiTokens.create(
    user.id,
    { name: "x", write: true, share: true, expires: null },
    null,
  );
  await assertRefused(await openAs("/docs/letter.odt", secret), 403, "forbidden");
});

Deno.test("the editor's address is at the named one for browsers, with its placeholders filled", async () => {
  const answer = await app.call("POST", "/api/office/docs/letter.odt?language=pt-BR", { token });
  const { address, expires, right } = await answer.json();
  const url = new URL(address);
  assert.equal(url.origin + url.pathname, "https://office.example/any/path/editor/odt");
  assert.equal(url.searchParams.get("ui"), "pt-BR");
  assert.equal(url.searchParams.get("hid"), null);
  assert.match(url.searchParams.get("WOPISrc") ?? "", /^http:\/\/cubby.test\/wopi\/files\/[\w-]+$/);
  assert.equal(right, "edit");
  assert.ok(expires > Date.now() + 3_600_000);
});

Deno.test("everyone who opens a file gets the same id, which tells nothing of it", async () => {
  const eve = await app.addUser("eve", { scope: "/docs" });
  const [one, two, other] = await Promise.all([
    open("/docs/letter.odt", token),
    open("/letter.odt", eve.token),
    open("/docs/plan.docx", token),
  ]);
  assert.equal(one.path, two.path);
  assert.notEqual(one.path, other.path);
  assert.doesNotMatch(one.path, /letter/);
});

Deno.test("an office server that is away is told so, and one that came back is used", async () => {
  await using away = await startOfficeServer();
  await using lone = await startApp({
    config: { office: { url: away.url, publicUrl: away.url, hostUrl: "http://cubby:8080" } },
    tree: { "a.odt": "a" },
    inProcess: true,
  });
  const token = await lone.tokenOf("admin");
  const opens = () => lone.call("POST", "/api/office/a.odt", { token });
  const replies: [() => Response, RegExp][] = [
    [() => new Response("x", { status: 503 }), /status 503/],
    [() => Response.redirect("http://127.0.0.1:9/"), /name the address that it redirects to/],
    [() => new Response("<a/>"), /^Office server: .*expected the element "wopi-discovery"/],
    [() => new Response("no xml"), /not well-formed/],
    [() => new Response("x".repeat(3_000_000)), /too long/],
    [() => new Response('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /document type/],
  ];
  let later = 0;
  for (const [reply, told] of replies) {
    away.answer(reply);
    await lone.later(later += 31_000, async () => {
      const message = await assertRefused(await opens(), 503, "busy");
      assert.match(
        message,
        /^Cannot open documents in an editor: the office server does not answer/,
      );
      assert.match(lone.log.lines.at(-1) ?? "", told, "the log alone tells why");
      const asked = away.asked();
      await assertRefused(await opens(), 503, "busy", "it is not asked again at once");
      assert.equal(away.asked(), asked);
    });
  }
  away.answer(null);
  await lone.later(later + 31_000, async () => {
    const { address } = await (await opens()).json();
    const source = new URL(address).searchParams.get("WOPISrc") ?? "";
    assert.match(source, /^http:\/\/cubby:8080\/wopi\/files\//);
  });
});

Deno.test("without an office server there is no such address", async () => {
  await using none = await startApp({ tree: { "a.odt": "a" }, inProcess: true });
  const token = await none.tokenOf("admin");
  const refused = await none.call("POST", "/api/office/a.odt", { token });
  assert.match(await assertRefused(refused, 501, "not_supported"), /--office-url/);
  await assertStatus(await none.call("GET", "/wopi/files/x?access_token=y"), 404);
});

Deno.test("a document of a link with a password is renewed for as long as it is open", async () => {
  const json = { password: "open sesame 1", anyoneMay: "edit" };
  const made = await app.call("POST", "/api/share/docs", { token, json });
  const { hash } = await made.json();
  const at = `/api/public/office/${hash}/plan.docx`;
  const headers = { "x-share-password": encodeURIComponent("open sesame 1") };
  const first = await (await app.call("POST", at, { headers })).json();
  const renew = (known: string) => app.call("POST", `${at}?token=${known}`);
  const hour = 60 * 60_000;
  let second = "";
  await app.later(1.5 * hour, async () => {
    second = (await (await renew(first.shareToken)).json()).shareToken;
  });
  await app.later(3 * hour, async () => {
    await assertStatus(await renew(first.shareToken), 401, "over");
    await assertStatus(await renew(second), 200, "fresh");
  });
  const open = await app.call("POST", "/api/share/docs", { token, json: { anyoneMay: "edit" } });
  const { hash: plain } = await open.json();
  const opened = await app.call("POST", `/api/public/office/${plain}/plan.docx`);
  assert.equal((await opened.json()).shareToken, undefined);
});
