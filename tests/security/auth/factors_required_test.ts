// With two threads, too: what is required of sessions that another thread has opened.
import assert from "node:assert/strict";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { beginTotp, codeOf } from "../../support/clients/factors.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ config: { webdav: true }, tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);

let count = 0;
const someone = () => app.addUser(`user ${++count}`);

async function require(requireSecondFactor: "nobody" | "administrators" | "everybody") {
  await app.cubby.settings.update({ ...defaultSettings(), requireSecondFactor });
}

/** Calls of every kind; the ids and paths need not exist. */
const calls = [
  ["GET", "/api/resources/"],
  ["POST", "/api/resources/b.txt"],
  ["PUT", "/api/resources/a.txt"],
  ["PATCH", "/api/resources/a.txt?action=copy&destination=/b.txt"],
  ["DELETE", "/api/resources/a.txt"],
  ["POST", "/api/tus/b.txt"],
  ["GET", "/api/raw/a.txt"],
  ["GET", "/api/preview/thumb/a.txt"],
  ["GET", "/api/search/?query=a"],
  ["GET", "/api/usage/"],
  ["GET", "/api/watch/"],
  ["GET", "/api/jobs"],
  ["GET", "/api/trash"],
  ["GET", "/api/shares"],
  ["POST", "/api/share/a.txt"],
  ["GET", "/api/command/"],
  ["POST", "/api/ticket"],
  ["GET", "/api/sessions"],
  ["DELETE", "/api/sessions"],
  ["GET", "/api/tokens"],
  ["POST", "/api/tokens"],
  ["GET", "/api/users"],
  ["GET", "/api/users/1"],
  ["PUT", "/api/users/1"],
  ["DELETE", "/api/users/1/factors"],
  ["GET", "/api/settings"],
  ["PUT", "/api/settings"],
] as const;

Deno.test("without its second factor a session does nothing but set one up, and end", async () => {
  const { token, user } = await someone();
  const admin = await app.tokenOf("admin");
  await require("everybody");
  try {
    for (const as of [token, admin]) {
      for (const [method, path] of calls) {
        const answer = await app.call(method, path, { token: as });
        await assertRefused(answer, 403, "factor_setup_required", `${method} ${path}`);
      }
    }
    const pages = [
      "/files/",
      "/settings/profile",
      "/settings/global",
      "/recent",
      "/trash",
      "/shared",
    ];
    for (const path of pages) {
      const headers = { cookie: `auth=${token}`, accept: "text/html" };
      const answer = await app.call("GET", path, { headers });
      await assertStatus(answer, 302, path);
      assert.match(answer.headers.get("location") ?? "", /^\/login\?redirect=/);
    }
    assert.equal(await Deno.readTextFile(`${app.root}/a.txt`), "one");
    await assertStatus(await app.call("GET", "/api/factors", { token }), 200);
    const renewed = await (await app.call("POST", "/api/renew", { token })).text();

    const { setup, secret } = await beginTotp(app, renewed);
    const json = { setup, app_code: codeOf(secret), current_password: userPassword };
    const answer = await app.call("PUT", "/api/factors/totp", { token: renewed, json });
    const { token: whole } = await answer.json();
    await assertStatus(await app.call("GET", "/api/resources/", { token: whole }), 200);
    await assertStatus(await app.call("GET", `/api/users/${user.id}`, { token: whole }), 200);
    await assertStatus(await app.call("POST", "/api/logout", { token: admin }), 200);
  } finally {
    await require("nobody");
  }
});

Deno.test("a ticket of before is worth nothing once a second factor is required", async () => {
  const { token } = await someone();
  const json = { path: "/a.txt", use: "raw" };
  const ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
  await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${ticket}`), 200);
  await require("everybody");
  try {
    const answer = await app.call("GET", `/api/raw/a.txt?auth=${ticket}`);
    await assertRefused(answer, 403, "factor_setup_required");
  } finally {
    await require("nobody");
  }
});

Deno.test("who removes a required factor is led to set one up again", async () => {
  const { token } = await someone();
  const { setup, secret } = await beginTotp(app, token);
  const json = { setup, app_code: codeOf(secret), current_password: userPassword };
  const enrolled = await app.call("PUT", "/api/factors/totp", { token, json });
  const { token: whole, recoveryCodes: [code] } = await enrolled.json();
  await require("everybody");
  try {
    const removal = { current_password: userPassword, code };
    const answer = await app.call("DELETE", "/api/factors/totp", { token: whole, json: removal });
    const bare = await answer.text();
    await assertRefused(
      await app.call("GET", "/api/resources/", { token: bare }),
      403,
      "factor_setup_required",
    );
  } finally {
    await require("nobody");
  }
});

Deno.test("required of administrators, it leaves others alone", async () => {
  const { token } = await someone();
  const admin = await app.tokenOf("admin");
  await require("administrators");
  try {
    await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
    const answer = await app.call("GET", "/api/resources/", { token: admin });
    await assertRefused(answer, 403, "factor_setup_required");
  } finally {
    await require("nobody");
  }
});

Deno.test("a borrowed session of an administrator does not lift the requirement", async () => {
  const admin = await app.tokenOf("admin");
  const json = { requireSecondFactor: "everybody" };
  await assertRefused(
    await app.call("PUT", "/api/settings", { token: admin, json }),
    403,
    "wrong_credentials",
  );
});

Deno.test("a password does nothing by WebDAV until a required second factor is there", async () => {
  const { user } = await someone();
  const headers = { authorization: `Basic ${btoa(`${user.username}:${userPassword}`)}` };
  const look = () => app.call("GET", "/dav/a.txt", { headers });
  await assertStatus(await look(), 200);
  await require("everybody");
  try {
    await assertStatus(await look(), 401);
  } finally {
    await require("nobody");
  }
  await assertStatus(await look(), 200);
});
