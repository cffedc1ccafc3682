import type { LdapDirectory } from "../../../lib/server/core/config/ldap_options.ts";
import { davClient } from "../../support/clients/dav.ts";
import { enrol, wrongCode } from "../../support/clients/factors.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { startDirectory } from "../../support/services/directory.ts";

const directory = await startDirectory();
Deno.test.afterAll(async () => await directory[Symbol.asyncDispose]());
await directory.addPerson("hugo", "woods", { cn: "second name", sn: "third name" });

const wrong = [403, "wrong_credentials"] as const;

function byLdap(ldap: Partial<LdapDirectory>): Promise<TestApp> {
  return startApp({ inProcess: true, config: { ldap: { ...directory.config, ...ldap } } });
}

function guess(
  app: TestApp,
  username: string,
  password: string,
  { code, from = "192.0.2.1" }: { code?: string; from?: string } = {},
): Promise<Response> {
  return app.call("POST", "/api/login", { json: { username, password, code }, from });
}

Deno.test("a right password by WebDAV does not clear the count of wrong codes", async () => {
  await using app = await startApp({ inProcess: true, config: { webdav: true } });
  const { secret } = await enrol(app, "anna");
  const drive = davClient(app, "anna");
  const code = wrongCode(secret);
  for (let tries = 0; tries < 5; tries++) {
    // Each proof is a new one: a proof of the last minute is not compared again.
    await app.later(tries * 61_000, async () => {
      await assertStatus(await drive("PROPFIND", "/", { headers: { depth: "0" } }), 401);
    });
    await assertRefused(
      await guess(app, "anna", userPassword, { code, from: "127.0.0.1" }),
      ...wrong,
    );
  }
  const sixth = await guess(app, "anna", userPassword, { code, from: "127.0.0.1" });
  await assertRefused(sixth, 429, "throttled");
});

Deno.test("guesses count for the entry of the directory, by whichever of its names", async () => {
  await using app = await byLdap({ filter: "(|(uid={name})(cn={name})(sn={name}))" });
  for (const name of ["hugo", "second name", "third name", "HUGO", "Second Name"]) {
    await assertRefused(await guess(app, name, "valleys"), ...wrong);
  }
  await assertRefused(await guess(app, "third name", "woods"), 429, "throttled");
  const from = "192.0.2.2";
  await assertStatus(await guess(app, "third name", "woods", { from }), 200);
});

Deno.test("wrong codes count for the entry of the directory as well", async () => {
  await using app = await byLdap({
    linkUsers: true,
    filter: "(|(uid={name})(cn={name})(sn={name}))",
  });
  const { secret } = await enrol(app, "hugo");
  const code = wrongCode(secret);
  for (const name of ["hugo", "second name", "third name", "HUGO", "Second Name"]) {
    await assertRefused(await guess(app, name, "woods", { code }), ...wrong);
  }
  await assertRefused(await guess(app, "Third Name", "woods", { code }), 429, "throttled");
});

Deno.test("own passwords are not guessed at will while the directory is away", async () => {
  await using app = await byLdap({ urls: ["ldap://127.0.0.1:1"], linkUsers: true });
  await app.addUser("anna");
  for (let tries = 0; tries < 5; tries++) {
    await assertRefused(await guess(app, "anna", "a guess of mine"), ...wrong);
  }
  await assertRefused(await guess(app, "anna", userPassword), 429, "throttled");
});
