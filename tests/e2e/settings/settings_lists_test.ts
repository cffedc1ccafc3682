import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { awake, openSettings, share, tokenFor } from "../../support/browser/settings.ts";
import { plantMany } from "../../support/data/many_records.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ alone: true, workerCounts: [1] });

/** Adds 120 users who are in the group 1, unless a test before has. */
async function plantUsers({ data }: RunningServer): Promise<void> {
  const store = await openStore(join(data, "cubby.kv"));
  const isPlanted = (await store.list(["groups"])).length > 0;
  if (!isPlanted) await plantMany(store, { users: 120, shares: 0, trash: 0 });
  store.close();
}

test(
  "a long list is read to its end and searched by the keyboard",
  {},
  async ({ page, server }) => {
    await plantUsers(server);
    await openSettings(page, "users");
    const more = page.getByRole("button", { name: "Show more" });
    const focusedRow = page.locator("tr:focus-within");
    await more.press("Enter");
    await page.getByText("100 of 121").waitFor();
    assert.match(await focusedRow.innerText(), /^user 000051/);
    await more.press("Space");
    await page.getByText("121 of 121").waitFor();
    assert.match(await focusedRow.innerText(), /^user 000101/);
    await more.waitFor({ state: "detached" });
    const search = page.getByLabel("Search");
    await search.fill("00012");
    await page.getByText("Rows: 3").waitFor();
    await search.fill("no such user");
    await page.getByText("Nothing found").waitFor();
    assert.deepEqual(await findBarriers(page), []);
  },
);

test("a look-up shows who is a member already", {}, async ({ page, server }) => {
  await plantUsers(server);
  await openSettings(page, "groups/1");
  const field = page.getByRole("combobox", { name: "Add Members" });
  await field.fill("0000");
  const member = page.getByRole("option", { name: "user 000002" });
  await member.waitFor();
  assert.equal(await member.getAttribute("aria-disabled"), "true");
  await field.press("Enter");
  assert.equal(await field.inputValue(), "0000");
  assert.deepEqual(await findBarriers(page), []);
  await field.fill("no such user");
  await page.getByText("Nothing found").waitFor();
  await field.fill("admin");
  await page.getByRole("option", { name: "admin" }).waitFor();
  await field.press("Enter");
  await page.locator(".pick__chosen").first().getByText("admin").waitFor();
});

test("a picker keeps the focus, and works by the keyboard", {}, async ({ page, server }) => {
  await plantUsers(server);
  await openSettings(page, "groups/new");
  const field = page.getByRole("combobox", { name: "Add Members" });
  const active = page.locator("[role=option][aria-selected=true]");
  const isFocused = () => field.and(page.locator(":focus")).waitFor();
  await field.fill("00000");
  await page.getByRole("option", { name: "user 000009" }).waitFor();
  await field.press("ArrowDown");
  assert.equal(await active.innerText(), "user 000002");
  assert.equal(await field.getAttribute("aria-activedescendant"), await active.getAttribute("id"));
  // Keys that move the caret leave the list.
  await field.press("Home");
  assert.equal(await active.count(), 0);
  await field.press("ArrowUp");
  assert.equal(await active.innerText(), "user 000009");
  await field.press("Escape");
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  assert.equal(await field.getAttribute("aria-activedescendant"), null);
  await field.press("ArrowDown");
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  assert.equal(await active.innerText(), "user 000002");
  await field.press("Enter");
  assert.equal(await field.inputValue(), "");
  await field.fill("000004");
  // What was found for an earlier text is not taken for this one.
  await field.press("Enter");
  assert.equal(await page.getByRole("button", { name: "Remove user 000003" }).count(), 0);
  const remove = (name: string) => page.getByRole("button", { name: `Remove ${name}` });
  await page.getByRole("option", { name: "user 000004" }).or(remove("user 000004")).waitFor();
  // On a fast server the key has met what was found for this text.
  if (await remove("user 000004").count() === 0) await field.press("Enter");
  await remove("user 000002").press("Enter");
  await remove("user 000004").and(page.locator(":focus")).press("Enter");
  await remove("user 000004").waitFor({ state: "detached" });
  await isFocused();
});

test("the way back leads to the same search and rows", {}, async ({ page, server }) => {
  await plantUsers(server);
  await openSettings(page, "users");
  const search = page.getByLabel("Search");
  await page.getByRole("button", { name: "Show more" }).press("Enter");
  await page.getByText("100 of 121").waitFor();
  assert.equal(new URL(page.url()).search, "?limit=100");
  await page.getByRole("link", { name: "Edit user 000080" }).press("Enter");
  await page.waitForURL(/users\/80$/);
  await awake(page);
  await page.goBack();
  await awake(page);
  await page.getByText("100 of 121").waitFor();
  await page.waitForFunction(() => {
    const row = document.querySelector("a[href$='/users/80']")?.getBoundingClientRect();
    return row && row.top > 0 && row.bottom < innerHeight;
  });
  await page.getByRole("button", { name: "Show more" }).press("Enter");
  await page.getByText("121 of 121").waitFor();
  await page.reload();
  await awake(page);
  await page.getByText("121 of 121").waitFor();
  await search.fill("00012 #%?日本 `");
  await page.getByText("Nothing found").waitFor();
  await page.reload();
  await awake(page);
  assert.equal(await search.inputValue(), "00012 #%?日本 `");
  await page.getByText("Nothing found").waitFor();
  await search.fill("");
  await page.getByText("50 of 121").waitFor();
  assert.equal(new URL(page.url()).search, "");
});

test("the count of a list follows what is removed", {}, async ({ page, server }) => {
  for (let count = 0; count < 3; count++) {
    await tokenFor(server, server.username, server.password);
  }
  await openSettings(page, "profile?limit=2");
  const count = page.getByRole("region", { name: "Sessions" }).getByText(/^2 of \d/);
  const [, total = ""] = (await count.innerText()).split(" of ");
  await page.getByRole("button", { name: /^Sign out on/ }).first().press("Enter");
  await page.getByText(`1 of ${Number(total) - 1}`).waitFor();
  await page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
  await page.getByRole("button", { name: /^Sign out on/ }).waitFor({ state: "detached" });
  await page.getByText(/^Only this|^1 of 1$/).waitFor();
});

test(
  "after a share is deleted the focus is on the row in its place",
  { tree: { "a.txt": "", "b.txt": "", "c.txt": "" } },
  async ({ page, server, address }) => {
    const path = address.replace("/files", "");
    for (const name of ["a.txt", "b.txt", "c.txt"]) await share(server, path + name);
    await page.goto("/shared");
    await awake(page);
    const rows = page.getByRole("main").locator("[data-index]");
    const names = await rows.locator(".row__name").allTextContents();
    const remove = async (name: string) => {
      await rows.filter({ hasText: name }).locator(".row__name").focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("Delete");
      const sure = page.getByRole("dialog").getByRole("button", { name: "Delete" });
      await sure.and(page.locator(":focus")).press("Enter");
      await rows.filter({ hasText: name }).waitFor({ state: "detached" });
    };
    const [first = "", middle = "", last = ""] = names;
    const isOn = (name: string) =>
      page.locator("[data-index]:focus-within", { hasText: name }).waitFor();
    await remove(middle);
    await isOn(last);
    await remove(last);
    await isOn(first);
    await remove(first);
    await page.getByRole("heading", { name: "It feels lonely here…" }).waitFor();
  },
);

test(
  "after the last row that is shown was removed the next ones appear",
  { tree: { "a.txt": "", "b.txt": "", "c.txt": "" } },
  async ({ page, server, address }) => {
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      await share(server, `${address.replace("/files", "")}${name}`);
    }
    await page.goto("/shared?limit=2");
    await awake(page);
    const rows = page.getByRole("main").locator("[data-index]");
    for (let count = 0; count < 3; count++) {
      const name = await rows.first().locator(".row__name").textContent() ?? "";
      await page.getByRole("button", { name: `Actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: "Delete share" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await rows.filter({ hasText: name }).waitFor({ state: "detached" });
    }
    await page.getByRole("heading", { name: "It feels lonely here…" }).waitFor();
  },
);
