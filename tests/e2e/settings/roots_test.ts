import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { folder as treeRow, prompt } from "../../support/browser/prompts.ts";
import { addUser, awake, enterAs, openSettings, tokenFor } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ alone: true, workerCounts: [1] });

const tree = {
  pics: { "sea.txt": "sea", sub: {} },
  team: { "plan.txt": "plan", inbox: {} },
};

async function confirm(page: Page, password: string): Promise<void> {
  await prompt(page, "Confirm it’s you").getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
}

const rootsOf = (own: string, pics = "Photos", team = "Team") => [
  { name: pics, path: `/${own}/pics`, readOnly: true },
  { name: team, path: `/${own}/team`, readOnly: false },
];

/** Makes a group with roots and all that can be done there, which can be given others. */
async function makeGroup(server: RunningServer, roots: object[]) {
  const headers = { "x-auth": await tokenFor(server, server.username, server.password) };
  const proof = { current_password: server.password };
  const send = async (method: string, path: string, json: object) => {
    const body = JSON.stringify({ ...json, ...proof });
    const answer = await fetch(`${server.url}/api/groups${path}`, { method, headers, body });
    assert.ok(answer.ok, await answer.clone().text());
    return await answer.json();
  };
  const may = (names: readonly (keyof Permissions)[]) => ({
    perm: permissionsWhere((name) => names.includes(name)),
  });
  const all = ["create", "delete", "modify", "rename"] as const;
  const { id } = await send("POST", "", { name: crypto.randomUUID(), roots, ...may(all) });
  return {
    id,
    give: (given: object[]) => send("PUT", `/${id}`, { roots: given }),
    permit: (...names: (keyof Permissions)[]) => send("PUT", `/${id}`, may(names)),
    permitAll: () => send("PUT", `/${id}`, may(all)),
  };
}

test(
  "the scope of a user is picked from the folders, and made there",
  { tree, expected: [403] },
  async ({ page, server, folder }) => {
    const own = folder.slice(folder.lastIndexOf("/") + 1);
    await openSettings(page, await addUser(server, "scout", { scope: `/${own}/team` }));
    const scope = page.getByLabel("Scope", { exact: true });
    const pick = page.getByRole("button", { name: "Choose a folder for the scope" });
    await pick.press("Enter");
    const choosing = prompt(page, "Choose a folder");
    await treeRow(page, "team").first().waitFor();
    await choosing.getByRole("button", { name: "New folder" }).click();
    await page.locator("#field-new-folder").fill("scout");
    await page.keyboard.press("Enter");
    await treeRow(page, "scout").first().waitFor();
    await choosing.getByRole("button", { name: "Choose", exact: true }).click();
    await choosing.waitFor({ state: "detached" });
    await eventually(async () => await scope.inputValue() === `/${own}/team/scout`);
    await page.locator('[aria-label="Choose a folder for the scope"]:focus').waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await confirm(page, server.password);
    await page.getByText("User updated!").waitFor();

    await openSettings(page, "global");
    await pick.click();
    await treeRow(page, own).first().click();
    await choosing.getByRole("button", { name: "Choose", exact: true }).click();
    await eventually(async () => await scope.inputValue() === `/${own}`);
  },
);

test("an administrator of one folder is told that the picker shows no others", {
  tree,
}, async ({ page, server, folder }) => {
  const own = folder.slice(folder.lastIndexOf("/") + 1);
  const hint = "The picker shows your own folders.";
  await openSettings(page, "users/new");
  assert.equal(await page.getByText(hint).count(), 0);
  const perm = permissionsWhere(() => true);
  await addUser(server, `admin of ${own}`, { scope: `/${own}`, perm });
  await enterAs(page, `admin of ${own}`);
  await openSettings(page, "users/new");
  assert.equal(await page.getByText(hint).count(), 2);
  await page.getByRole("button", { name: "Choose a folder for the scope" }).click();
  await treeRow(page, "team").first().click();
  const choosing = prompt(page, "Choose a folder");
  await choosing.getByRole("button", { name: "Choose", exact: true }).click();
  await choosing.waitFor({ state: "detached" });
  const scope = page.getByLabel("Scope", { exact: true });
  await eventually(async () => await scope.inputValue() === `/${own}/team`);
});

for (const device of ["desktop", "phone"] as const) {
  test(
    `a user is given named folders by the keyboard, one of them read-only (${device})`,
    { device, tree, expected: [400, 403] },
    async ({ page, server, folder }) => {
      const own = folder.slice(folder.lastIndexOf("/") + 1);
      const name = `vera on ${device}`;
      const address = await addUser(server, name);
      const news = await hearNews(page);
      await openSettings(page, address);
      await page.getByRole("button", { name: "Add folder" }).press("Enter");
      const first = page.getByLabel("Name of folder 1");
      await page.locator("input:focus").and(first).waitFor();
      await page.keyboard.type("..");
      await page.getByText("A name can’t contain a slash or begin with a dot.").waitFor();
      await page.getByLabel("Username").press("Enter");
      await page.getByText("Check the highlighted fields.").waitFor();
      await page.getByText("Enter a folder.").waitFor();
      await first.fill("Photos");
      await page.getByLabel("Location of folder 1").fill(`/${own}/pics`);
      await page.getByRole("checkbox", { name: "Read-only" }).press("Space");
      await page.getByRole("button", { name: "Add folder" }).press("Enter");
      await page.locator("input:focus").and(page.getByLabel("Name of folder 2")).waitFor();
      await page.keyboard.type("photos");
      await page.getByText("Another folder already has this name.").waitFor();
      await page.getByLabel("Name of folder 2").fill("Team");
      await page.getByLabel("Location of folder 2").fill(`/${own}/pics`);
      await page.getByText("Another name already leads to this folder.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "form with faults");
      const picks = page.locator('[aria-label="Choose folder 2"]:focus');
      await page.getByRole("button", { name: "Choose folder 2" }).press("Enter");
      const choosing = prompt(page, "Choose a folder");
      await treeRow(page, "team").first().click();
      await choosing.getByRole("button", { name: "Choose", exact: true }).press("Enter");
      await choosing.waitFor({ state: "detached" });
      await picks.waitFor();
      const second = page.getByLabel("Location of folder 2");
      await eventually(async () => await second.inputValue() === `/${own}/team`);
      assert.ok(await page.getByLabel("Scope").isDisabled());
      await page.getByText("Not used: the user sees named folders instead.").waitFor();
      await page.getByText("Everything in the user’s writable folders and trash counts.").waitFor();
      // A second Enter right after the one that closed a prompt is ignored.
      await page.getByRole("button", { name: "Move folder 2 up" }).press("Space");
      await eventually(async () => await first.inputValue() === "Team");
      await page.getByRole("button", { name: "Move folder 1 down" }).press("Enter");
      await page.getByLabel("Username").press("Enter");
      await confirm(page, server.password);
      await news("User updated!");
      await page.reload();
      await awake(page);
      assert.equal(await first.inputValue(), "Photos");
      assert.deepEqual(await findBarriers(page), [], "form");
      await openSettings(page, "users");
      await page.getByRole("row").filter({ hasText: name }).getByText("Photos, Team").waitFor();

      await enterAs(page, name);
      await entry(page, "Photos").waitFor();
      await entry(page, "Team").waitFor();
      await page.getByText("These folders were given to you.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "top");
    },
  );

  test(
    `a read-only folder offers no change, by menu, key or drop (${device})`,
    { device, tree, expected: [400, 403] },
    async ({ page, server, folder }) => {
      const own = folder.slice(folder.lastIndexOf("/") + 1);
      const name = `anna on ${device}`;
      await addUser(server, name, { roots: rootsOf(own) });
      await enterAs(page, name);
      await entry(page, "Photos").waitFor();
      const upload = page.getByRole("button", { name: "Upload", exact: true });
      const create = page.getByRole("button", { name: "New folder" });
      assert.equal(await upload.count() + await create.count(), 0, "top");
      await page.goto("/files/Photos/");
      await entry(page, "sea.txt").waitFor();
      await page.getByText("This folder is read-only.").waitFor();
      assert.equal(await upload.count() + await create.count(), 0, "read-only root");
      assert.deepEqual(await findBarriers(page), [], "read-only root");
      await rowOf(page, "sea.txt").click({ button: "right" });
      const menu = page.getByRole("menu");
      await menu.getByRole("menuitem", { name: "Copy to" }).waitFor();
      for (const act of ["Rename", "Move to", "Delete", "Cut"]) {
        assert.equal(await menu.getByRole("menuitem", { name: act }).count(), 0, act);
      }
      await menu.getByRole("menuitem", { name: "Copy to" }).click();
      const copying = prompt(page, /^Copy/);
      await treeRow(page, "Team").waitFor();
      await copying.getByText("This folder is read-only.").waitFor();
      const copy = copying.getByRole("button", { name: "Copy", exact: true });
      assert.ok(await copy.isDisabled());
      await treeRow(page, "Team").click();
      await copy.click();
      await page.getByText("1 item copied").waitFor();
      await page.goto("/files/Team/");
      await entry(page, "sea.txt").waitFor();
      await upload.waitFor();
      assert.equal(await page.getByText("This folder is read-only.").count(), 0);
      await Deno.stat(join(folder, "team/sea.txt"));
    },
  );
}

test(
  "keys that would change a read-only folder say why they do not",
  { tree, expected: [] },
  async ({ page, server, folder }) => {
    const own = folder.slice(folder.lastIndexOf("/") + 1);
    await addUser(server, "kim", { roots: rootsOf(own) });
    await enterAs(page, "kim");
    await page.goto("/files/Photos/");
    await listingAwake(page);
    await entry(page, "sea.txt").click();
    const told = page.locator(".toast").getByText("This folder is read-only.");
    for (const key of ["F2", "Delete", "Shift+Delete", "Control+x"]) {
      await page.keyboard.press(key);
      await told.waitFor();
      await page.locator(".toast").getByRole("button", { name: "Close" }).press("Enter");
      await told.waitFor({ state: "detached" });
      const row = rowOf(page, "sea.txt").getByRole("link");
      assert.ok(await row.evaluate((link) => link === document.activeElement), key);
    }
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.goto("/files/");
    await listingAwake(page);
    await entry(page, "Team").click();
    await page.keyboard.press("Delete");
    await page.locator(".toast").getByText("These folders were given to you.").waitFor();
    assert.deepEqual([...Deno.readDirSync(folder)].length, 2);
  },
);

test(
  "the text of a read-only folder opens to be read, and says so",
  { tree, expected: [] },
  async ({ page, server, folder }) => {
    const own = folder.slice(folder.lastIndexOf("/") + 1);
    await addUser(server, "lee", { roots: rootsOf(own) });
    await enterAs(page, "lee");
    await page.goto("/files/Photos/sea.txt");
    await page.getByRole("note").getByText("This folder is read-only.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  },
);

test(
  "a group gives its members named folders, which one of them sees at the next look",
  { tree, expected: [] },
  async ({ page, server, folder }) => {
    const own = folder.slice(folder.lastIndexOf("/") + 1);
    await addUser(server, "max");
    await openSettings(page, "groups/new");
    await page.getByLabel("Group name").fill("Readers");
    await page.getByRole("checkbox", { name: "max" }).check();
    await page.getByRole("button", { name: "Add folder" }).click();
    await page.getByLabel("Name of folder 1").fill("Given");
    await page.getByLabel("Location of folder 1").fill(`/${own}/pics`);
    await page.getByRole("checkbox", { name: "Read-only" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await confirm(page, server.password);
    await page.waitForURL(/\/settings\/groups\/\d+$/);
    await awake(page);
    assert.ok(await page.getByRole("checkbox", { name: "Read-only" }).isChecked());
    assert.deepEqual(await findBarriers(page), []);
    await enterAs(page, "max");
    await entry(page, "Given").waitFor();
    await page.goto("/files/Given/");
    await page.getByText("This folder is read-only.").waitFor();
  },
);

for (const device of ["desktop", "phone"] as const) {
  test(
    `an open page follows the roots and permissions of a group, with a lock on read-only ones (${device})`,
    { device, tree, expected: [403, 404] },
    async ({ page, server, folder }) => {
      const scene = folder.slice(folder.lastIndexOf("/") + 1);
      const group = await makeGroup(server, rootsOf(scene));
      const name = `eve on ${device}`;
      const none = permissionsWhere(() => false);
      await addUser(server, name, { groups: [group.id], perm: none });
      await enterAs(page, name);
      await entry(page, "Photos").waitFor();
      const lock = (of: string) => rowOf(page, of).getByRole("img", { name: "Read-only" });
      await lock("Photos").waitFor();
      assert.equal(await lock("Team").count(), 0);
      await listingAwake(page);
      if (device === "phone") await page.getByRole("button", { name: "Open menu" }).tap();
      await page.getByRole("button", { name: "Folders", exact: true }).click();
      const inTree = (of: string | RegExp) =>
        page.getByRole("tree").getByRole("treeitem", { name: of, exact: true });
      await inTree("Photos Read-only").waitFor();
      await inTree("Team").waitFor();
      assert.deepEqual(await findBarriers(page), [], "tree");
      if (device === "phone") await page.keyboard.press("Escape");

      await group.give([...rootsOf(scene), { name: "Inbox", path: `/${scene}/team/inbox` }]);
      await entry(page, "Inbox").waitFor();
      if (device === "desktop") await inTree("Inbox").waitFor();

      await entry(page, "Team").click();
      await page.keyboard.press("Enter");
      await entry(page, "plan.txt").waitFor();
      const upload = page.getByRole("button", { name: "Upload", exact: true });
      await upload.waitFor();
      await group.permit("rename");
      await upload.waitFor({ state: "detached" });
      await group.permitAll();
      await upload.waitFor();
      await group.give(rootsOf(scene).map((root) => ({ ...root, readOnly: true })));
      await page.getByText("This folder is read-only.").waitFor();
      await upload.waitFor({ state: "detached" });
      if (device === "desktop") await inTree("Team Read-only").waitFor();
      await group.give(rootsOf(scene).map((root) => ({ ...root, readOnly: false })));
      await upload.waitFor();
      await group.give(rootsOf(scene).slice(0, 1));
      await page.getByRole("heading", { name: "Nothing here" }).or(page.getByText("404")).first()
        .waitFor();
    },
  );
}
