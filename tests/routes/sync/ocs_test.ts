import assert from "node:assert/strict";
import { blankGroup } from "../../../lib/server/features/accounts/users/groups/group.ts";
import { admin, userPassword } from "../../support/server/app_parts.ts";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { enrol } from "../../support/clients/factors.ts";
import { beginFlow, ocs } from "../../support/clients/ocs.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", docs: { "b.txt": "two" } },
});
Deno.test.afterAll(app.close);

const asAdmin = basic(admin.username, admin.password);
const calls = ["cloud/user", "cloud/users/admin", "core/getapppassword", "core/navigation/apps"];

Deno.test("without --sync-clients none of the addresses is there", async () => {
  await using off = await startApp({});
  const headers = { "ocs-apirequest": "true", authorization: asAdmin };
  for (
    const [method, path] of [
      ["GET", "/status.php"],
      ["GET", "/ocs/v1.php/cloud/capabilities"],
      ["GET", "/ocs/v2.php/cloud/user"],
      ["GET", "/index.php/204"],
      ["POST", "/index.php/login/v2"],
      ["POST", "/login/v2"],
      ["POST", "/index.php/login/v2/poll"],
      ["GET", "/index.php/login/v2/flow/x"],
      ["POST", "/index.php/core/wipe/check"],
    ] as const
  ) await assertStatus(await off.call(method, path, { headers }), 404, path);
});

Deno.test("status.php tells anyone what server this is", async () => {
  const answer = await app.call("GET", "/status.php");
  const status = await answer.json();
  const { installed, maintenance, needsDbUpgrade, productname } = status;
  assert.deepEqual({ installed, maintenance, needsDbUpgrade, productname }, {
    ...{ installed: true, maintenance: false, needsDbUpgrade: false, productname: "Cubby" },
  });
  assert.match(status.version, /^\d+\.\d+\.\d+\.\d+$/);
  assert.ok(status.version.startsWith(status.versionstring));
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
});

Deno.test("a call without a sign-in is refused, whatever session a cookie has", async () => {
  const { token } = await app.addUser("ada");
  for (const version of ["v1.php", "v2.php"]) {
    for (const path of calls) {
      const headers = { cookie: `auth=${token}` };
      for (const carried of [{ headers }, { token }, {}]) {
        const { status, meta, data } = await ocs(app, "GET", `${version}/${path}`, "", carried);
        assert.deepEqual([status, meta.status, meta.statuscode], [401, "failure", 997]);
        assert.deepEqual(data, []);
      }
    }
  }
});

Deno.test("wrong credentials are refused also where none are needed", async () => {
  for (const authorization of [basic("admin", "wrong"), `Bearer cubby_${"A".repeat(43)}`]) {
    const refused = await ocs(app, "GET", "v1.php/cloud/capabilities", authorization);
    assert.deepEqual([refused.status, refused.meta.statuscode], [401, 997]);
    assert.match(refused.headers.get("www-authenticate") ?? "", /^Basic /);
  }
});

Deno.test("a call that another site could have sent is refused (CSRF)", async () => {
  const headers = { authorization: asAdmin };
  const before = await app.cubby.apiTokens.list(1);
  for (const path of calls) {
    const answer = await app.call("GET", `/ocs/v2.php/${path}`, { headers });
    await assertStatus(answer, 412, path);
    const first = await app.call("GET", `/ocs/v1.php/${path}`, { headers });
    assert.equal((await first.json()).ocs.meta.statuscode, 412);
  }
  assert.deepEqual(await app.cubby.apiTokens.list(1), before);
});

Deno.test("what is not there answers in the way of each version", async () => {
  for (const path of ["apps/notifications/api/v2/notifications", "cloud/activity", "cloud", ""]) {
    const first = await ocs(app, "GET", `v1.php/${path}`, asAdmin);
    assert.deepEqual([first.status, first.meta.statuscode], [200, 998], path);
    const second = await ocs(app, "GET", `v2.php/${path}`, asAdmin);
    assert.deepEqual([second.status, second.meta.statuscode], [404, 998], path);
  }
  const other = await ocs(app, "GET", "v3.php/cloud/user", asAdmin);
  assert.deepEqual([other.status, other.meta.statuscode], [404, 998]);
  const wrong = await ocs(app, "POST", "v2.php/cloud/user", asAdmin);
  assert.equal(wrong.status, 405);
  for (const path of ["core/wipe/check", "core/wipe/success"]) {
    const answer = await app.call("POST", `/index.php/${path}`, { body: "token=x" });
    assert.deepEqual([answer.status, await answer.json()], [404, []]);
  }
  await assertStatus(await app.call("GET", "/index.php/avatar/admin/128"), 404);
  await assertStatus(await app.call("GET", "/index.php/204"), 204);
  for (const name of ["caldav", "carddav", "openid-configuration"]) {
    await assertStatus(await app.call("GET", `/.well-known/${name}`), 404);
  }
});

Deno.test("capabilities without a sign-in hold the release and the looks alone", async () => {
  const { data, meta } = await ocs(app, "GET", "v1.php/cloud/capabilities");
  assert.deepEqual([meta.status, meta.statuscode, meta.message], ["ok", 100, "OK"]);
  assert.deepEqual(Object.keys(data.capabilities), ["theming"]);
  const status = await (await app.call("GET", "/status.php")).json();
  assert.equal(data.version.string, status.versionstring);
});

Deno.test("desktop clients that cannot send empty files in bulk are told of no bulk upload", async () => {
  const toldOf = async (agent: string) => {
    const headers = { "user-agent": `Mozilla/5.0 (Linux) ${agent} (Nextcloud, debian)` };
    const path = "v1.php/cloud/capabilities";
    const { data } = await ocs(app, "GET", path, asAdmin, { headers });
    return data.capabilities.dav.bulkupload;
  };
  for (const old of ["mirall/3.7.3git", "mirall/3.9.0", "mirall/2.11.0"]) {
    assert.equal(await toldOf(old), undefined, old);
  }
  for (
    const agent of ["mirall/3.9.1", "mirall/3.17.0", "mirall/33.0.1-rc1", "Nextcloud-android/3"]
  ) {
    assert.equal(await toldOf(agent), "1.0", agent);
  }
});

Deno.test("capabilities tell what is there", async () => {
  const settings = await app.cubby.settings.get();
  const branding = { ...settings.branding, name: "Home & Co", color: "#fe0" };
  await app.cubby.settings.update({ ...settings, branding });
  try {
    const { data, meta } = await ocs(app, "GET", "v2.php/cloud/capabilities", asAdmin);
    assert.equal(meta.statuscode, 200);
    const { theming, core, dav, files, checksums, files_sharing, password_policy } =
      data.capabilities;
    assert.deepEqual(dav, { chunking: "1.0", bulkupload: "1.0" });
    assert.deepEqual(files, { bigfilechunking: true, undelete: true, versioning: true });
    assert.equal(checksums.preferredUploadType, "SHA1");
    assert.equal(theming.name, "Home & Co");
    assert.deepEqual([theming.color, theming["color-text"]], ["#ffee00", "#000000"]);
    await assertStatus(await app.call("GET", new URL(theming.logo).pathname), 200);
    assert.equal(core["webdav-root"], "remote.php/webdav");
    assert.equal(files_sharing.api_enabled, true);
    assert.equal(password_policy.minLength, settings.minimumPasswordLength);
  } finally {
    await app.cubby.settings.update(settings);
  }
});

Deno.test("an answer is XML unless JSON is asked for", async () => {
  const settings = await app.cubby.settings.get();
  const branding = { ...settings.branding, name: 'A <b> & "c"' };
  await app.cubby.settings.update({ ...settings, branding });
  try {
    const headers = { accept: "*/*" };
    for (const query of ["", "?format=xml", "?format=none"]) {
      const answer = await app.call("GET", `/ocs/v1.php/cloud/capabilities${query}`, { headers });
      assert.equal(answer.headers.get("content-type"), "application/xml; charset=utf-8");
      const text = await answer.text();
      assert.match(text, /^<\?xml [^>]*>\n<ocs><meta><status>ok<\/status><statuscode>100</);
      assert.match(text, /<name>A &lt;b&gt; &amp; &quot;c&quot;<\/name>/);
    }
    const json = await app.call("GET", "/ocs/v1.php/cloud/capabilities?format=json", { headers });
    assert.equal((await json.json()).ocs.meta.statuscode, 100);
    const refused = await app.call("GET", "/ocs/v1.php/cloud/user", { headers });
    assert.match(await refused.text(), /<statuscode>997<\/statuscode>.*<data\/><\/ocs>/s);
  } finally {
    await app.cubby.settings.update(settings);
  }
});

Deno.test("cloud/user tells one's own account", async () => {
  const group = await app.cubby.users.groups.create({ ...blankGroup(), name: "team" });
  await app.addUser("zoë", { groups: [group.id], quota: { bytes: 1000 }, scope: "/docs" });
  const { data, meta } = await ocs(app, "GET", "v1.php/cloud/user", basic("zoë", userPassword));
  assert.equal(meta.statuscode, 100);
  assert.deepEqual([data.id, data["display-name"], data.enabled], ["zoë", "zoë", true]);
  assert.deepEqual(data.groups, ["team"]);
  assert.equal(data.quota.quota, 1000);
  const own = await ocs(
    app,
    "GET",
    `v2.php/cloud/users/${encodeURIComponent("zoë")}`,
    basic("zoë", userPassword),
  );
  assert.deepEqual(own.data.id, "zoë");
});

Deno.test("cloud/users knows names that are mail addresses, or have other signs", async () => {
  for (const name of ["eva@files.example", "a+b, c & d?", "50%40"]) {
    await app.addUser(name);
    const path = `v2.php/cloud/users/${encodeURIComponent(name)}`;
    const { data, status } = await ocs(app, "GET", path, basic(name, userPassword));
    assert.deepEqual([status, data.id], [200, name]);
  }
});

Deno.test("who sees a part of the disk is not told how full it is", async () => {
  await app.addUser("dora", { scope: "/docs" });
  const { data } = await ocs(app, "GET", "v2.php/cloud/user", basic("dora", userPassword));
  assert.deepEqual(data.quota, { free: -3, used: 0, total: -3, relative: 0, quota: -3 });
});

Deno.test("of other users nothing is told but to those who would find their names", async () => {
  await app.addUser("eve");
  const asked = (of: string, by: string) => ocs(app, "GET", `v2.php/cloud/users/${of}`, by);
  for (const name of ["admin", "none"]) {
    const refused = await asked(name, basic("eve", userPassword));
    assert.deepEqual([refused.status, refused.meta.statuscode], [404, 404]);
  }
  const { data } = await asked("eve", asAdmin);
  assert.deepEqual(data, { id: "eve", displayname: "eve", "display-name": "eve" });
});

Deno.test("a password is exchanged for an app password, which ends itself", async () => {
  const { user } = await app.addUser("fay");
  const headers = { "user-agent": "Mozilla/5.0 (Android) Nextcloud-android/3.32.0" };
  const made = await ocs(app, "GET", "v2.php/core/getapppassword", basic("fay", userPassword), {
    headers,
  });
  const secret: string = made.data.apppassword;
  const [token] = await app.cubby.apiTokens.list(user.id);
  assert.deepEqual([token?.name, token?.write, token?.share, token?.expires], [
    ...["Nextcloud for Android", true, true, null],
  ]);
  const by = basic("fay", secret);
  const again = await ocs(app, "GET", "v2.php/core/getapppassword", by);
  assert.deepEqual([again.status, again.meta.statuscode], [403, 403]);
  assert.equal((await ocs(app, "GET", "v1.php/cloud/user", by)).data.id, "fay");
  assert.equal((await ocs(app, "GET", "v1.php/cloud/user", `Bearer ${secret}`)).data.id, "fay");

  const password = basic("fay", userPassword);
  assert.equal((await ocs(app, "DELETE", "v2.php/core/apppassword", password)).status, 403);
  assert.equal((await ocs(app, "DELETE", "v2.php/core/apppassword", by)).status, 200);
  assert.equal((await ocs(app, "GET", "v2.php/cloud/user", by)).status, 401);
  const headersOf = { authorization: by, depth: "0" };
  await assertStatus(
    await app.call("PROPFIND", "/remote.php/dav/files/fay/", { headers: headersOf }),
    401,
  );
});

Deno.test("a user has at most a hundred app passwords", async () => {
  const { user } = await app.addUser("gus");
  const draft = { name: "x", write: false, share: false, expires: null };
  for (let count = 0; count < 100; count++) await app.cubby.apiTokens.create(user.id, draft, null);
  const made = await ocs(app, "GET", "v2.php/core/getapppassword", basic("gus", userPassword));
  assert.equal(made.status, 400);
});

Deno.test("a password alone is refused to a user with a second factor", async () => {
  const { token } = await enrol(app, "hal");
  const refused = await ocs(app, "GET", "v1.php/cloud/user", basic("hal", userPassword));
  assert.deepEqual([refused.status, refused.meta.statuscode], [401, 997]);
  assert.match(refused.meta.message, /API token/);
  const client = await beginFlow(app);
  const path = `/api/tokens/flows/${client.flow}`;
  await assertStatus(await app.call("POST", path, { token, json: {} }), 200);
  const { appPassword } = await (await client.poll()).json();
  const { data } = await ocs(app, "GET", "v1.php/cloud/user", basic("hal", appPassword));
  assert.equal(data.id, "hal");
});

Deno.test("without sign-in, clients are the one user, and no other site makes a password", async () => {
  await using open = await startApp({ config: { syncClients: true, authMethod: "noauth" } });
  const origin = "http://localhost";
  const { data } = await ocs(open, "GET", "v1.php/cloud/user", "", { origin });
  assert.equal(data.id, "admin");
  const made = await ocs(open, "GET", "v2.php/core/getapppassword", "", { origin });
  assert.equal(made.status, 403);
  await assertStatus(await open.call("GET", "/ocs/v2.php/cloud/user", { origin }), 412);
});

Deno.test("behind a proxy that vouches, a client is whom it names, or nobody", async () => {
  await using vouched = await startApp({
    config: { syncClients: true, authMethod: "proxy", trustedProxies: ["127.0.0.1"] },
  });
  await vouched.addUser("ann");
  const nobody = await ocs(vouched, "GET", "v1.php/cloud/user", basic("admin", admin.password));
  assert.equal(nobody.status, 401);
  assert.equal(nobody.headers.get("www-authenticate"), null);
  const headers = { "x-remote-user": "ann" };
  const { data } = await ocs(vouched, "GET", "v1.php/cloud/user", "", { headers });
  assert.equal(data.id, "ann");
});

Deno.test("below a base URL, and behind https, addresses are those of the browser", async () => {
  const config = { syncClients: true, baseUrl: "/base", trustedProxies: ["127.0.0.1"] };
  await using based = await startApp({ config });
  await assertStatus(await based.call("GET", "/base/status.php"), 200);
  assert.notEqual((await based.call("GET", "/status.php")).status, 200);
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "files.example" };
  const begun = await based.call("POST", "/base/index.php/login/v2", { headers });
  const { login, poll: { endpoint, token } } = await begun.json();
  assert.equal(endpoint, "https://files.example/base/index.php/login/v2/poll");
  assert.match(login, /^https:\/\/files\.example\/base\/index\.php\/login\/v2\/flow\/[\w.-]+$/);
  const grant = `/base/api/tokens/flows/${login.split("/").at(-1)}`;
  const by = { token: await based.tokenOf("admin"), json: {} };
  await assertStatus(await based.call("POST", grant, by), 200);
  const body = new URLSearchParams({ token });
  const answer = await based.call("POST", "/base/login/v2/poll", { headers, body });
  assert.equal((await answer.json()).server, "https://files.example/base");
});
