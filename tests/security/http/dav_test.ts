// With two threads, too: locks, cached credentials, attempts that are counted.
import assert from "node:assert/strict";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp } from "../../support/server/app.ts";
import { basic, davClient, hrefsOf } from "../../support/clients/dav.ts";
import { allow, deny } from "../../support/data/rules.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { userRecords } from "../../../lib/server/features/accounts/users/user_records.ts";

const apps: Awaited<ReturnType<typeof startApp>>[] = [];
Deno.test.afterAll(async () => {
  for (const app of apps) await app.close();
});

/** The addresses of the files, at which the same attacks must fail. */
for (const prefix of ["/dav", "/remote.php/webdav"]) {
  const app = await startApp({
    config: { webdav: true, syncClients: true },
    tree: {
      "a.txt": "one",
      "outside.txt": "outside",
      home: { "mine.txt": "mine", secret: { "s.txt": "S" }, ".hidden": "H" },
    },
  });
  apps.push(app);

  /** In JSON at `/dav`, in XML for clients that sync. */
  const refused = async (answer: Response, status: number, code: ErrorCode, told = "") => {
    if (prefix === "/dav") return await assertRefused(answer, status, code, told);
    const text = await answer.text();
    assert.equal(answer.status, status, `${told} ${text}`);
    assert.match(text, /<s:exception>/);
    return text;
  };

  const dav = davClient(app, undefined, prefix);
  let count = 0;
  const someone = async (user: Parameters<typeof app.addUser>[1] = {}) => {
    const made = await app.addUser(`dav user ${++count}`, user);
    return { ...made, dav: davClient(app, made.user.username, prefix) };
  };
  const shallow = { depth: "0" };

  Deno.test(`${prefix}: the browser's cookie and a session's token do not authenticate WebDAV`, async () => {
    const token = await app.tokenOf("admin");
    for (const method of ["GET", "HEAD", "PROPFIND", "PUT", "DELETE", "MKCOL"]) {
      for (const [name, value] of [["cookie", `auth=${token}`], ["x-auth", token]] as const) {
        const headers = { [name]: value, ...shallow };
        const answer = await app.call(method, `${prefix}/a.txt`, { headers });
        await assertStatus(answer, 401, method);
      }
    }
  });

  Deno.test(`${prefix}: another site cannot have a browser change anything with cached credentials`, async () => {
    const origin = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    for (const method of ["PUT", "DELETE", "PROPFIND", "MOVE", "MKCOL"]) {
      const answer = await dav(method, "/a.txt", { headers: { ...origin, ...shallow } });
      await assertStatus(answer, 403, method);
    }
    assert.equal(await (await dav("GET", "/a.txt")).text(), "one");
  });

  Deno.test(`${prefix}: a Destination on another host, or outside of /dav, is refused`, async () => {
    for (
      const [destination, status] of [
        [`http://evil.test${prefix}/x.txt`, 502],
        ["http://cubby.test@evil.test/dav/x.txt", 502],
        [`//evil.test${prefix}/x.txt`, 400],
        ["http://cubby.test.evil.test/dav/x.txt", 502],
        [`ftp://cubby.test${prefix}/x.txt`, 400],
        ["/api/resources/x.txt", 403],
        ["/davx/x.txt", 403],
        ["/dav/../x.txt", 403],
        ["/dav/%2e%2e/x.txt", 403],
        [`${prefix}/a%2f..%2f..%2fx.txt`, 400],
        [`${prefix}/%ff`, 400],
      ] as const
    ) {
      for (const method of ["COPY", "MOVE"]) {
        const answer = await dav(method, "/a.txt", { headers: { destination } });
        await assertStatus(answer, status, `${method} ${destination}`);
      }
    }
    assert.equal(await (await dav("GET", "/a.txt")).text(), "one");
  });

  Deno.test(`${prefix}: no path and no Destination leaves the scope`, async () => {
    const { dav } = await someone({ scope: "/home" });
    for (const path of ["/../outside.txt", "/%2e%2e/outside.txt", "/secret/../../outside.txt"]) {
      const answer = await dav("GET", path);
      assert.ok(answer.status >= 300, `${path} ${answer.status}`);
      assert.doesNotMatch(await answer.text(), /outside$/);
    }
    const headers = { destination: `${prefix}/%2e%2e%2foutside.txt` };
    await assertStatus(await dav("MOVE", "/mine.txt", { headers }), 400);
  });

  Deno.test(`${prefix}: rules and hidden names hold in PROPFIND, and for every method`, async () => {
    const { dav } = await someone({ scope: "/home", rules: [deny("/secret")], hideDotfiles: true });
    const listed = await dav("PROPFIND", "/", { headers: { depth: "1" } });
    assert.deepEqual(hrefsOf(await listed.text()), [`${prefix}/`, `${prefix}/mine.txt`]);
    const destination = `${prefix}/x.txt`;
    for (const path of ["/secret", "/secret/s.txt", "/secret/none", "/.hidden", "/.none"]) {
      for (const method of ["GET", "HEAD", "PROPFIND", "PUT", "DELETE", "MKCOL", "COPY", "MOVE"]) {
        const answer = await dav(method, path, {
          headers: { ...shallow, destination, depth: "0" },
        });
        const isTransfer = method === "MOVE";
        await assertStatus(answer, isTransfer ? 400 : 403, `${method} ${path}`);
      }
      await assertStatus(await dav("MOVE", path, { headers: { destination } }), 403, path);
      const into = { destination: `${prefix}${path}` };
      await assertStatus(await dav("COPY", "/mine.txt", { headers: into }), 403, path);
    }
  });

  Deno.test(`${prefix}: each permission is needed, as with the API`, async () => {
    const all = { create: false, modify: false, delete: false, rename: false, download: false };
    const { dav } = await someone({ perm: all });
    await assertStatus(await dav("PROPFIND", "/", { headers: shallow }), 207);
    const destination = `${prefix}/b.txt`;
    for (
      const [method, path] of [
        ["GET", "/a.txt"],
        ["PUT", "/a.txt"],
        ["PUT", "/new.txt"],
        ["DELETE", "/a.txt"],
        ["MKCOL", "/new"],
        ["COPY", "/a.txt"],
        ["MOVE", "/a.txt"],
      ] as const
    ) {
      await assertStatus(await dav(method, path, { headers: { destination } }), 403, method);
    }
    const { dav: adder } = await someone({ perm: { ...all, create: true } });
    await assertStatus(await adder("PUT", "/added.txt", { body: "x" }), 201);
    await assertStatus(await adder("PUT", "/added.txt", { body: "y" }), 403);
    const headers = { destination: `${prefix}/a.txt` };
    await assertStatus(await adder("COPY", "/added.txt", { headers }), 403);
    await assertStatus(await adder("COPY", "/home", { headers }), 403, "nothing is set aside");
    const admins = davClient(app, undefined, prefix);
    assert.equal(await (await admins("GET", "/a.txt")).text(), "one");
  });

  Deno.test(`${prefix}: wrong passwords are throttled with those at the login`, async () => {
    const { user } = await someone();
    const ask = (password: string) =>
      app.call("PROPFIND", `${prefix}/`, {
        headers: { authorization: basic(user.username, password), ...shallow },
      });
    for (let guess = 0; guess < 5; guess++) {
      await refused(await ask(`guess ${guess}`), 401, "not_signed_in");
    }
    const last = await ask("guess 6");
    assert.ok(Number(last.headers.get("retry-after")) > 0);
    await refused(last, 429, "throttled");
    const login = await app.call("POST", "/api/login", {
      json: { username: user.username, password: "guess 7" },
    });
    await assertRefused(login, 429, "throttled");
  });

  Deno.test(`${prefix}: a new password, other rights and a removal hold for the next request`, async () => {
    const { user, dav } = await someone();
    const list = () => dav("PROPFIND", "/", { headers: shallow });
    await assertStatus(await list(), 207);
    await app.cubby.users.update(user.id, { perm: { ...user.perm, download: false } });
    await assertStatus(await dav("GET", "/a.txt"), 403);
    await app.cubby.users.update(user.id, { rules: [deny("/"), allow("/home")] });
    await assertStatus(await list(), 403);
    await app.cubby.users.update(user.id, { rules: [] });
    await assertStatus(await list(), 207);
    await app.cubby.users.update(user.id, { password: "another 5 otters hum" });
    await assertStatus(await list(), 401);
    const authorization = basic(user.username, "another 5 otters hum");
    const again = () =>
      app.call("PROPFIND", `${prefix}/`, { headers: { authorization, ...shallow } });
    await assertStatus(await again(), 207);
    await app.cubby.users.remove(user.id);
    await assertStatus(await again(), 401);
  });

  Deno.test(`${prefix}: everything below a folder at once is refused`, async () => {
    for (const depth of [undefined, "infinity", "Infinity"]) {
      const headers: Record<string, string> = depth === undefined ? {} : { depth };
      const answer = await dav("PROPFIND", "/", { headers });
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /<[Dd]:propfind-finite-depth>/);
    }
  });

  Deno.test(`${prefix}: XML with entities, document types, depth or size is refused`, async () => {
    const query = (text: string) => `<propfind xmlns="DAV:"><prop><a>${text}</a></prop></propfind>`;
    const laughs = Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`);
    const names = Array.from({ length: 300 }, (_, n) => `<p${n}/>`).join("");
    for (
      const [told, body] of [
        ["XXE", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${query("&x;")}`],
        ["laughs", `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join("")}]>${query("&l30;")}`],
        ["a document type", `<!DOCTYPE a SYSTEM "http://evil.test/a.dtd">${query("")}`],
        ["an unknown entity", query("&x;")],
        ["depth", query("<d>".repeat(100) + "</d>".repeat(100))],
        ["names", `<propfind xmlns="DAV:"><prop>${names}</prop></propfind>`],
        ["elements", query("<e/>".repeat(30_000))],
      ] as const
    ) {
      const answer = await dav("PROPFIND", "/", { headers: shallow, body });
      await refused(answer, 400, "invalid_body", told);
    }
    const body = query("x".repeat(300_000));
    const answer = await dav("PROPFIND", "/", { headers: shallow, body });
    await refused(answer, 413, "body_too_large");
  });

  Deno.test(`${prefix}: an API token signs in with its own rights and bounds, and is dead once revoked`, async () => {
    const { user } = await someone();
    const draft = { name: "backup", write: false, share: false, expires: null };
    const { secret, token } = await app.cubby.apiTokens.create(user.id, draft, null);
    const ask = (method: string, path: string, authorization: string) =>
      app.call(method, `${prefix}${path}`, { headers: { authorization, ...shallow } });
    for (const authorization of [basic("any name", secret), `Bearer ${secret}`]) {
      await assertStatus(await ask("PROPFIND", "/", authorization), 207);
      await assertStatus(await ask("PUT", "/by token.txt", authorization), 403);
      await assertStatus(await ask("DELETE", "/a.txt", authorization), 403);
    }
    await app.cubby.apiTokens.remove(token);
    await refused(await ask("PROPFIND", "/", basic("x", secret)), 401, "not_signed_in");

    const home = parsePath("/home").path;
    const bounded = await app.cubby.apiTokens.create(user.id, { ...draft, write: true }, home);
    const authorization = basic("x", bounded.secret);
    if (prefix !== "/dav") {
      // Sync clients see the folder as the top of all.
      const listed = await ask("PROPFIND", "/mine.txt", authorization);
      await assertStatus(listed, 207);
      for (const path of ["/outside.txt", "/home", "/home/mine.txt"]) {
        await assertStatus(await ask("GET", path, authorization), 404, path);
      }
      return;
    }
    await assertStatus(await ask("PROPFIND", "/home", authorization), 207);
    await assertStatus(await ask("GET", "/outside.txt", authorization), 403);
    const headers = { authorization, destination: `${prefix}/outside.txt` };
    await assertStatus(await app.call("MOVE", `${prefix}/home/mine.txt`, { headers }), 403);
  });

  Deno.test(`${prefix}: a lock cannot be stolen: its token is worth nothing to another user`, async () => {
    const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/>' +
      "</locktype></lockinfo>";
    const owner = await someone();
    const thief = await someone();
    const granted = await owner.dav("LOCK", "/a.txt", { body });
    await assertStatus(granted.clone(), 200);
    const token = granted.headers.get("lock-token") ?? "";
    const known = await (await thief.dav("PROPFIND", "/a.txt", { headers: shallow })).text();
    assert.match(known, /<D:activelock>/);
    assert.ok(!known.includes(token.slice(1, -1)), "the token is told to its owner alone");

    const headers = { if: `(${token}) (Not <DAV:no-lock>)` };
    await assertStatus(await thief.dav("PUT", "/a.txt", { body: "stolen", headers }), 423);
    await assertStatus(await thief.dav("DELETE", "/a.txt", { headers }), 423);
    await assertStatus(await thief.dav("LOCK", "/a.txt", { headers }), 412);
    await assertStatus(await thief.dav("LOCK", "/a.txt", { body, headers }), 423);
    for (const value of [token, "<urn:uuid:0>", ""]) {
      const answer = await thief.dav("UNLOCK", "/a.txt", { headers: { "lock-token": value } });
      await assertStatus(answer, value === "" ? 400 : 409, value);
    }
    const own = { if: `(${token})` };
    await assertStatus(await owner.dav("PUT", "/a.txt", { body: "one", headers: own }), 204);
    const elsewhere = await owner.dav("UNLOCK", "/outside.txt", {
      headers: { "lock-token": token },
    });
    await assertStatus(elsewhere, 409);
    await assertStatus(
      await owner.dav("UNLOCK", "/a.txt", { headers: { "lock-token": token } }),
      204,
    );
  });

  Deno.test(`${prefix}: nobody locks or marks what one may not change, or know of`, async () => {
    const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/>' +
      "</locktype></lockinfo>";
    const set =
      '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x:"/></prop></set></propertyupdate>';
    const reader = await someone({ perm: { modify: false, create: false } });
    const ruled = await someone({ rules: [deny("/home/secret")] });
    for (
      const [{ dav }, path] of [
        [reader, "/a.txt"],
        [reader, "/new.txt"],
        [ruled, "/home/secret/s.txt"],
        [ruled, "/home/secret/new.txt"],
      ] as const
    ) {
      await assertStatus(await dav("LOCK", path, { body }), 403, path);
      await assertStatus(await dav("PROPPATCH", path, { body: set }), 403, path);
    }
    assert.equal((await app.cubby.locks?.all())?.length, 0);
  });

  Deno.test(`${prefix}: a user with a second factor is not let in by the password alone`, async () => {
    const { user, dav } = await someone();
    const list = () => dav("PROPFIND", "/", { headers: shallow });
    await assertStatus(await list(), 207);
    const guarded = { ...await app.cubby.users.get(user.id), hasFactors: true };
    await app.cubby.store.atomic((operation) => operation.set(userRecords.key(user.id), guarded));
    const message = await refused(await list(), 401, "not_signed_in");
    assert.match(message, /use an API token/);
    const draft = { name: "drive", write: true, share: false, expires: null };
    const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
    const authorization = basic(user.username, secret);
    const answer = await app.call("PROPFIND", `${prefix}/`, {
      headers: { authorization, ...shallow },
    });
    await assertStatus(answer, 207);
  });

  Deno.test(`${prefix}: where a second factor is required, a password without one does not do`, async () => {
    const { dav } = await someone();
    const settings = await app.cubby.settings.get();
    await app.cubby.settings.update({ ...settings, requireSecondFactor: "everybody" });
    await refused(await dav("PROPFIND", "/", { headers: shallow }), 401, "not_signed_in");
    await app.cubby.settings.update(settings);
    await assertStatus(await dav("PROPFIND", "/", { headers: shallow }), 207);
  });
}
