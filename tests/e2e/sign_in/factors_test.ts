import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import {
  addUser,
  awake,
  enterAs,
  formOpened,
  openSettings,
  theirPassword,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { codeOf } from "../../support/clients/factors.ts";

const test = browserTests({ alone: true, workerCounts: [1] });
const stranger = { signedIn: false };
const shots = Deno.env.get("SHOTS");

test(
  "an authenticator app is set up, asked for at the sign-in, and removed, by keys alone",
  { ...stranger, expected: [400, 401, 403] },
  async ({ page, server }) => {
    await addUser(server, "thea");
    await enterAs(page, "thea");
    const news = await hearNews(page);
    await openSettings(page, "profile");
    await page.getByRole("button", { name: "Set up authenticator app" }).press("Enter");
    const secret = (await page.locator(".factors__secret").innerText()).replaceAll(" ", "");
    if (shots) await page.screenshot({ path: `${shots}/setup.png`, fullPage: true });
    const card = page.getByRole("region", { name: "Two-step sign-in" });
    await formOpened(card);
    await card.getByLabel("Code", { exact: true }).fill("12");
    await card.getByLabel("Current password").fill(theirPassword);
    await card.getByLabel("Current password").press("Enter");
    await card.getByText("This code is wrong or was already used.").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await card.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await card.getByLabel("Code", { exact: true }).press("Enter");
    await news("Two-step sign-in is on.");
    const codes = await card.locator(".factors__list li").allInnerTexts();
    assert.equal(codes.length, 10);
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/codes.png`, fullPage: true });
    await card.getByRole("button", { name: "I’ve saved them" }).press("Enter");
    await card.getByText("10 codes left").waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.context().clearCookies();
    await page.goto("/login?expired=1");
    await awake(page);
    await page.getByLabel("Username").fill("thea");
    await page.getByRole("textbox", { name: "Password" }).fill(theirPassword);
    await page.keyboard.press("Enter");
    const code = page.getByLabel("Code", { exact: true });
    await code.fill("000000");
    assert.equal(await code.getAttribute("autocomplete"), "one-time-code");
    assert.equal(await code.getAttribute("inputmode"), "numeric");
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong or was already used.").waitFor();
    if (shots) await page.screenshot({ path: `${shots}/login.png` });
    await page.getByRole("button", { name: "Use a recovery code" }).press("Enter");
    assert.deepEqual(await findBarriers(page), []);
    await page.locator("input[name=code]:focus").waitFor();
    await page.keyboard.type(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/files\//);

    await openSettings(page, "profile");
    await card.getByText("9 codes left").waitFor();
    if (shots) await page.screenshot({ path: `${shots}/on.png`, fullPage: true });
    await card.getByRole("button", { name: "Remove app" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Current password").fill(theirPassword);
    if (shots) await page.screenshot({ path: `${shots}/remove.png` });
    assert.deepEqual(await findBarriers(page), []);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Set up authenticator app" }).waitFor();
  },
);

test(
  "who must have a second factor sets it up before anything else",
  { ...stranger, expected: [403] },
  async ({ page, server }) => {
    await addUser(server, "rhea");
    await enterAs(page, server.username, server.password);
    const news = await hearNews(page);
    await openSettings(page, "global");
    await page.getByLabel("Require two-step sign-in").selectOption("Everyone");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByLabel("Current password").fill(server.password);
    await page.keyboard.press("Enter");
    await news("Settings updated!");

    await page.context().clearCookies();
    await page.goto("/files/?a=b");
    await awake(page);
    await page.getByLabel("Username").fill("rhea");
    await page.getByRole("textbox", { name: "Password" }).fill(theirPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/second-factor\?/);
    if (shots) await page.screenshot({ path: `${shots}/enrol.png` });
    await page.getByRole("button", { name: "Set up authenticator app" }).click();
    const secret = (await page.locator(".factors__secret").innerText()).replaceAll(" ", "");
    await page.setViewportSize({ width: 390, height: 844 });
    if (shots) await page.screenshot({ path: `${shots}/enrol_phone.png`, fullPage: true });
    assert.deepEqual(await findBarriers(page), []);
    await formOpened(page.locator("body"));
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await page.getByLabel("Current password").fill(theirPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I’ve saved them" }).click();
    await page.waitForURL("/files/?a=b");
  },
);
