import assert from "node:assert/strict";
import * as v from "valibot";
import { defaultSettings, storedSettings } from "../../../lib/server/features/settings/settings.ts";
import { choice, flag, listOrNone, shape, text } from "../../../lib/shared/schemas/parts.ts";
import { mergePatch, patchOf, read } from "../../../lib/shared/schemas/read.ts";
import { settingsSchema } from "../../../lib/shared/schemas/settings.ts";
import { userFieldsSchema } from "../../../lib/shared/schemas/user.ts";
import { storedUser, type User } from "../../../lib/server/features/accounts/users/user.ts";
import { fieldsOf } from "../features/accounts/users/identity.ts";

const schema = shape({
  name: v.nullish(text, "none"),
  inner: shape({ on: v.nullish(flag, true), kind: v.nullish(choice(["a", "b"]), "a") }),
  list: listOrNone(v.array(shape({ on: v.nullish(flag, false) }), "a list")),
});

type Record = v.InferOutput<typeof schema>;

const wrong: [unknown, string][] = [
  [null, "Cannot read the body: it must be an object"],
  [[], "Cannot read the body: it must be an object"],
  [{ name: 1 }, "Cannot read name: it must be a text"],
  [{ name: "x".repeat(2001) }, "Cannot read name: it must be at most 2000 characters long"],
  [{ inner: [] }, "Cannot read inner: it must be an object"],
  [{ inner: { on: "yes" } }, "Cannot read inner.on: it must be true or false"],
  [{ inner: { kind: "c" } }, 'Cannot read inner.kind: it must be one of "a", "b"'],
  [{ list: {} }, "Cannot read list: it must be a list"],
  [{ list: [{}, []] }, "Cannot read list[1]: it must be an object"],
  [{ list: [{}, { on: 1 }] }, "Cannot read list[1].on: it must be true or false"],
];
for (const [data, message] of wrong) {
  Deno.test(`read() refuses ${JSON.stringify(data).slice(0, 30)}: ${message}`, () => {
    assert.throws(() => read(patchOf(schema), data), { code: "invalid_body", message });
  });
}

Deno.test("a patch leaves out what is missing or null, and empties a list that is null", () => {
  const patch = read(patchOf(schema), { name: null, list: null, inner: { on: null }, other: 1 });
  const record: Record = { name: "x", inner: { on: true, kind: "b" }, list: [{ on: true }] };
  assert.deepEqual(mergePatch(record, patch), { ...record, list: [] });
  assert.deepEqual(mergePatch(record, read(patchOf(schema), { list: [{}] })).list, [{ on: false }]);
  assert.deepEqual(mergePatch(record, read(patchOf(schema), {})), record);
});

Deno.test("settings refuse events that have no name of theirs, inherited names as well", () => {
  for (const event of ["before_lunch", "toString", "__proto__"]) {
    const data = JSON.parse(`{"commands":{"${event}":["ls"]}}`);
    const message = `Cannot run commands on "${event}": no such event`;
    assert.throws(() => read(patchOf(settingsSchema), data), { code: "invalid_body", message });
  }
});

Deno.test("every default is a value that its own schema takes", () => {
  const settings = defaultSettings();
  assert.deepEqual(v.parse(settingsSchema, settings), settings);
  assert.deepEqual(v.parse(userFieldsSchema, {}), { ...settings.defaults, ...blank() });
});

Deno.test("two default settings share no list or object", () => {
  const [one, other] = [defaultSettings(), defaultSettings()];
  one.defaults.perm.share = false;
  one.commands.after_copy.push("ls");
  assert.equal(other.defaults.perm.share, true);
  assert.deepEqual(other.commands.after_copy, []);
});

Deno.test("records that are older than a field have its default", () => {
  const user: User = { ...fieldsOf("anna"), ...counts(), singleClick: true };
  const { dateFormat: _, ...older } = user;
  assert.deepEqual(storedUser(older as User), { ...user, dateFormat: false });
  assert.equal(storedUser(user), user);

  const settings = { ...defaultSettings(), signup: true };
  const { viewMode: __, ...preferences } = settings.defaults;
  const record = { ...settings, defaults: preferences } as typeof settings;
  assert.deepEqual(storedSettings(record), settings);
  assert.equal(storedSettings(settings), settings);
});

function blank() {
  return { username: "", mail: "", lockPassword: false, rules: [], groups: [], roots: [] };
}

function counts() {
  return { id: 3, passwordHash: "", home: "", version: 1, epoch: 1 };
}
