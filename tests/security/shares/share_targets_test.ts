// With two threads, too: what shares point to, which changes.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ShareInfo } from "../../../lib/shared/schemas/share.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    home: { album: { "sea.jpg": "sea" }, album2: { "other.txt": "OTHER" }, "own.txt": "MINE" },
    other: { "secret.txt": "SECRET", deep: { "more.txt": "MORE" } },
  },
});
Deno.test.afterAll(app.close);
const home = join(app.root, "home");
const { token } = await app.addUser("bea", { scope: "/home" });

const link = (target: string, name: string) => Deno.symlinkSync(target, join(home, name));

function share(path: string, as = token): Promise<Response> {
  return app.call("POST", `/api/share${path}`, { token: as, json: {} });
}

async function hashOf(path: string): Promise<string> {
  const answer = await share(path);
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

async function visit(call: string): Promise<{ status: number; text: string }> {
  const answer = await app.call("GET", `/api/public/${call}`);
  return { status: answer.status, text: await answer.text() };
}

Deno.test("share: a link that leads out is not shared, nor anything behind one", async () => {
  link(join(app.root, "other/secret.txt"), "absolute.txt");
  link("../other/secret.txt", "relative.txt");
  link("absolute.txt", "chained.txt");
  link("../other/none.txt", "dangling.txt");
  link("../other", "folder");
  link("..", "up");
  link("/etc/hostname", "system.txt");
  const names = ["absolute.txt", "relative.txt", "chained.txt", "dangling.txt", "system.txt"];
  names.push("folder", "folder/secret.txt", "folder/deep/", "folder/none", "up", "up/other");
  for (const name of names) await assertRefused(await share(`/${name}`), 403, "forbidden", name);
  const shares = await app.call("GET", "/api/shares", { token });
  assert.deepEqual(await shares.json(), []);
});

Deno.test("share: what is missing, denied, hidden or reserved is not shared, and told alike", async () => {
  const rules = [deny("/own.txt"), deny("/never")];
  const ruled = await app.addUser("ruled", { scope: "/home", rules, hideDotfiles: true });
  const messages = new Set<string>();
  for (const path of ["/own.txt", "/own.txt/x", "/never", "/never/x", "/.hidden", "/album/.x"]) {
    const message = await assertRefused(await share(path, ruled.token), 403, "forbidden", path);
    messages.add(message.replace(/"[^"]*"/, "…"));
  }
  assert.equal(messages.size, 1);
  for (const path of ["/none", "/album/none", "/album/sea.jpg/x"]) {
    await assertRefused(await share(path, ruled.token), 404, "not_found", path);
  }
  for (const path of ["/..%2fother", "/album%2fsea.jpg", "/a%00", "/%ff"]) {
    await assertRefused(await share(path, ruled.token), 400, "invalid_path", path);
  }
});

Deno.test("share: a link inside shows what it leads to, and nothing once it leads out", async () => {
  link("album", "shown");
  const hash = await hashOf("/shown");
  assert.equal((await visit(`dl/${hash}/sea.jpg`)).text, "sea");
  for (const target of ["../other", join(app.root, "other"), "..", "/etc", "none"]) {
    Deno.removeSync(join(home, "shown"));
    link(target, "shown");
    for (const call of [`share/${hash}`, `dl/${hash}?algo=tar`, `dl/${hash}/secret.txt`]) {
      const { status, text } = await visit(call);
      assert.ok([403, 404].includes(status), `${target} ${call}: ${status}`);
      assert.doesNotMatch(text, /SECRET|MORE|root:/);
    }
  }
});

Deno.test("share: a folder that is exchanged for a link out shows nothing of what is there", async () => {
  Deno.mkdirSync(join(home, "box"));
  const hash = await hashOf("/box");
  await assertStatus(await app.call("GET", `/api/public/share/${hash}`), 200);
  Deno.removeSync(join(home, "box"));
  link("../other", "box");
  for (const call of [`share/${hash}`, `share/${hash}/deep`, `dl/${hash}`, `dl/${hash}/deep`]) {
    await assertRefused(await app.call("GET", `/api/public/${call}`), 403, "forbidden", call);
  }
});

Deno.test("share: no choice of files leaves what is shared", async () => {
  const hash = await hashOf("/album");
  const choices = ["../album2/other.txt", "..", "/home/own.txt", "..%2fown.txt", "a/../../own.txt"];
  for (const choice of choices) {
    for (const direct of ["", "&direct=true"]) {
      const files = encodeURIComponent(encodeURIComponent(choice));
      for (const spelled of [files, encodeURIComponent(choice)]) {
        const call = `dl/${hash}?files=${spelled}&algo=tar${direct}`;
        const { status, text } = await visit(call);
        assert.ok([400, 403, 404].includes(status), `${call}: ${status}`);
        assert.doesNotMatch(text, /OTHER|MINE/);
      }
    }
  }
});

Deno.test("share: where something went that left the scope is not told to who shared it", async () => {
  Deno.mkdirSync(join(home, "gone"));
  const hash = await hashOf("/gone");
  const admin = await app.tokenOf("admin");
  const moved = "/api/resources/home/gone?action=rename&destination=/other/plans/gone";
  await assertStatus(await app.call("PATCH", moved, { token: admin }), 200);
  await assertRefused(await app.call("GET", `/api/public/share/${hash}`), 404, "not_found");
  const told = async (as: string) => {
    const answer = await app.call("GET", "/api/shares", { token: as });
    const shares: ShareInfo[] = await answer.json();
    return shares.find((share) => share.hash === hash)?.path;
  };
  assert.equal(await told(token), "/gone");
  assert.equal(await told(admin), "/other/plans/gone");
});

Deno.test("share: nobody ends or sees another's, by whatever the hash is spelled", async () => {
  const hash = await hashOf("/album");
  const thief = await app.addUser("thief", { scope: "/home" });
  for (const spelled of [hash, `${hash}/`, `/${hash}`]) {
    const answer = await app.call("DELETE", `/api/share/${spelled}`, { token: thief.token });
    await assertRefused(answer, 403, "forbidden", spelled);
  }
  const other = [hash.toLowerCase(), hash.slice(0, -1), `${hash}A`, "album", "%2e", "*"];
  for (const spelled of other.filter((each) => each !== hash)) {
    for (const as of [thief.token, token]) {
      const answer = await app.call("DELETE", `/api/share/${spelled}`, { token: as });
      await answer.body?.cancel();
      assert.ok([400, 404].includes(answer.status), `${spelled}: ${answer.status}`);
    }
  }
  for (const path of ["/api/shares", "/api/share/album", "/api/share/"]) {
    const answer = await app.call("GET", path, { token: thief.token });
    assert.deepEqual(await answer.json(), [], path);
  }
  await assertStatus(await app.call("GET", `/api/public/share/${hash}`), 200);
});

Deno.test("share: the deletion of a folder takes no share along whose name begins alike", async () => {
  for (const name of ["pre", "prefix", "pre fix", "Pre"]) Deno.mkdirSync(join(home, name));
  const hashes = await Promise.all(["/prefix", "/pre fix", "/Pre"].map(encodeURI).map(hashOf));
  const gone = await hashOf("/pre");
  await assertStatus(await app.call("DELETE", "/api/resources/pre/", { token }), 200);
  assert.equal((await visit(`share/${gone}`)).status, 404);
  Deno.mkdirSync(join(home, "pre"));
  assert.equal((await visit(`share/${gone}`)).status, 404, "not even when the name is taken again");
  for (const hash of hashes) assert.equal((await visit(`share/${hash}`)).status, 200);
});
