import assert from "node:assert/strict";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({ tree: { "a.txt": "a", "secret.txt": "s" } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

function put(json: unknown) {
  return app.call("PUT", "/api/settings", { token, json });
}

async function read() {
  const answer = await app.call("GET", "/api/settings", { token });
  assert.equal(answer.status, 200);
  return await answer.json();
}

Deno.test("settings are an administrator's alone", async () => {
  const anna = await app.addUser("anna");
  for (const method of ["GET", "PUT"]) {
    const json = method === "PUT" ? {} : undefined;
    const path = "/api/settings";
    await assertRefused(await app.call(method, path, { json }), 401, "not_signed_in");
    await assertRefused(
      await app.call(method, path, { json, token: anna.token }),
      403,
      "forbidden",
    );
  }
});

Deno.test("settings are stored whole or not at all", async () => {
  const before = await read();
  const refused: [unknown, ErrorCode][] = [
    [{ signup: true, rules: "none" }, "invalid_body"],
    [{ signup: true, rules: [{ regex: true, regexp: { raw: "(" } }] }, "invalid_rule"],
    [{ signup: true, commands: { after_lunch: ["nap"] } }, "invalid_body"],
    [{ shell: [], commands: { before_upload: ['scan "'] } }, "invalid_body"],
    [{ shell: [], commands: { after_copy: ["scan it", "nap\\"] } }, "invalid_body"],
    [{ shell: [], commands: { after_copy: ["&"] } }, "invalid_body"],
    [{ signup: true, shell: ["sh", "-c"], commands: { after_copy: ["a\0b"] } }, "invalid_body"],
    [{ signup: true, defaults: { scope: "/../etc" } }, "invalid_path"],
    [{ signup: true, defaults: { perm: { admin: "yes" } } }, "invalid_body"],
    [{ signup: true, branding: { theme: "pink" } }, "invalid_body"],
    [{ signup: true, branding: { color: "red;}body{" } }, "invalid_body"],
    [{ signup: true, logoutPage: "javascript:alert(1)" }, "invalid_body"],
    [{ signup: true, logoutPage: "//elsewhere.example" }, "invalid_body"],
    [{ signup: true, tus: { chunkSize: 0 } }, "invalid_body"],
    [{ signup: true, trash: { days: 0 } }, "invalid_body"],
    [{ signup: true, trash: { days: 1e9 } }, "invalid_body"],
    [{ signup: true, trash: { leastFree: 91 } }, "invalid_body"],
    [{ signup: true, trash: { versions: "yes" } }, "invalid_body"],
    [{ signup: true, userHomeBasePath: "/../up" }, "invalid_path"],
    [{ signup: true, authMethod: "noauth" }, "invalid_body"],
    [{ signup: true, shell: "bash -c" }, "invalid_body"],
    [{ signup: true, branding: { name: "a".repeat(3_000) } }, "invalid_body"],
  ];
  for (const [json, code] of refused) await assertRefused(await put(json), 400, code);
  assert.deepEqual(await read(), before);
});

Deno.test("settings change at once for everybody, sessions under way included", async () => {
  const anna = await app.addUser("bert");
  const names = async () => {
    const answer = await app.call("GET", "/api/resources/", { token: anna.token });
    const { items } = await answer.json();
    return items.map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await names(), ["a.txt", "secret.txt"]);
  const before = await read();
  const rule = deny("/secret.txt");
  const next = {
    ...before,
    rules: [rule],
    createUserDir: true,
    shell: ["bash", "-c"],
    commands: { ...before.commands, after_upload: ["echo done"] },
    branding: {
      ...{ name: "The Den", disableExternal: true, theme: "dark", files: "" },
      ...{ color: "#0a7d5c", disableUsedPercentage: true },
    },
    defaults: { ...before.defaults, locale: "de", perm: { ...before.defaults.perm, share: false } },
  };
  const proof = { current_password: app.admin.password };
  await assertStatus(await put({ ...next, ...proof }), 200);
  assert.deepEqual(await read(), next);
  assert.deepEqual(await names(), ["a.txt"]);
});

Deno.test("what gives or takes rights wants the administrator's password, the rest does not", async () => {
  const before = await read();
  const powerful = [
    { rules: [deny("/a.txt")] },
    { shell: ["sh", "-c"] },
    { commands: { after_delete: ["echo gone"] } },
    { defaults: { perm: { admin: true } } },
    { defaults: { scope: "/a" } },
    { defaults: { commands: ["git"] } },
    { signup: true },
    { createUserDir: !before.createUserDir },
    { maxLinkRight: "view" },
  ];
  for (const change of powerful) {
    await assertRefused(await put(change), 403, "wrong_credentials");
  }
  await assertRefused(
    await put({ signup: true, current_password: "guessed it is" }),
    403,
    "wrong_credentials",
  );
  assert.deepEqual(await read(), before);
  await assertStatus(await put({ branding: { name: "Den" }, defaults: { locale: "fr" } }), 200);
});

Deno.test("File Browser's settings page saves without the password, for ten minutes after the sign-in", async () => {
  await using compat = await startApp({ config: { apiCompat: "2.63" } });
  const token = await compat.tokenOf("admin");
  const save = async (change: object, proof = {}) => {
    const json = { ...await compat.cubby.settings.get(), ...change, ...proof };
    return await compat.call("PUT", "/api/settings", { token, json });
  };
  const wrong = { current_password: "guessed it is" };
  await assertRefused(await save({ signup: true }, wrong), 403, "wrong_credentials");
  const commands = { after_upload: ["echo done"] };
  await assertStatus(await save({ signup: true, rules: [deny("/secret.txt")], commands }), 200);
  assert.equal((await compat.cubby.settings.get()).signup, true);

  await compat.later(11 * 60_000, async () => {
    const refused = await save({ signup: false });
    assert.match(await refused.clone().text(), /Sign in again, then save/);
    await assertRefused(refused, 403, "wrong_credentials");
    await assertStatus(await save({ branding: { name: "Den" } }), 200);
    const proof = { current_password: compat.admin.password };
    await assertStatus(await save({ shell: ["sh", "-c"] }, proof), 200);
  });
  // Calls in which its pages do send the password need it at any time.
  const json = { what: "user", which: ["password"], data: { password: "four herons at dawn" } };
  const change = await compat.call("PUT", "/api/users/1", { token, json });
  await assertRefused(change, 403, "wrong_credentials");
});

Deno.test("a command line that is stored already refuses no other change, until it would be read anew", async () => {
  await using other = await startApp();
  const token = await other.tokenOf("admin");
  const proof = { current_password: other.admin.password };
  const put = (json: object) => other.call("PUT", "/api/settings", { token, json });
  const shell = ["sh", "-c"];
  const hooks = { before_upload: ['echo "'] };
  // A shell reads its line itself.
  await assertStatus(await put({ shell, commands: hooks, ...proof }), 200);
  await assertRefused(await put({ shell: [], ...proof }), 400, "invalid_body");
  await assertStatus(await put({ shell: [], commands: { before_upload: [] }, ...proof }), 200);
  const current = await other.cubby.settings.get();
  await other.cubby.settings.update({ ...current, commands: { ...current.commands, ...hooks } });
  await assertStatus(await put({ branding: { name: "Den" }, commands: hooks, ...proof }), 200);
  const refused = await put({
    commands: { before_upload: [...hooks.before_upload, "'"] },
    ...proof,
  });
  const message = await assertRefused(refused, 400, "invalid_body");
  assert.equal(message, `Cannot run "'" on before_upload: a quote or a backslash is not closed`);
});
