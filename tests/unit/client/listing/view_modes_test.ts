import assert from "node:assert/strict";
import type { ViewMode } from "../../../../lib/shared/api_types.ts";
import { Preferences } from "../../../../lib/client/core/preferences.ts";
import { ViewModes } from "../../../../lib/client/listing/view_modes.ts";
import { speakTo, until } from "../support.ts";

Deno.test("ViewModes begins as the account says", () => {
  const view = new ViewModes({ initial: "mosaic gallery", save: () => {} });
  assert.equal(view.mode.value, "mosaic gallery");
  assert.equal(new ViewModes({ initial: undefined, save: () => {} }).mode.value, "list");
});

Deno.test("ViewModes goes through all of them, begins again, and has each choice kept", () => {
  const saved: ViewMode[] = [];
  const view = new ViewModes({ initial: "list", save: (mode) => saved.push(mode) });
  for (const _ of [1, 2, 3]) view.choose(view.next);
  assert.deepEqual(saved, ["mosaic", "mosaic gallery", "list"]);
  assert.equal(view.mode.value, "list");
});

Deno.test("Preferences sends only the fields that were chosen, one call at a time", async () => {
  const first = Promise.withResolvers<void>();
  await using spoken = speakTo(async () => {
    if (spoken.heard.length === 1) await first.promise;
    return new Response();
  });
  const preferences = new Preferences((fields) => spoken.api.changeUser(2, fields));
  void preferences.save({ viewMode: "mosaic" });
  void preferences.save({ viewMode: "list" });
  const last = preferences.save({ sorting: { by: "size", asc: false } });
  void preferences.save({ viewMode: "mosaic gallery" });
  await until(() => spoken.heard.length === 1);
  first.resolve();
  await until(() => spoken.heard.length === 2);
  await last;
  assert.deepEqual(spoken.heard.map(({ method, path }) => `${method} ${path}`), [
    "PUT /api/users/2",
    "PUT /api/users/2",
  ]);
  assert.deepEqual(spoken.heard.map(({ body }) => JSON.parse(body)), [
    { what: "user", which: ["viewMode"], data: { viewMode: "mosaic" } },
    {
      what: "user",
      which: ["viewMode", "sorting"],
      data: { viewMode: "mosaic gallery", sorting: { by: "size", asc: false } },
    },
  ]);
});

Deno.test("Preferences goes on after a choice that could not be kept", async () => {
  await using spoken = speakTo(() => new Response("no", { status: 500 }));
  const preferences = new Preferences((fields) => spoken.api.changeUser(2, fields));
  await preferences.save({ viewMode: "mosaic" });
  await preferences.save({ viewMode: "list" });
  assert.equal(spoken.heard.length, 2);
});
