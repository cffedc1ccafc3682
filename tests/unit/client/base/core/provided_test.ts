import assert from "node:assert/strict";
import { Provided } from "../../../../../lib/client/base/core/use_site.ts";

Deno.test("get() refuses what no module has provided, and names it", () => {
  assert.throws(() => new Provided<string>("site").get(), /no module of this page provides "site"/);
});

Deno.test("get() returns what was provided last", () => {
  const name = new Provided<string>("name");
  name.provide("ada");
  name.provide("eve");
  assert.equal(name.get(), "eve");
});
