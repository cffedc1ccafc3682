import assert from "node:assert/strict";
import { join } from "node:path";
import { availableLocales, i18nOf } from "../../../lib/server/http/pages/dictionaries.ts";
import { blankUser, toUserInfo } from "../../../lib/server/features/accounts/users/user.ts";
import { languageTag } from "../../../lib/shared/i18n/locales.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { assertStatus } from "../../support/server/refused.ts";

const odd = "</script>#%?日本 `.txt";

const app = await startApp({ tree: { home: { "a.txt": "A", docs: {} }, "root.txt": "R" } });
Deno.test.afterAll(app.close);

const admin = await app.tokenOf("admin");
const { token: anna } = await app.addUser("anna", { scope: "/home" });

function open(path: string, token?: string): Promise<Response> {
  const headers: Record<string, string> = token ? { cookie: `auth=${token}` } : {};
  return app.call("GET", path, { headers });
}

async function pageOf(path: string, token: string): Promise<string> {
  const answer = await open(path, token);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

/** What the page hands to the browser. */
function dataIn(page: string) {
  const [, json = ""] = /<script[^>]* id="page-data"[^>]*>([^<]*)</.exec(page) ?? [];
  return JSON.parse(json);
}

async function change(token: string, id: number, fields: object): Promise<void> {
  const json = { what: "user", which: Object.keys(fields), data: fields };
  await assertStatus(await app.call("PUT", `/api/users/${id}`, { token, json }), 200);
}

const star = async (token: string, path: string) =>
  await assertStatus(await app.call("PUT", `/api/favorites${path}`, { token }), 200);

Deno.test("the pages of the sidebar lead whoever is not signed in to the sign-in", async () => {
  for (const path of ["/recent", "/shared"]) {
    const answer = await open(path);
    await assertStatus(answer, 302);
    const back = `/login?redirect=${encodeURIComponent(path)}`;
    assert.equal(answer.headers.get("location"), back);
  }
  const { token } = await app.addUser("quinn", { perm: { share: false } });
  const refused = await open("/shared", token);
  await assertStatus(refused, 302);
  assert.equal(refused.headers.get("location"), "/403");
  assert.ok(!(await pageOf("/recent", token)).includes('href="/shared"'));
});

Deno.test("favourites are plain links in the first answer of each page, whatever their names", async () => {
  await Deno.writeTextFile(join(app.root, "home", odd.replace("/", "∕")), "odd");
  const name = odd.replace("/", "∕");
  const { token } = await app.addUser("stella", { scope: "/home" });
  await star(token, "/docs");
  await star(token, `/${encodeURIComponent(name)}`);
  for (const path of ["/files/", "/recent", "/shared", "/trash", "/settings/profile"]) {
    const page = await pageOf(path, token);
    assert.match(page, /<a [^>]*href="\/files\/docs\/"/, path);
    assert.ok(page.includes(`href="/files/${encodeURIComponent(name)}"`), path);
    assert.ok(!page.includes("</script>#"), path);
    assert.deepEqual(
      dataIn(page).favorites.map(({ path }: { path: string }) => path),
      ["/docs", `/${name}`],
    );
  }
  assert.deepEqual(dataIn(await pageOf("/files/", admin)).favorites, []);
});

Deno.test("the page of recent files shows one's own, as far as one may see them now", async () => {
  const { token, user: { id } } = await app.addUser("rita", { scope: "/home" });
  await assertStatus(await app.call("PUT", "/api/recent/a.txt", { token }), 200);
  const page = await pageOf("/recent", token);
  assert.match(page, /<title>Recent - Cubby<\/title>/);
  assert.match(page, /href="\/files\/a\.txt"/);
  assert.match(page, /href="\/files\/\?show=a\.txt"/);
  assert.ok(!(await pageOf("/recent", admin)).includes("a.txt"));
  await app.cubby.users.update(id, { rules: [deny("/a.txt")] });
  assert.ok(!(await pageOf("/recent", await app.tokenOf("rita"))).includes("a.txt"));
  await app.cubby.users.update(id, { rules: [] });
  await change(await app.tokenOf("rita"), id, { keepRecent: false });
  const off = await pageOf("/recent", await app.tokenOf("rita"));
  assert.match(off, /This list is turned off/);
});

Deno.test("the page of shares lists one's own alone, and says what is gone", async () => {
  const { token } = await app.addUser("sarah", { scope: "/home" });
  await Deno.writeTextFile(join(app.root, "home/gone.txt"), "G");
  for (const path of ["/docs", "/gone.txt"]) {
    await assertStatus(await app.call("POST", `/api/share${path}`, { token, json: {} }), 200);
  }
  await assertStatus(
    await app.call("POST", "/api/share/root.txt", { token: admin, json: {} }),
    200,
  );
  await Deno.remove(join(app.root, "home/gone.txt"));
  const page = await pageOf("/shared", token);
  assert.match(page, /href="\/files\/docs\/"/);
  assert.equal(page.match(/class="row__place">[^<]* · No longer there/g)?.length, 1);
  assert.ok(!page.includes("root.txt"));
  const others = await pageOf("/shared", admin);
  assert.match(others, /href="\/files\/root\.txt"/);
  assert.ok(!others.includes("/docs"), "an administrator's, too, are one's own");
});

Deno.test("a user's own theme is in the first answer, before the site's", async () => {
  const { token, user: { id } } = await app.addUser("theo", { scope: "/home" });
  const look = async () => {
    const page = await pageOf("/files/", token);
    const [, theme] = /<html[^>]* data-theme="(\w+)"/.exec(page) ?? [];
    const [, scheme] = /<meta name="color-scheme" content="([^"]*)"/.exec(page) ?? [];
    return `${theme} ${scheme}`;
  };
  assert.equal(await look(), "undefined light dark");
  const settings = await app.cubby.settings.get();
  const branding = { ...settings.branding, theme: "dark" as const };
  await app.cubby.settings.update({ ...settings, branding });
  try {
    assert.equal(await look(), "dark dark");
    await change(token, id, { theme: "light" });
    assert.equal(await look(), "light light");
    await change(token, id, { theme: "system" });
    assert.equal(await look(), "undefined light dark");
    const refused = await app.call("PUT", `/api/users/${id}`, {
      token,
      json: { what: "user", which: ["theme"], data: { theme: "pink" } },
    });
    await assertStatus(refused, 400);
  } finally {
    await app.cubby.settings.update(settings);
  }
});

Deno.test("the disk of the server is no business of users who see a part of it", async () => {
  const hides = async (token: string) =>
    dataIn(await pageOf("/files/", token)).config.DisableUsedPercentage;
  assert.equal(await hides(anna), true);
  assert.equal(await hides(admin), false);
  const { token } = await app.addUser("whole");
  assert.equal(await hides(token), false);
});

Deno.test("the pages with a sidebar draw the usage where it is known and may be seen", async () => {
  const meter = /<div class="disk"><progress [^>]*aria-label="([^"]*)"/;
  const look = async (token: string, path = "/files/") => {
    const page = await pageOf(path, token);
    return { words: meter.exec(page)?.[1], usage: dataIn(page).usage };
  };
  const ask = async (token: string) =>
    await (await app.call("GET", "/api/usage/", { token })).json();
  for (const path of ["/files/", "/files/home/a.txt", "/settings/profile", "/recent"]) {
    const { words, usage } = await look(admin, path);
    assert.match(words ?? "", /^Server disk: [\d.]+ .B of [\d.]+ .B$/, path);
    assert.equal(usage.total, (await ask(admin)).total);
  }
  assert.deepEqual(await look(anna), { words: undefined, usage: undefined });

  const { token } = await app.addUser("quentin", { scope: "/home", quota: { bytes: 5000 } });
  const asked = await ask(token);
  assert.equal(asked.quota.bytes, 5000);
  const { words, usage } = await look(token);
  assert.deepEqual(usage, asked);
  assert.match(words ?? "", /5 kB/);
  const { user, token: other } = await app.addUser("ute", { scope: "/home", quota: { files: 9 } });
  await app.cubby.quotas.ledger.markStale(
    app.cubby.gate.enter(user).allowance?.area ?? assert.fail(),
    true,
  );
  const drawn = await look(other);
  assert.deepEqual(drawn, { words: undefined, usage: undefined }, "nothing waits for a count");
});

Deno.test("the first administrator sees what is left to do, until it is done or hidden", async () => {
  await using fresh = await startApp();
  const token = await fresh.tokenOf("admin");
  const steps = async (path = "/files/") => {
    const answer = await fresh.call("GET", path, { headers: { cookie: `auth=${token}` } });
    return dataIn(await answer.text()).firstSteps;
  };
  assert.deepEqual(await steps(), { upload: false, user: false, share: false });
  await assertStatus(
    await fresh.call("POST", "/api/resources/one.txt", { token, body: "1" }),
    200,
  );
  const { user, token: other } = await fresh.addUser("bob", { perm: { admin: true } });
  assert.deepEqual(await steps(), { upload: true, user: true, share: false });
  assert.equal(await steps("/files/one.txt"), undefined);
  const theirs = await fresh.call("GET", "/files/", { headers: { cookie: `auth=${other}` } });
  assert.equal(
    dataIn(await theirs.text()).firstSteps,
    undefined,
    "the first administrator's alone",
  );
  assert.equal(user.firstSteps, false);

  const json = { what: "user", which: ["firstSteps"], data: { firstSteps: false } };
  await assertStatus(await fresh.call("PUT", "/api/users/1", { token, json }), 200);
  assert.equal(await steps(), undefined);
  await fresh.cubby.users.update(1, { firstSteps: true });
  await assertStatus(await fresh.call("POST", "/api/share/one.txt", { token, json: {} }), 200);
  assert.equal(await steps(), undefined);
});

Deno.test("a password that was printed is to be changed, and counts as changed then", async () => {
  await using fresh = await startApp({ inProcess: true });
  const { users } = fresh.cubby;
  const draft = { ...blankUser(), username: "root", password: "nine Herons at a lake" };
  const perm = { ...draft.perm, admin: true };
  const { id } = await users.create({ ...draft, perm, firstSteps: true }, { isPrinted: true });
  const headers = { cookie: `auth=${await fresh.tokenOf("root")}` };
  const page = async () => dataIn(await (await fresh.call("GET", "/files/", { headers })).text());
  assert.equal((await page()).firstSteps.password, false);
  await users.update(id, { locale: "en" });
  assert.equal((await users.get(id)).hasPrintedPassword, true);
  assert.ok(!("hasPrintedPassword" in toUserInfo(await users.get(id))));
  await users.update(id, { password: "six Otters at a pond" });
  assert.equal((await users.get(id)).hasPrintedPassword, undefined);
});

Deno.test("pages in all languages that are asked for at the same time are each in their own", async () => {
  const locales = availableLocales();
  const pages = await Promise.all([...locales, ...locales].map(async (locale) => {
    const headers = { cookie: `auth=${anna}`, "accept-language": languageTag(locale) };
    return await (await app.call("GET", "/trash", { headers })).text();
  }));
  for (const [index, page] of pages.entries()) {
    const locale = locales[index % locales.length] ?? "";
    const { t } = i18nOf(locale);
    assert.equal(/<html lang="([^"]+)"/.exec(page)?.[1], languageTag(locale));
    assert.equal(dataIn(page).locale, locale);
    const [shown = ""] = page.split("<script");
    for (const key of ["trash.title", "sidebar.label", "files.myFiles"] as const) {
      assert.ok(shown.includes(t(key)), `${locale}: ${key}`);
    }
  }
});
