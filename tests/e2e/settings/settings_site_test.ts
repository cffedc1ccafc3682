import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import { openSettings, share } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1], flags: ["--disable-exec=false"] });

test(
  "the whole server is settled on one page, and visitors sign up once they may",
  { expected: [400, 403, 409] },
  async ({ page, server }) => {
    const news = await hearNews(page);
    await openSettings(page, "global");
    const prompt = page.getByRole("dialog", { name: "Confirm it’s you" });
    await page.getByLabel("After copying", { exact: true }).fill("echo copied");
    await page.getByRole("button", { name: "Save" }).click();
    await prompt.getByLabel("Current password").fill(server.password);
    await page.keyboard.press("Enter");
    await news("Commands updated!");
    const save = await page.getByRole("button", { name: "Save" }).boundingBox();
    const end = await page.locator(".corner").evaluate((at) => at.getBoundingClientRect().bottom);
    assert.ok(save && end <= save.y, "messages lie on the button");
    await page.getByRole("checkbox", { name: "Allow visitors to sign up" }).check();
    await page.getByRole("checkbox", { name: "Create a home folder for each new user" }).check();
    await page.getByLabel("After uploading").fill("echo one\n\n  echo two  \n");
    await page.getByLabel("Site name").fill("<b>Nest</b>");
    await page.getByLabel("Site name").press("Enter");
    await prompt.getByLabel("Current password").fill(server.password);
    await page.keyboard.press("Enter");
    await news("Settings updated!");
    await page.waitForFunction(() => document.title === "Global Settings - <b>Nest</b>");
    assert.equal(await page.getByLabel("After uploading").inputValue(), "echo one\necho two");

    await page.context().clearCookies();
    await page.goto("/login");
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Username").fill("admin");
    const password = page.getByRole("textbox", { name: "Password", exact: true });
    const again = page.getByLabel("Confirm password");
    await password.fill("seven otters at noon");
    await again.fill("seven otters at night");
    await again.press("Enter");
    await page.getByText("Passwords don't match").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await again.fill("seven otters at noon");
    await again.press("Enter");
    await page.getByText("Username already taken").waitFor();
    await page.getByLabel("Username").fill("nora");
    await again.press("Enter");
    await page.waitForURL("/files/");
    await page.getByText("nora", { exact: true }).first().waitFor();
  },
);

test(
  "a setting that the server refuses is marked, and has the focus",
  { expected: [400] },
  async ({ page }) => {
    await openSettings(page, "global");
    const field = page.getByLabel("Page after signing out");
    await field.fill("nowhere at all");
    await page.getByRole("button", { name: "Save" }).click();
    const invalid = page.locator("#field-logoutPage[aria-invalid=true]");
    await invalid.waitFor();
    assert.ok(await invalid.evaluate((at) => at === document.activeElement));
    const note = await invalid.getAttribute("aria-describedby");
    assert.equal(
      await page.locator(`#${note}`).innerText(),
      "The server doesn’t accept this option.",
    );
    assert.deepEqual(await findBarriers(page), []);
  },
);

for (const device of ["desktop", "phone"] as const) {
  test(
    `the list beside the settings leads to each part, and marks the one in sight (${device})`,
    { device },
    async ({ page }) => {
      await openSettings(page, "global");
      const list = page.getByRole("navigation", { name: "Global Settings" });
      const mark = list.locator('[aria-current="location"]');
      assert.equal(await mark.innerText(), "Site");
      for (const name of ["Storage and trash", "User defaults", "Sharing"]) {
        await list.getByRole("link", { name }).press("Enter");
        await list.locator('[aria-current="location"]', { hasText: name }).waitFor();
        const heading = page.getByRole("heading", { name, exact: true });
        const { y = -1 } = await heading.boundingBox() ?? {};
        const place = await page.locator(".settings").boundingBox();
        assert.ok(place && y >= place.y && y < place.y + place.height, `${name} at ${y}`);
        assert.ok(
          await mark.evaluate((at) => {
            const { left, right } = at.getBoundingClientRect();
            return left >= 0 && right <= innerWidth;
          }),
          `${name} is marked out of sight`,
        );
      }
      for (const card of await page.locator(".settings__form .card").all()) {
        const { height = 0 } = await card.boundingBox() ?? {};
        const hasFold = await card.locator("details").count() > 0;
        assert.ok(device === "phone" || hasFold || height <= 1_200, `a card of ${height} px`);
      }
    },
  );
}

test(
  "a setting is found by its name, and unfolded, by the keyboard alone",
  {},
  async ({ page }) => {
    await openSettings(page, "global");
    const find = page.getByRole("combobox", { name: "Find a setting" });
    await find.fill("hidden files");
    await page.getByRole("option", { name: "Hide hidden files" }).waitFor();
    await find.press("Enter");
    await page.locator("#field-hideDotfiles:focus").waitFor();
    assert.ok(await page.getByRole("checkbox", { name: "Hide hidden files" }).isVisible());
    await find.fill("no such setting");
    await page.getByText("Nothing found").waitFor();
    assert.deepEqual(await findBarriers(page), []);
  },
);

test("a rule that is refused is unfolded", { expected: [400] }, async ({ page }) => {
  await openSettings(page, "global");
  const fold = page.locator("details", { hasText: "Rules" });
  await fold.locator("summary").press("Enter");
  await page.getByRole("button", { name: "Add rule" }).press("Enter");
  await page.getByLabel("Text of rule 1").fill("a/../b");
  await fold.locator("summary").press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("This rule can’t be used").waitFor();
  assert.ok(await fold.evaluate((at: HTMLDetailsElement) => at.open));
});

test("the server check tells what to do, and tests the size of uploads", {}, async (fixture) => {
  const { page } = fixture;
  await openSettings(page, "global");
  await page.getByRole("link", { name: "Server check" }).click();
  await page.waitForURL("/settings/check");
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await row("Clock").getByText("Server and browser agree.").waitFor();
  await row("Backup of the store").getByText("cubby backup FILE").waitFor();
  await row("Upload size").getByRole("button", { name: "Test uploads" }).click();
  await row("Upload size").getByText("arrived in one request").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await row("Activity log").getByRole("link", { name: "Open the setting" }).click();
  await page.waitForURL("/settings/global#activity");
});

test("a proxy that refuses a chunk is named", { expected: [413] }, async ({ page }) => {
  await openSettings(page, "check");
  await page.route("**/api/check", async (route) => {
    await (route.request().method() === "POST" ? route.fulfill({ status: 413 }) : route.continue());
  });
  await page.getByRole("button", { name: "Test uploads" }).click();
  await page.getByText("A proxy refused").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("Server and browser agree.").waitFor();
});

test("without webhooks their page says how they are turned on", {}, async ({ page }) => {
  await page.goto("/settings/webhooks");
  await page.getByText("--webhooks").waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

test("shares are listed, copied and deleted", { tree: { "a.txt": "" } }, async (fixture) => {
  const { page, server, address } = fixture;
  const path = `${address.replace("/files", "")}a.txt`;
  await share(server, path);
  const news = await hearNews(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSettings(page, "shares");
  const link = page.getByRole("link", { name: path });
  await page.getByRole("button", { name: `Copy link to ${path}` }).click();
  await news("Link copied!");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${server.url}${await link.getAttribute("href")}`);

  await page.getByRole("button", { name: `Delete share for ${path}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await link.waitFor();
  await page.getByRole("button", { name: `Delete share for ${path}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await news("Share deleted!");
  await page.getByText("It feels lonely here…").waitFor();
});

test("the line of Save covers no field that has the focus", {}, async ({ page }) => {
  await openSettings(page, "global");
  await page.locator("details").evaluateAll((folds: HTMLDetailsElement[]) => {
    for (const fold of folds) fold.open = true;
  });
  const fields = page.locator(".settings__form :is(input, select, textarea)");
  const count = await fields.count();
  assert.ok(count > 30, `${count} fields`);
  await fields.first().focus();
  for (let index = 1; index < count; index++) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(() => {
      const field = document.activeElement;
      const foot = document.querySelector(".settings__foot");
      if (!field || !foot || foot.contains(field)) return "";
      const isBelow = field.getBoundingClientRect().bottom > foot.getBoundingClientRect().top;
      return isBelow ? field.outerHTML : "";
    });
    assert.equal(covered, "");
  }
});

for (const [device, scheme] of [["desktop", "dark"], ["phone", "light"]] as const) {
  test(
    `no barrier stands in what the settings ask and refuse (${device}, ${scheme})`,
    { device, scheme, tree: { "a.txt": "" }, expected: [403] },
    async ({ page, server, address }) => {
      const clear = async (where: string) => assert.deepEqual(await findBarriers(page), [], where);
      const prompt = page.getByRole("dialog");
      await share(server, `${address.replace("/files", "")}a.txt`, { password: "open sesame" });
      await openSettings(page, "shares");
      await clear("shares");
      await page.getByRole("button", { name: "Delete share for" }).first().click();
      await prompt.waitFor();
      await clear("ending a share");

      await openSettings(page, "users/1");
      await page.getByRole("button", { name: "Add rule" }).click();
      await page.locator('[data-row="0"] :focus').waitFor();
      await page.getByLabel("Type of rule 1").selectOption("regex");
      await page.getByLabel("Text of rule 1").fill("(jpg");
      await page.getByText("missing closing").waitFor();
      await clear("a rule that can't be read");
      await page.getByLabel("Text of rule 1").fill("jpg$");
      await page.getByLabel("Test a path").fill("/sea.jpg");
      await page.getByText("Rule 1 applies").waitFor();
      await clear("a rule that decides");
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await prompt.waitFor();
      await clear("deleting a user");
      await prompt.getByRole("button", { name: "Delete" }).click();
      await prompt.getByLabel("Current password").fill("wrong");
      await page.keyboard.press("Enter");
      await prompt.getByText("Wrong credentials").waitFor();
      await clear("a wrong password");
    },
  );
}

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `no barrier stands in the settings, and they fit the screen (${device}, ${scheme})`,
    { device, scheme },
    async ({ page }) => {
      for (const name of ["profile", "shares", "global", "users", "users/new", "users/1"]) {
        await openSettings(page, name);
        if (name === "users/new") {
          await page.locator("summary", { hasText: "Rules" }).click();
          await page.getByRole("button", { name: "Add rule" }).click();
        }
        const pick = page.getByRole("button", { name: "Choose a folder for the scope" });
        for (const each of await pick.all()) {
          // Halfway across the end of what scrolls, where the line of Save is.
          await each.evaluate((button) => {
            const { top, height } = button.getBoundingClientRect();
            const content = button.closest(".settings");
            const end = content?.getBoundingClientRect().bottom ?? 0;
            content?.scrollBy({ top: top + height / 2 - end, behavior: "instant" });
          });
          assert.deepEqual(await findBarriers(page), [], `${name}, at the end`);
        }
        assert.deepEqual(await findBarriers(page), [], name);
        const beyond = await page.evaluate(() => {
          const boxes = [document.documentElement, document.querySelector(".settings")];
          return boxes.map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
        });
        assert.deepEqual(beyond, [0, 0], name);
      }
      if (device === "desktop") return;
      await page.getByRole("button", { name: "Open menu" }).tap();
      await page.getByRole("dialog").getByRole("link", { name: "My files" }).tap();
      await page.waitForURL("/files/");
    },
  );
}
