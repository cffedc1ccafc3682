import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import { addUser, awake, enterAs, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "preferences that were changed are not left unasked, whichever way",
  { signedIn: false, device: "phone", scheme: "dark" },
  async ({ page, server }) => {
    await addUser(server, "una");
    await enterAs(page, "una");
    await openSettings(page, "profile");
    const dotfiles = page.getByRole("checkbox", { name: "Hide hidden files" });
    const question = page.getByRole("dialog", { name: "Save changes to “Preferences”?" });
    const tab = page.getByRole("link", { name: "Share Management" });
    await dotfiles.tap();

    await tab.tap();
    await question.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.match(page.url(), /profile$/);

    const asked = page.waitForEvent("dialog");
    await page.evaluate(() => setTimeout(() => location.reload()));
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    assert.ok(await dotfiles.isChecked());

    await page.getByRole("button", { name: "Open menu" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: /^Account:/ }).tap();
    await page.getByRole("button", { name: "Sign out" }).tap();
    await question.getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("dialog").getByRole("link", { name: "My files" }).tap();
    await question.getByRole("button", { name: "Save" }).tap();
    await page.waitForURL("/files/");
    await openSettings(page, "profile");
    assert.ok(await dotfiles.isChecked());

    await dotfiles.tap();
    await tab.tap();
    await question.getByRole("button", { name: "Discard" }).tap();
    await page.waitForURL(/shares$/);
    await openSettings(page, "profile");
    assert.ok(await dotfiles.isChecked());
    await tab.tap();
    await page.waitForURL(/shares$/);
  },
);

test(
  "a user that was changed is saved on the way out, with the own password",
  { expected: [403] },
  async ({ page, server }) => {
    const address = await addUser(server, "ulla");
    await openSettings(page, address);
    await page.getByRole("checkbox", { name: "Share files" }).uncheck();
    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("dialog", { name: "Save changes to “User ulla”?" })
      .getByRole("button", { name: "Save" }).click();
    const password = page.getByLabel("Current password");
    await password.waitFor();
    await page.keyboard.press("Escape");
    await password.waitFor({ state: "detached" });
    assert.ok(page.url().endsWith(address));

    await page.getByRole("link", { name: "All users" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await password.fill(server.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("/settings/users");
    await openSettings(page, address);
    assert.ok(!await page.getByRole("checkbox", { name: "Share files" }).isChecked());
  },
);

test(
  "the page speaks another language as soon as it is chosen",
  { signedIn: false },
  async (fixture) => {
    const { page, server } = fixture;
    await addUser(server, "ursula");
    await enterAs(page, "ursula");
    const news = await hearNews(page);
    await openSettings(page, "profile");
    const language = page.getByLabel("Language");
    assert.equal(await language.getByRole("option").count(), 22);
    await language.selectOption({ label: "العربية" });
    await page.locator("button[type=submit]").first().click();
    await news("تم تحديث الإعدادات!");
    await page.locator("html[lang=ar][dir=rtl]").waitFor();
    await awake(page);
    await page.locator("[name=locale]").selectOption({ label: "Deutsch" });
    await page.locator("button[type=submit]").first().click();
    await news("Einstellungen gespeichert!");
    await page.locator("html[lang=de][dir=ltr]").waitFor();
    await page.goto("/files/");
    await page.getByRole("link", { name: "Einstellungen" }).waitFor();
  },
);
