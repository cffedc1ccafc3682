import assert from "node:assert/strict";
import { append } from "../../../lib/server/features/audit/audit.ts";
import type { TimedActivity } from "../../../lib/server/features/audit/record.ts";
import { openSigningKey } from "../../../lib/server/features/accounts/auth/signing_key.ts";
import { NotificationRecords } from "../../../lib/server/features/notifications/notification_records.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";
import { auditSegments } from "../../../lib/server/features/audit/segments.ts";

async function fill({ database }: TestTerminal): Promise<void> {
  const store = await openStore(database);
  const activity = {
    user: { id: 2, name: "anna" },
    address: "192.0.2.1",
    at: Date.UTC(2026, 0, 1),
  };
  const all: TimedActivity[] = [
    { ...activity, action: "upload", path: "/=a,b.txt" },
    { ...activity, action: "signout", at: Date.UTC(2026, 0, 2) },
  ];
  await append({ store, key: await openSigningKey(store) }, all);
  store.close();
}

Deno.test("audit verify and export refuse what they do not know", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  for (
    const args of [
      ["export", "--format=pdf"],
      ["export", "--since=yesterday"],
      ["export", "--action=dance"],
      ["verify", "--checkpoint=12"],
    ]
  ) {
    const { status, warned } = await terminal.run("audit", ...args);
    assert.equal(status, 2, args.join(" "));
    assert.match(warned.join("\n"), /^Cannot use --/);
  }
});

Deno.test("audit verify ends with 1 once the log was changed", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  assert.deepEqual(await terminal.ok("audit", "verify"), [
    "The activity log is empty",
    "Nothing was changed",
  ]);
  await fill(terminal);
  const told = await terminal.ok("audit", "verify");
  assert.equal(told[0], "Records: 2, from 1 to 2; checkpoints: 0");
  const { status } = await terminal.run("audit", "verify", `--checkpoint=9:${"0".repeat(64)}`);
  assert.equal(status, 1);

  const store = await openStore(terminal.database);
  for (const { key } of await store.list(auditSegments.prefix())) {
    await store.atomic((operation) => operation.delete(key));
  }
  store.close();
  const found = await terminal.run("audit", "verify");
  assert.equal(found.status, 1);
  assert.match(found.printed.join("\n"), /^Wrong: records from 1 to 2 are missing/m);
});

Deno.test("audit export prints CSV and JSON, and what is asked for alone", async () => {
  await using terminal = await openTerminal();
  await fill(terminal);
  const csv = await terminal.ok("audit", "export");
  assert.equal(csv.length, 3);
  assert.match(
    csv[1] ?? "",
    /^1,"2026-01-01T00:00:00.000Z","upload","anna",2,"192.0.2.1","\/=a,b.txt"/,
  );
  const json = await terminal.ok("audit", "export", "--format", "json", "--since", "2026-01-02");
  assert.deepEqual(json.map((line) => JSON.parse(line).action), ["signout"]);
  assert.equal((await terminal.ok("audit", "export", "--user", "otto")).length, 1);
});

Deno.test("what commands change is in the activity log, by the command line and without values", async () => {
  await using terminal = await openTerminal();
  const password = "otters hold 9 hands";
  await terminal.ok("users", "add", "root", password, "--perm.admin");
  assert.equal((await terminal.ok("audit", "export")).length, 1, "not while it is off");
  await terminal.ok("config", "set", "--audit.level=changes", "--mail-password=secret words");
  await terminal.ok("users", "add", "anna", password);
  await terminal.ok("users", "update", "anna", "--locale=de", "--password", "herons hold 2 wings");
  await terminal.ok("groups", "add", "Readers");
  await terminal.ok("groups", "join", "Readers", "anna");
  await terminal.ok("rules", "add", "/secret", "--username", "anna");
  await terminal.ok("cmds", "add", "after_upload", "scan it");
  await terminal.ok("users", "ls");
  await terminal.ok("users", "rm", "anna");
  await terminal.ok("config", "set", "--audit.level=off");
  await terminal.ok("users", "add", "berta", password);
  const lines = await terminal.ok("audit", "export", "--format=json");
  const records = lines.map((line) => JSON.parse(line));
  assert.deepEqual(records.map(({ action, subject }) => `${action} ${subject}`), [
    "settings_change audit.level",
    "settings_change server.mail-password",
    "user_add anna",
    "user_change anna: password, locale",
    "group_add Readers",
    "group_change Readers: members",
    "user_change anna: rules",
    "settings_change commands.after_upload",
    "user_remove anna",
    "settings_change audit.level",
  ]);
  for (const record of records) {
    assert.deepEqual([record.user, record.userId, record.address], ["command line", null, null]);
  }
  assert.doesNotMatch(lines.join("\n"), /herons|otters|secret words|scan it/);
  assert.equal((await terminal.ok("audit", "verify")).at(-1), "Nothing was changed");
});

Deno.test("a user is told of a password that the command line has set", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("users", "add", "anna", "otters hold 9 hands", "--perm.admin");
  await terminal.ok("users", "update", "anna", "--password", "herons hold 2 wings");
  const store = await openStore(terminal.database);
  const [told, ...more] = await new NotificationRecords(store).list(1);
  store.close();
  assert.deepEqual([told?.kind, told?.who, more], ["password_changed", undefined, []]);
});
