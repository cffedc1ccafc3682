import assert from "node:assert/strict";
import type { AuditPage, EntryHistory } from "../../../lib/shared/schemas/audit.ts";
import { auditQuery } from "../../../lib/server/http/request/audit_requests.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOf, keepActivity } from "../../support/server/audited.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    home: { "a.txt": "one" },
    changed: { "a.txt": "one", "b.txt": "two" },
    shared: { "b.txt": "two" },
    old: {},
  },
  config: { trustedProxies: ["127.0.0.1/32"] },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const anything = { user: "", action: "", path: "", since: "", until: "" } as const;
const { token: anna } = await app.addUser("anna", { scope: "/home" });
const { token: clara } = await app.addUser("clara", { scope: "/changed" });
Deno.test.beforeEach(() => keepActivity(app, "changes"));

async function call(method: string, path: string, options = {}): Promise<Response> {
  const answer = await app.call(method, path, { token, ...options });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  await answer.clone().text();
  return answer;
}

Deno.test("nothing is taken down, and no history told, while the log is off", async () => {
  await keepActivity(app, "off");
  const before = await activitiesOf(app);
  await call("POST", "/api/resources/unseen.txt", { body: "text" });
  assert.deepEqual(await activitiesOf(app), before);
  const answer = await app.call("GET", "/api/history/unseen.txt", { token });
  await assertRefused(answer, 501, "not_supported");
});

Deno.test("the log refuses what it cannot understand", async () => {
  for (
    const query of [
      "action=dance",
      "action=move,dance",
      "since=yesterday",
      "until=2026-13-45",
      "zone=Atlantis/Town",
      "before=x",
    ]
  ) {
    const answer = await app.call("GET", `/api/audit?${query}`, { token });
    await assertRefused(answer, 400, "invalid_option");
  }
  const answer = await app.call("GET", "/api/audit/export?format=pdf", { token });
  await assertRefused(answer, 400, "invalid_option");
});

Deno.test("each change is taken down with its user, address and path from the root", async () => {
  const headers = { "x-forwarded-for": "192.0.2.44" };
  const carried = { token: clara, headers };
  await call("POST", "/api/resources/new%20%23.txt", { ...carried, body: "text" });
  await call("PUT", "/api/resources/new%20%23.txt", { ...carried, body: "more" });
  await call("POST", "/api/resources/folder/", carried);
  await call("PATCH", "/api/resources/a.txt?action=copy&destination=/folder/a.txt", carried);
  await call("PATCH", "/api/resources/b.txt?action=rename&destination=/folder/b.txt", carried);
  await call("GET", "/api/raw/folder/a.txt", carried);
  const gone = await call("DELETE", "/api/resources/folder/a.txt?trash=true", carried);
  const id = gone.headers.get("content-location")?.split("/").at(-1);
  await call("POST", `/api/trash/${id}`, carried);
  await call("DELETE", "/api/resources/folder/a.txt", carried);

  const told = (await activitiesOf(app, "user=clara")).map(({ action, path, to, address }) => {
    return [action, path, to, address];
  });
  assert.deepEqual(told.toReversed(), [
    ["upload", "/changed/new #.txt", null, "192.0.2.44"],
    ["save", "/changed/new #.txt", null, "192.0.2.44"],
    ["mkdir", "/changed/folder", null, "192.0.2.44"],
    ["copy", "/changed/a.txt", "/changed/folder/a.txt", "192.0.2.44"],
    ["move", "/changed/b.txt", "/changed/folder/b.txt", "192.0.2.44"],
    ["trash", "/changed/folder/a.txt", null, "192.0.2.44"],
    ["restore", "/changed/folder/a.txt", null, "192.0.2.44"],
    ["delete", "/changed/folder/a.txt", null, "192.0.2.44"],
  ]);
});

Deno.test("what a job does is taken down entry by entry, and so is its undo", async () => {
  const entries = [{ path: "/one.txt", destination: "/two.txt" }];
  await call("POST", "/api/resources/one.txt", { token: anna, body: "1" });
  const answer = await call("POST", "/api/jobs", {
    token: anna,
    json: { action: "move", entries },
    headers: { prefer: "wait=20" },
  });
  const { id } = await answer.json();
  await call("POST", `/api/jobs/${id}/undo`, { token: anna, headers: { prefer: "wait=20" } });
  const moves = (await activitiesOf(app, "action=move")).slice(0, 2);
  assert.deepEqual(moves.map(({ path, to, user }) => [path, to, user]), [
    ["/home/two.txt", "/home/one.txt", "anna"],
    ["/home/one.txt", "/home/two.txt", "anna"],
  ]);
});

Deno.test("sign-ins, wrong passwords and sign-outs are taken down", async () => {
  await app.addUser("sigrid");
  const wrong = { username: "sigrid", password: "wrong" };
  const refused = await app.call("POST", "/api/login", { json: wrong });
  await refused.body?.cancel();
  await call("POST", "/api/logout", { token: await app.tokenOf("sigrid") });
  const actions = (await activitiesOf(app, "user=sigrid")).map(({ action }) => action);
  assert.ok(actions.includes("signin") && actions.includes("signout"));
  assert.ok(actions.includes("signin_failed"));
});

Deno.test("shares, their visits, users and settings are taken down", async () => {
  const { hash } = await (await call("POST", "/api/share/shared", { json: {} })).json();
  for (let visit = 0; visit < 3; visit++) {
    await call("GET", `/api/public/share/${hash}`, { token: "" });
  }
  await call("GET", `/api/public/dl/${hash}/b.txt`, { token: "" });
  await call("DELETE", `/api/share/${hash}`);
  const told = await activitiesOf(app, "path=/shared");
  const ofShare = told.filter(({ subject }) => subject === hash).map((record) => {
    return [record.action, record.path, record.user];
  });
  assert.deepEqual(ofShare.toReversed(), [
    ["share_add", "/shared", "admin"],
    ["share_visit", "/shared", null],
    ["share_download", "/shared/b.txt", null],
    ["share_remove", "/shared", "admin"],
  ]);

  const settings = await app.cubby.settings.get();
  await call("PUT", "/api/settings", { json: { branding: { ...settings.branding, name: "Den" } } });
  const [change] = await activitiesOf(app, "action=settings_change");
  assert.equal(change?.subject, "branding.name");
});

Deno.test("switching the log off asks for the password, and is the last that is taken down", async () => {
  const json = { audit: { level: "off", days: 365 } };
  const refused = await app.call("PUT", "/api/settings", { token, json });
  await assertRefused(refused, 403, "wrong_credentials");
  await call("PUT", "/api/settings", { json: { ...json, current_password: app.admin.password } });
  await call("POST", "/api/resources/after.txt", { body: "text" });
  const [last] = await activitiesOf(app);
  assert.deepEqual([last?.action, last?.subject], ["settings_change", "audit.level"]);
});

Deno.test("downloads are taken down at the level of reads, each once", async () => {
  await keepActivity(app, "reads");
  await call("GET", "/api/raw/shared/b.txt");
  await call("GET", "/api/raw/shared/b.txt", { headers: { range: "bytes=1-" } });
  assert.equal((await activitiesOf(app, "action=download")).length, 1);
});

Deno.test("pages lead through the whole log, and filters choose", async () => {
  await call("POST", "/api/resources/paged/");
  await call("POST", "/api/resources/paged/new.txt", { body: "text" });
  await call("PUT", "/api/resources/paged/new.txt", { body: "more" });
  await call("DELETE", "/api/resources/paged/new.txt?trash=true");
  await call("POST", "/api/resources/beside.txt", { body: "text" });
  const all = await activitiesOf(app);
  const seen: number[] = [];
  let before = "";
  do {
    const answer = await call("GET", `/api/audit?limit=3${before}`);
    const { records, next }: AuditPage = await answer.json();
    seen.push(...records.map(({ seq }) => seq));
    before = next === null ? "" : `&before=${next}`;
  } while (before !== "");
  assert.deepEqual(seen.slice(-all.length), all.map(({ seq }) => seq));
  assert.deepEqual(seen, seen.toSorted((a, b) => b - a));
  const below = await activitiesOf(app, "path=/paged/");
  assert.ok(below.length > 0 && below.length < all.length);
  assert.deepEqual(await activitiesOf(app, "path=/pag"), []);
  assert.ok((await activitiesOf(app, "path=NEW")).length >= 2);
  const both = await activitiesOf(app, "action=mkdir,trash");
  assert.deepEqual(new Set(both.map(({ action }) => action)), new Set(["mkdir", "trash"]));
  assert.equal(
    `${auditQuery({ ...anything, action: "deletions" }, "UTC")}`,
    "action=trash%2Cdelete%2Cpurge&zone=UTC",
  );
  assert.equal(`${auditQuery({ ...anything, action: "trash" }, "UTC")}`, "action=trash&zone=UTC");
  const page = await call("GET", "/settings/activity?action=deletions", {
    headers: { cookie: `auth=${token}` },
  });
  const html = await page.text();
  assert.match(html, /<option[^>]*selected[^>]*>Deletions/);
  assert.ok(html.includes(">Moved to trash<") && !/<td[^>]*>Folder created/.test(html));
  assert.deepEqual(await activitiesOf(app, "until=2020-01-01"), []);
  assert.ok((await activitiesOf(app, "since=2020-01-01")).length > all.length);
});

Deno.test("days are those of the time zone, and CSV tells its times with their offset", async () => {
  const berlin = "Europe/Berlin";
  const day = { ...anything, since: "2026-03-29", until: "2026-03-29" };
  // The clocks go forward that night: the day has 23 hours.
  assert.equal(
    decodeURIComponent(`${auditQuery(day, berlin)}`),
    "since=2026-03-28T23:00:00.000Z&until=2026-03-29T22:00:00.000Z&zone=Europe/Berlin",
  );
  await call("POST", "/api/resources/dated.txt", { body: "text" });
  const [newest] = await activitiesOf(app);
  assert.ok(newest);
  const at = Date.parse(newest.time);
  const dayIn = (zone: string, later = 0) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
      .add({ days: later }).toString();
  // On these islands it is never the same day: 25 hours lie between them.
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const told = await activitiesOf(
      app,
      `since=${dayIn(zone)}&until=${dayIn(zone, 1)}&zone=${zone}`,
    );
    assert.ok(told.some(({ seq }) => seq === newest.seq), zone);
    const before = await activitiesOf(app, `until=${dayIn(zone)}&zone=${zone}`);
    assert.ok(before.every(({ seq }) => seq !== newest.seq));
  }
  const file = await call("GET", `/api/audit/export?zone=Asia/Kolkata&since=${newest.time}`);
  const [, first = ""] = (await file.text()).split("\n");
  const [, time = ""] = /^\d+,"([^"]+)"/.exec(first) ?? [];
  assert.match(time, /T\d\d:\d\d:\d\d\.\d{3}\+05:30$/);
  const json = await call(
    "GET",
    `/api/audit/export?zone=Asia/Kolkata&format=json&since=${newest.time}`,
  );
  assert.match(JSON.parse((await json.text()).split("\n")[0] ?? "").time, /Z$/);
  const page = await call("GET", `/settings/activity?since=${dayIn("Pacific/Niue")}`, {
    headers: { cookie: `auth=${token}; tz=Pacific%2FNiue` },
  });
  const html = await page.text();
  assert.match(html, /are in the time zone Pacific\/Niue\./);
  assert.ok(html.includes("zone=Pacific%2FNiue"));
});

Deno.test("the history of an entry follows it through its moves and those of its folder", async () => {
  await call("POST", "/api/resources/old/plan.txt", { body: "1" });
  await call("PATCH", "/api/resources/old/plan.txt?action=rename&destination=/old/draft.txt");
  await call("PATCH", "/api/resources/old?action=rename&destination=/home/kept");
  await call("PUT", "/api/resources/home/kept/draft.txt", { body: "2" });
  const answer = await call("GET", "/api/history/kept/draft.txt", { token: anna });
  const scoped: EntryHistory = await answer.json();
  assert.deepEqual(scoped.events.map(({ action, from, user }) => [action, from, user]), [
    ["save", null, "admin"],
    ["move", null, "admin"],
  ]);
  const whole: EntryHistory = await (await call("GET", "/api/history/home/kept/draft.txt")).json();
  assert.deepEqual(whole.events.map(({ action, from, above }) => [action, from, above]), [
    ["save", null, false],
    ["move", "/old", true],
    ["move", "/old/plan.txt", false],
    ["upload", null, false],
  ]);
});

Deno.test("the history of an entry ends where another was deleted", async () => {
  await call("POST", "/api/resources/again.txt", { body: "1" });
  await call("DELETE", "/api/resources/again.txt");
  await call("POST", "/api/resources/again.txt", { body: "2" });
  const { events }: EntryHistory = await (await call("GET", "/api/history/again.txt")).json();
  assert.deepEqual(events.map(({ action }) => action), ["upload"]);
});
