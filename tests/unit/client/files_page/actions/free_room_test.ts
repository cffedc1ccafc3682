import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { type Heard, until } from "../../support.ts";
import { askedOf, callsOf, type Fixture, setUp } from "./fixture.ts";

const at = (text: string) => parsePath(text).path;

/** Actions whose quota takes nothing until the trash is empty. */
function fullDesk(trash: string[]) {
  const answer = ({ path, method }: Heard) => {
    if (path !== "/api/trash") return null;
    if (method === "DELETE") trash.length = 0;
    return Response.json({ items: trash.map((name) => ({ id: name, name })), next: null });
  };
  let isFull = true;
  const refuse = (_: string, path: string) => path === "/docs/a" && isFull ? "over_quota" : null;
  const there = { "/to": [] };
  const files = setUp(["a", "b"], { answer, refuse, there, hasTimers: true });
  return Object.assign(files, { makeRoom: () => isFull = false });
}

const copied = (files: Fixture) =>
  files.actions.drop("copy", [at("/docs/a"), at("/docs/b")], at("/to"));

const refusalOf = ({ toasts }: Fixture) =>
  toasts.shown.value.find(({ kind }) => kind === "error") ?? assert.fail("no refusal");

function closeAll({ toasts }: Fixture): void {
  for (const { id } of toasts.shown.value) toasts.close(id);
}

Deno.test("a copy that a quota refuses offers to empty the trash, then to copy the rest", async () => {
  await using files = fullDesk(["old"]);
  await copied(files);
  const { action } = refusalOf(files);
  assert.equal(action?.label, "Empty trash");
  const running = action?.run() as Promise<unknown>;
  await until(() => files.prompts.current.value !== null);
  files.prompts.answer("confirm", true);
  assert.notEqual(await running, false, "the refusal may go");
  assert.deepEqual(callsOf(files, "DELETE"), ["/api/trash"]);
  files.makeRoom();
  const again = files.toasts.shown.value.find(({ action }) => action?.label === "Try again");
  again?.action?.run();
  const isTold = () => files.toasts.shown.value.filter(({ undo }) => undo).length === 2;
  await until(isTold);
  assert.deepEqual(files.folders["/to"], ["a", "b"]);
  await until(() => !files.listing.refreshing.value);
  assert.equal(askedOf(files).length, 3, "what had arrived is not copied twice");
  closeAll(files);
});

Deno.test("who says no to that keeps the trash, and the refusal stays", async () => {
  await using files = fullDesk(["old"]);
  await copied(files);
  const running = refusalOf(files).action?.run() as Promise<unknown>;
  await until(() => files.prompts.current.value !== null);
  files.prompts.close();
  assert.equal(await running, false);
  assert.deepEqual(callsOf(files, "DELETE"), []);
  closeAll(files);
});

Deno.test("nothing is offered where the trash is empty", async () => {
  await using files = fullDesk([]);
  await copied(files);
  assert.equal(refusalOf(files).action, undefined);
  closeAll(files);
});
