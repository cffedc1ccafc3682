import assert from "node:assert/strict";
import {
  LeaveGuard,
  leavingLink,
  type LinkClick,
} from "../../../../../lib/client/base/navigation/leave_guard.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { FormBlocker } from "../../../../../lib/client/screens/settings/use_unsaved.ts";

/** Two forms of one page, both filled in; saving the second fails. */
function openPage() {
  const guard = new LeaveGuard();
  const prompts = new Prompts();
  const saved: string[] = [];
  const forms = ["one", "two"].map((name) => ({
    name,
    isChanged: true,
    save: () => Promise.resolve(saved.push(name) > 0 && name === "one"),
  }));
  for (const form of forms) guard.hold(new FormBlocker(prompts, () => form));
  const asked = () => prompts.current.peek()?.input as { name: string } | undefined;
  return { guard, prompts, forms, saved, asked };
}

Deno.test("a page with a changed form is not left while the question is closed", async () => {
  const { guard, prompts, asked } = openPage();
  const leaving = guard.mayLeave();
  assert.equal(asked()?.name, "one");
  prompts.close();
  assert.equal(await leaving, false);
  assert.ok(!guard.isFree);
});

Deno.test("each changed form is asked about, and one that can't be saved stays", async () => {
  const { guard, prompts, saved, asked } = openPage();
  const leaving = guard.mayLeave();
  prompts.answer("discard", "save");
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(asked()?.name, "two");
  prompts.answer("discard", "save");
  assert.equal(await leaving, false);
  assert.deepEqual(saved, ["one", "two"]);

  const again = guard.mayLeave();
  prompts.answer("discard", "discard");
  assert.equal(await again, true);
  assert.ok(guard.isFree);
});

Deno.test("nobody is asked about forms as they were, nor once the page is being left", async () => {
  const { guard, forms } = openPage();
  for (const form of forms) form.isChanged = false;
  assert.equal(await guard.mayLeave(), true);
  for (const form of forms) form.isChanged = true;
  assert.ok(!guard.isFree);
  guard.letGo();
  assert.ok(guard.isFree);
});

Deno.test("leavingLink() is the link that a plain click follows to another page", () => {
  const here = { href: "http://nas.local/settings/profile" };
  const linkTo = (href: string, attributes: { target?: string; download?: boolean } = {}) => ({
    href,
    target: attributes.target ?? "",
    hasAttribute: () => attributes.download ?? false,
  });
  const follow = (link: ReturnType<typeof linkTo>, click: Partial<LinkClick> = {}) => {
    const target = { closest: () => link } as unknown as EventTarget;
    const plain = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
    return leavingLink({ ...plain, defaultPrevented: false, target, ...click }, here)?.href;
  };
  const files = "http://nas.local/files/";
  assert.equal(follow(linkTo(files)), files);
  assert.equal(follow(linkTo(here.href)), here.href);
  assert.equal(follow(linkTo(`${files}#x`)), `${files}#x`);
  assert.equal(follow(linkTo(`${here.href}#content`)), undefined);
  assert.equal(follow(linkTo(files, { target: "_blank" })), undefined);
  assert.equal(follow(linkTo(files, { download: true })), undefined);
  assert.equal(follow(linkTo(files), { ctrlKey: true }), undefined);
  assert.equal(follow(linkTo(files), { button: 1 }), undefined);
  assert.equal(follow(linkTo(files), { defaultPrevented: true }), undefined);
});
