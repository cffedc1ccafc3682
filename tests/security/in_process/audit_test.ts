import assert from "node:assert/strict";
import type { EntryHistory } from "../../../lib/shared/schemas/audit.ts";
import { append } from "../../../lib/server/features/audit/audit.ts";
import { cutAudit } from "../../../lib/server/features/audit/cut_audit.ts";
import { csvCell } from "../../../lib/server/features/audit/export_audit.ts";
import type { TimedActivity } from "../../../lib/server/features/audit/record.ts";
import {
  auditHead,
  auditSegments,
  type Head,
  linesOf,
  type Segment,
} from "../../../lib/server/features/audit/segments.ts";
import { verifyAudit } from "../../../lib/server/features/audit/verify_audit.ts";
import { openSigningKey } from "../../../lib/server/features/accounts/auth/signing_key.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp } from "../../support/server/app.ts";
import { activitiesOf, keepActivity } from "../../support/server/audited.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { auditBeginning, auditCheckpoints } from "../../../lib/server/features/audit/checkpoint.ts";

const app = await startApp({ inProcess: true, tree: { team: {}, secret: { "plan.txt": "one" } } });
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
await keepActivity(app, "reads");

async function call(method: string, path: string, options = {}): Promise<Response> {
  const answer = await app.call(method, path, { token: admin, ...options });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer;
}

Deno.test("audit: a name with line breaks and quotes forges no record", async () => {
  const name = 'x"}\n{"seq":99,"action":"signout","user":"admin"}\r\n=1+1';
  await call("POST", `/api/resources/${encodeURIComponent(name)}`, { body: "text" });
  const [record] = await activitiesOf(app, "action=upload");
  assert.equal(record?.path, `/${name}`);
  assert.ok(!(await activitiesOf(app)).some(({ seq }) => seq === 99));

  const sent = await (await call("GET", "/api/audit/export?format=csv&action=upload")).text();
  assert.equal(sent.trimEnd().split("\n").length, 2);
  assert.ok(sent.includes('"/x""}\\u000a{""seq"":99'));
  const json = await (await call("GET", "/api/audit/export?format=json&action=upload")).text();
  assert.equal(json.trimEnd().split("\n").length, 1);
});

Deno.test("audit: no cell of an export is a formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u{ff1d}1"]) {
    assert.match(csvCell(text), /^"'/, text);
  }
  for (const text of ["\t=1", "\r=1", "\n=1"]) assert.match(csvCell(text), /^"\\u00/, text);
  assert.equal(csvCell("plain"), '"plain"');
});

Deno.test("audit: a user who is no administrator reads neither the log nor its export", async () => {
  const { token } = await app.addUser("curious");
  for (const path of ["/api/audit", "/api/audit/export", "/api/audit/export?format=json"]) {
    await assertRefused(await app.call("GET", path, { token }), 403, "forbidden");
    await assertRefused(await app.call("GET", path), 401, "not_signed_in");
  }
  await app.cubby.audit.flush();
});

Deno.test("audit: a wrong password under a name that no user has leaves no name", async () => {
  const json = { username: "my secret password", password: "x" };
  const answer = await app.call("POST", "/api/login", { json });
  await answer.body?.cancel();
  const found = await activitiesOf(app, "action=signin_failed");
  assert.equal(found[0]?.user, null);
  assert.ok(!JSON.stringify(await activitiesOf(app)).includes("my secret password"));
});

Deno.test("history: no place outside of the scope or denied by a rule is told", async () => {
  await call("PATCH", "/api/resources/secret/plan.txt?action=rename&destination=/team/plan.txt");
  await call("PATCH", "/api/resources/team/plan.txt?action=copy&destination=/secret/copy.txt");
  for (
    const [name, user, path] of [
      ["scoped", { scope: "/team" }, "/plan.txt"],
      ["ruled", { rules: [deny("/secret")] }, "/team/plan.txt"],
    ] as const
  ) {
    const { token } = await app.addUser(name, {
      ...user,
      rules: [...("rules" in user ? user.rules : [])],
    });
    const answer = await app.call("GET", `/api/history${path}`, { token });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.ok(!text.includes("secret"), text);
    const { events }: EntryHistory = JSON.parse(text);
    assert.deepEqual(events.map(({ action, from, to }) => [action, from, to]), [
      ["copy", null, null],
      ["move", null, null],
    ]);
  }
  const { token } = await app.addUser("ruled-out", { rules: [deny("/team")] });
  const refused = await app.call("GET", "/api/history/team/plan.txt", { token });
  await assertRefused(refused, 403, "forbidden");
  await app.cubby.audit.flush();
});

/** A log of its own, with some segments, and how it is changed past the server. */
async function openLog(records = 300) {
  const store = await openStore(":memory:");
  const key = await openSigningKey(store);
  const all = Array.from({ length: records }, (_, index): TimedActivity => ({
    action: "upload",
    user: { id: 2, name: "anna" },
    address: "192.0.2.1",
    path: `/file ${index}`,
    at: Date.UTC(2026, 0, 1) + index * 60_000,
  }));
  for (let at = 0; at < records;) at += (await append({ store, key }, all.slice(at))).count;
  const problems = async () => (await verifyAudit(store, key)).problems;
  const segments = () => store.list<Segment>(auditSegments.prefix());
  const change = async (index: number, edit: (lines: string[]) => string[]) => {
    const { key, value } = (await segments())[index] ?? assert.fail();
    const lines = new TextEncoder().encode(
      edit(linesOf(value)).map((line) => `${line}\n`).join(""),
    );
    await store.atomic((operation) => operation.set(key, { lines }));
  };
  return { store, key, problems, segments, change, [Symbol.dispose]: () => store.close() };
}

Deno.test("audit: a whole log has no problems, a changed record is found", async () => {
  using log = await openLog();
  assert.deepEqual(await log.problems(), []);
  await log.change(1, (lines) =>
    lines.map((line, index) => {
      return index === 3 ? line.replace("anna", "otto") : line;
    }));
  assert.match((await log.problems())[0] ?? "", /^the record \d+ was changed/);
});

Deno.test("audit: a removed, a moved and an added record are found", async () => {
  for (
    const edit of [
      (lines: string[]) => lines.toSpliced(2, 1),
      (lines: string[]) =>
        [lines[1], lines[0], ...lines.slice(2)].filter((line) => line !== undefined),
      (lines: string[]) => [...lines.slice(0, 4), lines[3] ?? "", ...lines.slice(4)],
    ]
  ) {
    using log = await openLog();
    await log.change(1, edit);
    assert.ok((await log.problems()).length > 0, String(edit));
  }
});

Deno.test("audit: a log without its end is found, also with an end that was signed before", async () => {
  using log = await openLog(200);
  const former = (await log.store.get<Head>(auditHead.key())).value;
  const more = Array.from({ length: 200 }, (): TimedActivity => ({
    action: "save",
    user: null,
    address: null,
    path: "/later",
    at: Date.UTC(2026, 1, 1),
  }));
  await append(log, more);
  const last = (await log.segments()).at(-1) ?? assert.fail();
  await log.store.atomic((operation) => operation.delete(last.key));
  assert.match((await log.problems()).join(), /missing at the end/);
  await log.store.atomic((operation) => operation.set(auditHead.key(), former));
  assert.match((await log.problems()).join(), /before its checkpoint/);
});

Deno.test("audit: records written anew with their hashes lack the signature", async () => {
  using log = await openLog();
  const stranger = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  await append({ store: log.store, key: stranger }, [
    { action: "signin", user: { id: 1, name: "admin" }, address: null, at: Date.now() },
  ]);
  assert.match((await log.problems()).join(), /the end of the log is not signed/);
  for (const { key } of await log.store.list(auditCheckpoints.prefix())) {
    await log.store.atomic((operation) => operation.delete(key));
  }
  assert.match((await log.problems()).join(), /checkpoint \d+ is missing/);
});

Deno.test("audit: retention leaves a log that can be verified; others cannot cut it", async () => {
  using log = await openLog();
  const count = (await log.segments()).length;
  assert.ok(await cutAudit(log.store, log.key, Date.UTC(2026, 0, 1) + 200 * 60_000) > 50);
  assert.ok((await log.segments()).length < count);
  assert.deepEqual(await log.problems(), []);

  const [first] = await log.segments();
  await log.store.atomic((operation) => operation.delete(first?.key ?? assert.fail()));
  assert.match((await log.problems()).join(), /records are missing/);
  const [checkpoint] = await log.store.list(auditCheckpoints.prefix());
  await log.store.atomic((operation) => operation.set(auditBeginning.key(), checkpoint?.value));
  assert.match((await log.problems()).join(), /the beginning of the log is not signed/);
});
