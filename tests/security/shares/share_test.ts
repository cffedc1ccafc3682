// With two threads, too: shares that end or change.
import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: {
    anna: {
      album: { "sea.jpg": "sea", "secret.txt": "secret", ".hidden": "h" },
      album2: { "other.txt": "other" },
    },
    elsewhere: { "far.txt": "far" },
  },
});
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const proof = { current_password: app.admin.password };

async function shareOf(token: string, path: string, json: object = {}): Promise<string> {
  const answer = await app.call("POST", `/api/share${path}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).hash;
}

/** Every way to what lies behind a share. */
function ways(hash: string, sub = ""): string[] {
  return [
    `/api/public/share/${hash}${sub}`,
    `/api/public/dl/${hash}${sub}`,
    `/api/public/dl/${hash}${sub}?inline=true`,
    `/api/public/dl/${hash}${sub}?algo=tar`,
    `/api/public/preview/thumb/${hash}${sub}`,
  ];
}

Deno.test("share: nothing is told before the password is right, whichever way is tried", async () => {
  const { user, token } = await app.addUser("pw", { scope: "/anna" });
  const hash = await shareOf(token, "/album", { password: "open sesame" });
  for (const sub of ["", "/", "/sea.jpg", "/none", "/secret.txt/x"]) {
    for (const way of ways(hash, sub)) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await app.call(method, way);
        assert.equal(answer.status, 401, `${method} ${way}`);
        const body = await answer.text();
        assert.ok(!/sea|album|secret/.test(body + JSON.stringify([...answer.headers])), body);
      }
    }
  }
  for (const forged of ["x", token, "a.b.c", ""]) {
    const answer = await app.call("GET", `/api/public/dl/${hash}/sea.jpg?token=${forged}`);
    await assertRefused(answer, 401, "password_required");
  }
  await app.cubby.users.update(user.id, { perm: { ...user.perm, share: false } });
  for (const way of ways(hash)) {
    await assertRefused(await app.call("GET", way), 401, "password_required");
  }
  for (const side of [`preview/thumb/${hash}/sea.jpg`, `raw/${hash}/sea.jpg`, `subtitle/${hash}`]) {
    await assertRefused(await app.call("GET", `/api/${side}`), 401, "not_signed_in");
  }
});

Deno.test("share: guesses at a password are throttled, sub-paths and downloads counted together", async () => {
  const { token } = await app.addUser("guess", { scope: "/anna" });
  const hash = await shareOf(token, "/album", { password: "open sesame" });
  const guess = (way: string, password: string) =>
    app.call("GET", way, { headers: { "x-share-password": password } });
  for (const way of ways(hash, "/sea.jpg")) {
    await assertRefused(await guess(way, "wrong"), 401, "password_required");
  }
  const late = await guess(`/api/public/share/${hash}`, "open%20sesame");
  assert.ok(Number(late.headers.get("retry-after")) > 0);
  await assertRefused(late, 429, "throttled");
});

Deno.test("share: unknown and expired hashes look the same, and no prefix is enough", async () => {
  const { token } = await app.addUser("gone", { scope: "/anna" });
  const hash = await shareOf(token, "/album");
  const share = await app.cubby.shares.get(hash);
  const expired = { ...share, hash: "A".repeat(22), expire: 1 };
  await app.cubby.store.atomic((operation) => operation.set(["shares", expired.hash], expired));
  const messages = new Set<string>();
  for (const wrong of [expired.hash, "B".repeat(22), hash.slice(0, 21), "", "%00", "__proto__"]) {
    for (const way of ways(wrong)) {
      const answer = await app.call("GET", way);
      if (wrong === "%00") {
        await assertRefused(answer, 400, "invalid_path");
        continue;
      }
      messages.add(await assertRefused(answer, 404, "not_found"));
    }
  }
  assert.equal(messages.size, 1);
});

Deno.test("share: rules of the owner and of all, and hidden names, hold behind it", async () => {
  const { user, token } = await app.addUser("ruled", {
    scope: "/anna",
    rules: [deny("/album/secret.txt")],
    hideDotfiles: true,
  });
  const hash = await shareOf(token, "/album");
  for (const name of ["secret.txt", ".hidden"]) {
    for (const way of ways(hash, `/${name}`)) {
      await assertRefused(await app.call("GET", way), 403, "forbidden");
    }
  }
  const { items } = await (await app.call("GET", `/api/public/share/${hash}`)).json();
  assert.deepEqual(items.map(({ name }: { name: string }) => name), ["sea.jpg"]);
  const tar = await (await app.call("GET", `/api/public/dl/${hash}?algo=tar`)).text();
  assert.ok(tar.includes("sea.jpg") && !tar.includes("secret") && !tar.includes("hidden"));

  await app.cubby.users.update(user.id, { rules: [deny("/album")] });
  for (const way of ways(hash)) await assertRefused(await app.call("GET", way), 403, "forbidden");
});

Deno.test("share: it reaches no segment beside or above what is shared", async () => {
  const { token } = await app.addUser("segment", { scope: "/anna" });
  const hash = await shareOf(token, "/album");
  for (const sub of ["/%2e%2e/album2", "/..%2falbum2", "/../album2/other.txt", "/%00"]) {
    for (const way of ways(hash, sub)) {
      const answer = await app.call("GET", way);
      await answer.body?.cancel();
      assert.ok([400, 404].includes(answer.status), `${way}: ${answer.status}`);
    }
  }
  const beside = await app.call("GET", `/api/public/dl/${hash}2/other.txt`);
  await assertRefused(beside, 404, "not_found");
});

Deno.test("share: links that lead out of what is shared are refused, and their targets untold", async () => {
  const album = `${app.root}/anna/album`;
  const links = {
    absolute: `${app.root}/elsewhere/far.txt`,
    relative: "../album2/other.txt",
    folder: "../album2",
    dangling: "../none",
    system: "/etc/hostname",
  };
  for (const [name, target] of Object.entries(links)) {
    await Deno.symlink(target, `${album}/${name}`);
  }
  const { token } = await app.addUser("linked", { scope: "/anna" });
  const hash = await shareOf(token, "/album");
  for (const name of Object.keys(links)) {
    for (const way of ways(hash, `/${name}`)) {
      await assertRefused(await app.call("GET", way), 403, "forbidden");
    }
  }
  const { items } = await (await app.call("GET", `/api/public/share/${hash}`)).json();
  for (const { name, type, size } of items) {
    if (name in links) assert.deepEqual([type, size], ["invalid_link", 0], name);
  }
  const tar = await (await app.call("GET", `/api/public/dl/${hash}?algo=tar`)).text();
  for (const name of Object.keys(links)) assert.ok(!tar.includes(`album/${name}`), name);
  for (const name of Object.keys(links)) await Deno.remove(`${album}/${name}`);
});

Deno.test("share: it is dead while its owner may not share or download, and when gone", async () => {
  const { user, token } = await app.addUser("fallen", { scope: "/anna" });
  const hash = await shareOf(token, "/album");
  for (const name of ["share", "download"] as const) {
    await app.cubby.users.update(user.id, { perm: { ...user.perm, [name]: false } });
    for (const way of ways(hash)) await assertRefused(await app.call("GET", way), 403, "forbidden");
    await app.cubby.users.update(user.id, { perm: user.perm });
  }
  await app.cubby.users.update(user.id, { scope: "/elsewhere" });
  for (const way of ways(hash)) await assertRefused(await app.call("GET", way), 404, "not_found");
  await app.cubby.users.update(user.id, { scope: "/anna" });
  await assertStatus(await app.call("GET", `/api/public/share/${hash}`), 200);
  await app.cubby.users.remove(user.id);
  for (const way of ways(hash)) await assertRefused(await app.call("GET", way), 403, "forbidden");
});

Deno.test("share: a visitor writes nothing, whatever the owner may do", async () => {
  const hash = await shareOf(admin, "/anna/album");
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    for (const way of ways(hash, "/sea.jpg")) {
      const answer = await app.call(method, way, { token: admin });
      await answer.body?.cancel();
      // Recipients who may edit write by the first of them, and nobody by a link for anybody.
      const status = way.startsWith("/api/public/share/") ? 403 : 405;
      assert.equal(answer.status, status, `${method} ${way}`);
    }
  }
  assert.equal(Deno.readTextFileSync(`${app.root}/anna/album/sea.jpg`), "sea");
});

Deno.test("share: the tokens of a share and of a session do not stand in for each other", async () => {
  const { token } = await app.addUser("mixed", { scope: "/anna" });
  const hash = await shareOf(token, "/album", { password: "open sesame" });
  const headers = { "x-share-password": "open%20sesame" };
  const shared = await (await app.call("GET", `/api/public/share/${hash}`, { headers })).json();
  const asSession = await app.call("GET", "/api/resources/", { token: shared.token });
  await assertRefused(asSession, 401, "not_signed_in");
  const asTicket = await app.call("GET", `/api/raw/album/sea.jpg?auth=${shared.token}`);
  await assertRefused(asTicket, 401, "not_signed_in");
  const session = await app.call("GET", `/api/public/dl/${hash}?token=${token}`);
  await assertRefused(session, 401, "password_required");
});

Deno.test("users: a deleted user's sessions and shares end in the same instant", async () => {
  const { user, token } = await app.addUser("brief", { scope: "/anna" });
  const hash = await shareOf(token, "/album");
  const answer = await app.call("DELETE", `/api/users/${user.id}`, { token: admin, json: proof });
  await assertStatus(answer, 200);
  await assertRefused(await app.call("GET", "/api/shares", { token }), 401, "not_signed_in");
  await assertRefused(await app.call("GET", `/api/public/share/${hash}`), 404, "not_found");
});
