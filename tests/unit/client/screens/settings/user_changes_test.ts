import assert from "node:assert/strict";
import type { UserInfo } from "../../../../../lib/shared/schemas/user.ts";
import { withPermission } from "../../../../../lib/client/screens/settings/users/PermissionFields.tsx";
import {
  changesRights,
  userChanges,
} from "../../../../../lib/client/screens/settings/users/user_changes.ts";
import { defaultSettings } from "../../../../../lib/server/features/settings/settings.ts";

const user: UserInfo = {
  password: "",
  ...defaultSettings().defaults,
  id: 2,
  username: "vera",
  mail: "",
  lockPassword: false,
  roots: [],
  groups: [],
  rules: [{ allow: false, path: "/a", regex: false, regexp: { raw: "" } }],
};

Deno.test("userChanges() sends nothing of a user that stays as it is", () => {
  assert.deepEqual(userChanges(user, { ...structuredClone(user), password: "" }), {});
});

Deno.test("userChanges() sends what differs, however deep, and a password that was typed", () => {
  const wanted = structuredClone(user);
  wanted.perm.share = false;
  wanted.rules.push({ allow: true, path: "", regex: true, regexp: { raw: "b" } });
  wanted.locale = "de";
  const change = userChanges(user, { ...wanted, password: "four herons at dawn" });
  assert.deepEqual(change, {
    locale: "de",
    perm: wanted.perm,
    rules: wanted.rules,
    password: "four herons at dawn",
  });
});

Deno.test("changesRights() tells what wants the own password", () => {
  assert.ok(!changesRights({}));
  assert.ok(!changesRights({ locale: "de", viewMode: "mosaic", dateFormat: true }));
  assert.ok(changesRights({ scope: "/" }));
  assert.ok(changesRights({ roots: [] }));
  assert.ok(changesRights({ locale: "de", commands: [] }));
  assert.ok(changesRights({ password: "x" }));
  assert.ok(changesRights({ lockPassword: false }));
});

Deno.test("withPermission() gives an administrator everything, and takes one thing at a time", () => {
  const none = withPermission({ ...user.perm, create: false }, "rename", false);
  assert.equal(none.create, false);
  assert.equal(none.rename, false);
  const admin = withPermission(none, "admin", true);
  assert.deepEqual(new Set(Object.values(admin)), new Set([true]));
  const former = withPermission(admin, "admin", false);
  assert.equal(former.admin, false);
  assert.equal(former.create, true);
});
