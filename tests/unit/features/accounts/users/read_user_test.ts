import assert from "node:assert/strict";
import { defaultSettings } from "../../../../../lib/server/features/settings/settings.ts";
import {
  readUserChange,
  readUserDraft,
  readWhich,
  userFieldNames,
} from "../../../../../lib/server/features/accounts/users/read_user.ts";
import type { User } from "../../../../../lib/server/features/accounts/users/user.ts";
import { fieldsOf } from "./identity.ts";

const user: User = {
  ...fieldsOf("anna"),
  id: 3,
  passwordHash: "",
  home: "",
  version: 1,
  epoch: 1,
};

Deno.test("readWhich() refuses names that no field has", () => {
  for (const which of [["id"], ["passwordHash"], ["all", "epoch"], ["__proto__"], "all", [1]]) {
    assert.throws(() => readWhich(which), { code: "invalid_body" }, JSON.stringify(which));
  }
});

Deno.test("readWhich() matches names in any case, and takes nothing for everything", () => {
  assert.deepEqual(readWhich(["Locale", "HIDEDOTFILES"]), ["locale", "hideDotfiles"]);
  for (const which of [undefined, null, [], ["all"], ["All"], ["locale", "ALL"]]) {
    assert.deepEqual(readWhich(which), userFieldNames);
  }
});

const wrong: [string, unknown, string][] = [
  ["no object", [], "invalid_body"],
  ["nothing", null, "invalid_body"],
  ["a number for a name", { username: 7 }, "invalid_body"],
  ["a text for a flag", { singleClick: "yes" }, "invalid_body"],
  ["a text for a list", { commands: "git" }, "invalid_body"],
  ["a number in a list", { commands: ["git", 1] }, "invalid_body"],
  ["an unknown view mode", { viewMode: "grid" }, "invalid_body"],
  ["an unknown order", { sorting: { by: "colour", asc: true } }, "invalid_body"],
  ["a list for permissions", { perm: [] }, "invalid_body"],
  ["a number for a permission", { perm: { admin: 1 } }, "invalid_body"],
  ["a locale that is none", { locale: "<script>" }, "invalid_body"],
  ["a scope that climbs out", { scope: "/a/../../b" }, "invalid_path"],
  ["a scope with a NUL", { scope: "/a\0" }, "invalid_path"],
  [
    "a rule that does not compile",
    { rules: [{ regex: true, regexp: { raw: "(" } }] },
    "invalid_rule",
  ],
  ["more commands than a token holds", { commands: ["x".repeat(1001)] }, "invalid_body"],
  ["an endless text", { username: "x".repeat(2001) }, "invalid_body"],
];
for (const [what, data, code] of wrong) {
  Deno.test(`readUserChange() refuses ${what}`, () => {
    assert.throws(() => readUserChange(data, userFieldNames, user), { code });
  });
}

Deno.test("readUserChange() refuses a field that is named and not there", () => {
  assert.throws(() => readUserChange({ locale: "de" }, ["locale", "dateFormat"], user), {
    code: "invalid_body",
  });
});

Deno.test("readUserChange() reads the named fields and no others", () => {
  const data = { locale: "de", perm: { admin: true }, passwordHash: "x", id: 1, epoch: 9 };
  assert.deepEqual(readUserChange(data, ["locale"], user), { locale: "de" });
});

Deno.test("readUserChange() of all fields takes an empty password for none", () => {
  assert.deepEqual(readUserChange({ password: "", locale: "de" }, userFieldNames, user), {
    locale: "de",
  });
  assert.deepEqual(readUserChange({ password: "" }, ["password"], user), { password: "" });
});

Deno.test("readUserChange() lays partial permissions and orders over the user's own", () => {
  const data = { perm: { share: false }, sorting: { by: "size" } };
  assert.deepEqual(readUserChange(data, userFieldNames, user), {
    perm: { ...user.perm, share: false },
    sorting: { by: "size", asc: true },
  });
});

Deno.test("readUserChange() reads scopes and lists as File Browser writes them", () => {
  const scopes = { ".": "/", "": "/", "./a": "/a", "a/b/": "/a/b", "/a": "/a", "/.a": "/.a" };
  for (const [scope, expected] of Object.entries(scopes)) {
    assert.deepEqual(readUserChange({ scope }, ["scope"], user), { scope: expected }, scope);
  }
  assert.deepEqual(readUserChange({ rules: null, commands: null }, userFieldNames, user), {
    rules: [],
    commands: [],
  });
});

Deno.test("readUserChange() fills in what a rule leaves out, to the safe side", () => {
  const { rules } = readUserChange({ rules: [{ path: "/a" }] }, ["rules"], user);
  assert.deepEqual(rules, [{ allow: false, path: "/a", regex: false, regexp: { raw: "" } }]);
});

Deno.test("readUserDraft() starts from the defaults", () => {
  const settings = defaultSettings();
  settings.defaults.locale = "fr";
  settings.defaults.perm.share = false;
  const draft = readUserDraft(
    { id: 0, username: "bert", password: "rainy tuesdays", perm: { modify: false } },
    settings,
  );
  assert.deepEqual(draft, {
    ...settings.defaults,
    username: "bert",
    password: "rainy tuesdays",
    perm: { ...settings.defaults.perm, modify: false },
    mail: "",
    lockPassword: false,
    roots: [],
    rules: [],
    groups: [],
  });
});

Deno.test("readUserDraft() leaves a missing password empty, for the policy to refuse", () => {
  assert.deepEqual(readUserDraft({ username: "bert" }, defaultSettings()), {
    ...fieldsOf("bert"),
    password: "",
  });
});
