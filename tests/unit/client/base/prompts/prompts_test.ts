import assert from "node:assert/strict";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";

const newDir = { taken: () => false, isDir: true, initial: "" };
const replace = { conflicts: [{ name: "a" }], mayReplace: true, others: false };

Deno.test("Prompts resolve to null when they are closed", async () => {
  const prompts = new Prompts();
  const answer = prompts.open("newDir", newDir);
  prompts.close();
  assert.equal(await answer, null);
  assert.equal(prompts.current.value, null);
});

Deno.test("Prompts take no answer that is meant for another prompt", async () => {
  const prompts = new Prompts();
  const answer = prompts.open("delete", { count: 2, mode: "trash" });
  prompts.answer("newDir", "late");
  assert.equal(prompts.current.value?.kind, "delete");
  prompts.answer("delete", true);
  assert.equal(await answer, true);
});

Deno.test("Prompts show one at a time, in the order they were asked for", async () => {
  const prompts = new Prompts();
  const first = prompts.open("newDir", newDir);
  const second = prompts.open("replace", replace);
  assert.equal(prompts.current.value?.kind, "newDir");
  prompts.answer("newDir", "photos");
  assert.equal(await first, "photos");
  const { kind, input } = prompts.current.value ?? {};
  assert.deepEqual({ kind, input }, { kind: "replace", input: replace });
  prompts.answer("replace", new Map([["a", "skip"]]));
  assert.equal((await second)?.get("a"), "skip");
});

Deno.test("Prompts have nothing to close when none is open", () => {
  const prompts = new Prompts();
  prompts.close();
  assert.equal(prompts.current.value, null);
});
