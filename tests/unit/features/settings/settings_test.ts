import assert from "node:assert/strict";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { readSettings } from "../../../../lib/server/features/settings/settings.ts";
import { defaultSettings } from "../../../../lib/server/features/settings/settings.ts";
import { SettingsStore } from "../../../../lib/server/features/settings/settings_store.ts";

const wrong: [string, unknown, string][] = [
  ["no object", "signup", "invalid_body"],
  ["a text for a flag", { signup: "true" }, "invalid_body"],
  ["a text for the shell", { shell: "bash -c" }, "invalid_body"],
  ["an unknown theme", { branding: { theme: "pink" } }, "invalid_body"],
  ["an unknown event", { commands: { before_lunch: ["ls"] } }, "invalid_body"],
  ["a text for the lines of an event", { commands: { after_save: "ls" } }, "invalid_body"],
  [
    "a rule that does not compile",
    { rules: [{ regex: true, regexp: { raw: "[" } }] },
    "invalid_rule",
  ],
  ["a rule that is no object", { rules: ["/a"] }, "invalid_body"],
  ["a default scope that climbs out", { defaults: { scope: "../.." } }, "invalid_path"],
  ["a default permission that is none", { defaults: { perm: { share: "no" } } }, "invalid_body"],
];
for (const [what, data, code] of wrong) {
  Deno.test(`readSettings() refuses ${what}`, () => {
    assert.throws(() => readSettings(data, defaultSettings()), { code });
  });
}

Deno.test("readSettings() keeps what is left out, down to the single line", () => {
  const current = defaultSettings();
  current.commands.after_copy = ["touch copied"];
  current.branding.name = "Attic";
  current.defaults.locale = "fr";
  const settings = readSettings({
    signup: true,
    commands: { after_save: ["touch saved"], before_copy: null },
    branding: { theme: "dark" },
    defaults: { singleClick: true, sorting: { asc: false } },
  }, current);
  assert.deepEqual(settings, {
    ...current,
    signup: true,
    commands: { ...current.commands, after_save: ["touch saved"] },
    branding: { ...current.branding, theme: "dark" },
    defaults: { ...current.defaults, singleClick: true, sorting: { by: "name", asc: false } },
  });
});

Deno.test("readSettings() ignores members of other versions and gives back whole settings", () => {
  const all = { ...defaultSettings(), hideDotfiles: true, fileMode: 416 };
  assert.deepEqual(readSettings(all, defaultSettings()), defaultSettings());
});

Deno.test("settings that the store could not hold are refused, and the former ones stay", async () => {
  const store = await openStore(":memory:");
  const settings = new SettingsStore(store);
  const huge = { ...defaultSettings(), shell: new Array(20).fill("x".repeat(1900)) };
  await assert.rejects(settings.update(huge), { code: "invalid_body" });
  assert.deepEqual(await settings.get(), defaultSettings());
  store.close();
});

Deno.test("the longest settings that pass fit into the store, whatever their letters", async () => {
  const store = await openStore(":memory:");
  const settings = new SettingsStore(store);
  const longest = { ...defaultSettings(), shell: new Array(14).fill("日".repeat(2000)) };
  await settings.update(longest);
  assert.deepEqual(await settings.get(), longest);
  store.close();
});

Deno.test("settings are the defaults until somebody changes them", async () => {
  const store = await openStore(":memory:");
  const settings = new SettingsStore(store);
  assert.deepEqual(await settings.get(), defaultSettings());
  await settings.update({ ...defaultSettings(), signup: true });
  assert.equal((await settings.get()).signup, true);
  store.close();
});
