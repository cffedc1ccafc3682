import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import {
  assertProbeIsText,
  markupProbe as probe,
  slashlessProbe as name,
} from "../../support/data/markup.ts";

const app = await startApp({ islands: true, tree: { [name]: { [name]: "text" } } });
Deno.test.afterAll(app.close);
const settings = await app.cubby.settings.get();
const branding = { ...settings.branding, name: probe };
const rules = [{ allow: false, path: `/${probe}`, regex: false, regexp: { raw: "" } }];
await app.cubby.settings.update({ ...settings, branding, rules, signup: true });
const token = await app.tokenOf("admin");
const { user, token: visitor } = await app.addUser(probe);
const cookie = (of: string) => ({ cookie: `auth=${of}` });

async function shareOf(path: string): Promise<string> {
  const answer = await app.call("POST", `/api/share${encodeURI(path)}`, { token, json: {} });
  return (await answer.json()).hash;
}

/** Opens a page, and asserts that names are in it, and are text. */
async function assertText(path: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await app.call("GET", path, { headers: { accept: "text/html", ...headers } });
  const html = await answer.text();
  assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, path);
  assertProbeIsText(html, path);
  assert.match(answer.headers.get("content-security-policy") ?? "", /script-src/, path);
}

Deno.test("a site's name is no markup on any page, in its title or its JSON", async () => {
  for (const path of ["/login", "/login?redirect=%2Fx-probe", "/403", "/404", "/500"]) {
    await assertText(path);
  }
  await assertText("/share/AAAAAAAAAAAAAAAAAAAAAA");
});

Deno.test("what an address says is no markup on the page that it leads to", async () => {
  const said = encodeURIComponent(name);
  for (const path of [`/login?redirect=${said}`, `/share/${said}`, `/share/x?show=${said}`]) {
    await assertText(path);
  }
  for (const path of [`/files/${said}`, `/files/?${said}`, `/settings/users/${said}`]) {
    await assertText(path, cookie(token));
  }
});

Deno.test("names of entries are no markup on the pages of files and shares", async () => {
  const at = encodeURIComponent(name);
  for (const path of ["/files/", `/files/${at}/`, `/files/${at}/${at}`, `/files/${at}/none`]) {
    await assertText(path, cookie(token));
  }
  const [folder, file] = [await shareOf(`/${name}`), await shareOf(`/${name}/${name}`)];
  for (const path of [folder, `${folder}/`, `${folder}/${at}`, `${folder}/none`, file]) {
    await assertText(`/share/${path}`);
  }
});

Deno.test("users' names and rules are no markup on any page of the settings", async () => {
  for (const page of ["profile", "shares", "global", "users", "users/new", `users/${user.id}`]) {
    await assertText(`/settings/${page}`, cookie(token));
  }
  for (const path of ["/settings/profile", "/settings/shares", "/files/"]) {
    await assertText(path, cookie(visitor));
  }
});
