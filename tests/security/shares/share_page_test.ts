import assert from "node:assert/strict";
import { join } from "node:path";
import { readMarkup } from "../../support/data/markup.ts";
import { withoutWords } from "../../support/data/page_data.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({
  islands: true,
  tree: {
    home: {
      private: {
        album: {
          "a.txt": "A",
          "b.md": "# B",
          "c-secret.txt": "C",
          ".d-hidden.txt": "D",
          "f.txt": "F",
          deep: { "one.txt": "1" },
        },
        "beside.txt": "BESIDE",
      },
    },
  },
});
Deno.test.afterAll(app.close);
const owner = await app.addUser("olga-owner", {
  scope: "/home",
  rules: [deny("/private/album/c-secret.txt")],
  hideDotfiles: true,
});

async function share(path: string, json: object = {}): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token: owner.token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

async function open(path: string, headers: Record<string, string> = {}) {
  const answer = await app.call("GET", `/share/${path}`, { headers });
  return { status: answer.status, html: withoutWords(await answer.text()) };
}

/** What the steps of a page lead to. */
function stepsOf(html: string): Record<string, string | undefined> {
  const links = html.match(/<a [^>]*data-step="[^"]*"[^>]*>/g) ?? [];
  return Object.fromEntries(links.map((link) => [
    /data-step="([^"]*)"/.exec(link)?.[1],
    /href="([^"]*)"/.exec(link)?.[1],
  ]));
}

async function hideOwner(hideShareOwner: boolean): Promise<void> {
  await app.cubby.settings.update({ ...await app.cubby.settings.get(), hideShareOwner });
}

Deno.test("share page: nobody is named before the password, nor by a link that is dead", async () => {
  const hash = await share("/private/album", { password: "open sesame", expires: 3 });
  const dead = { ...await app.cubby.shares.get(hash), hash: "A".repeat(22), expire: 1 };
  await app.cubby.store.atomic((operation) => operation.set(["shares", dead.hash], dead));
  const closed = [[hash, 401], [`${hash}/a.txt`, 401], [`${hash}/none`, 401], [dead.hash, 404]];
  for (const [path, status] of closed) {
    const { status: answered, html } = await open(String(path));
    assert.equal(answered, status, String(path));
    assert.doesNotMatch(html, /olga|private|album|Available until|Shared by/, String(path));
  }
  const lost = await share("/private/album");
  const perm = { ...owner.user.perm, share: false };
  await app.cubby.users.update(owner.user.id, { perm });
  for (const path of [lost, `${lost}/a.txt`]) {
    const { status, html } = await open(path);
    assert.equal(status, 403, path);
    assert.doesNotMatch(html, /olga|private|Shared by/, path);
  }
});

Deno.test("share page: it tells the owner's name alone, and not even that if the settings say so", async () => {
  const token = (await app.addUser("sharer", { scope: "/home" })).token;
  const answer = await app.call("POST", "/api/share/private/album", { token, json: {} });
  const { hash } = await answer.json();
  for (const path of [hash, `${hash}/a.txt`, `${hash}/b.md`]) {
    const { html } = await open(path);
    assert.match(html, /Shared by sharer/, path);
    assert.doesNotMatch(html, /private|\/home|beside/, path);
  }
  await hideOwner(true);
  for (const path of [hash, `${hash}/a.txt`, `${hash}/b.md`]) {
    assert.doesNotMatch((await open(path)).html, /sharer|Shared by/, path);
  }
  await hideOwner(false);
});

Deno.test("share page: the steps between files pass over what is denied, hidden or leads out", async () => {
  const album = join(app.root, "home/private/album");
  Deno.symlinkSync("../beside.txt", join(album, "e-out.txt"));
  const { token } = await app.addUser("stepper", {
    scope: "/home",
    rules: [deny("/private/album/c-secret.txt")],
    hideDotfiles: true,
  });
  const answer = await app.call("POST", "/api/share/private/album", { token, json: {} });
  const { hash } = await answer.json();
  const { html } = await open(`${hash}/b.md`);
  assert.deepEqual(stepsOf(html), {
    prev: `/share/${hash}/a.txt`,
    next: `/share/${hash}/f.txt`,
    up: `/share/${hash}/`,
  });
  const last = stepsOf((await open(`${hash}/f.txt`)).html);
  assert.deepEqual([last.prev, last.next], [`/share/${hash}/b.md`, undefined]);
  for (const name of ["c-secret.txt", ".d-hidden.txt", "e-out.txt"]) {
    const refused = await open(`${hash}/${encodeURIComponent(name)}`);
    assert.equal(refused.status, 403, name);
    assert.deepEqual(stepsOf(refused.html), {}, name);
  }
  const only = await app.call("POST", "/api/share/private/album/a.txt", { token, json: {} });
  const single = await open((await only.json()).hash);
  assert.deepEqual(stepsOf(single.html), {}, "a file that is shared alone has no neighbours");
  Deno.removeSync(join(album, "e-out.txt"));
});

Deno.test("share page: a document's text is no markup, and its islands hold nothing of the owner", async () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`;
  Deno.writeTextFileSync(join(app.root, "home/private/album/evil.md"), evil);
  const { token } = await app.addUser("writer", { scope: "/home" });
  const answer = await app.call("POST", "/api/share/private/album", { token, json: {} });
  const { hash } = await answer.json();
  const { status, html } = await open(`${hash}/evil.md`);
  assert.equal(status, 200);
  const { attributes, scripts } = readMarkup(html);
  assert.ok(!attributes.has("onerror"), "an image of the document became an element");
  assert.ok(!scripts.some((text) => text.startsWith("alert")), "a script of the document runs");
  assert.doesNotMatch(html, /private|\/home/);
  Deno.removeSync(join(app.root, "home/private/album/evil.md"));
});
