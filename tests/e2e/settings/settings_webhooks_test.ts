import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { formOpened, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { isSigned, startReceiver } from "../../support/services/receiver.ts";

const receiver = startReceiver();
Deno.test.afterAll(async () => await receiver[Symbol.asyncDispose]());

const test = browserTests({
  alone: true,
  flags: [
    ...["--webhooks", "--webhook-http", "--webhook-private", "127.0.0.1"],
    ...["--webhook-ports", String(receiver.port)],
  ],
});

test(
  "a webhook is added by keyboard, tested, told of an upload, marked when it fails, and removed",
  { expected: [400, 403, 409] },
  async ({ page, server, address }) => {
    const { SHOTS } = Deno.env.toObject();
    await openSettings(page, "webhooks");
    await page.getByRole("button", { name: "Add webhook" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("Chat");
    const url = page.getByLabel("URL");
    await url.fill("https://169.254.169.254/latest/meta-data");
    const prompt = page.getByRole("dialog");
    const confirm = async () => {
      await prompt.getByLabel("Current password").fill(server.password);
      await page.keyboard.press("Enter");
    };
    await page.keyboard.press("Enter");
    await confirm();
    await page.getByText("Events can’t be sent to this URL.").waitFor();
    await url.fill(`${receiver.url}/in`);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/webhook_form.png`, fullPage: true });
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await confirm();
    const secret = await page.getByRole("textbox", { name: "Signing secret" }).inputValue();
    assert.match(secret, /^whsec_/);

    const card = page.getByRole("region", { name: "Chat" });
    const start = receiver.received.length;
    await card.getByRole("button", { name: "Send test" }).click();
    await card.getByText("Last delivery: Delivered").waitFor();
    const body = "told";
    const token = await page.evaluate(() => localStorage.getItem("jwt") ?? "");
    const path = `${server.url}/api/resources${address.replace("/files", "")}new.txt`;
    const upload = await page.request.post(path, { data: body, headers: { "x-auth": token } });
    assert.equal(upload.status(), 200);
    const got = (await receiver.next(start + 2)).slice(start);
    assert.deepEqual(got.map(({ event }) => event.type), ["test", "upload"]);
    assert.ok(got.every((each) => isSigned(secret, each)));

    await card.getByRole("button", { name: "Renew secret" }).press("Enter");
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/webhook_renew.png` });
    await prompt.getByRole("button", { name: "Renew secret" }).press("Enter");
    await confirm();
    const field = card.getByRole("textbox", { name: "Signing secret" });
    const renewed = await field.inputValue();
    assert.match(renewed, /^whsec_/);
    assert.notEqual(renewed, secret);
    assert.equal(
      await page.getByRole("textbox", { name: "Signing secret" }).count(),
      1,
      "the former one is not shown any more",
    );
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/webhook_renewed.png`, fullPage: true });
    assert.deepEqual(await findBarriers(page), []);
    await card.getByRole("button", { name: "Send test" }).click();
    const [signed] = (await receiver.next(start + 3)).slice(start + 2);
    assert.ok(signed && isSigned(renewed, signed) && isSigned(secret, signed));

    receiver.answer(410);
    await page.request.post(`${path}2`, { data: body, headers: { "x-auth": token } });
    await receiver.next(start + 4);
    receiver.answer(204);
    const gone = page.getByText("Switched off: the receiver no longer wants events");
    for (let tries = 0; tries < 50 && await gone.count() === 0; tries++) await page.reload();
    await gone.waitFor();
    assert.equal(
      await page.getByRole("textbox", { name: "Signing secret" }).count(),
      0,
      "shown once",
    );
    await card.getByText("Last delivery").click();
    await card.getByRole("cell", { name: "HTTP 410" }).waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      if (SHOTS) {
        await page.screenshot({ path: `${SHOTS}/webhooks_${colorScheme}.png`, fullPage: true });
      }
      assert.deepEqual(await findBarriers(page), []);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await card.getByRole("button", { name: "Renew secret" }).scrollIntoViewIfNeeded();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/webhooks_phone.png` });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} px wide on a phone`);

    await card.getByRole("button", { name: "Edit" }).click();
    await formOpened(card);
    await card.getByRole("button", { name: "Save" }).click();
    await confirm();
    await gone.waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Delete" }).click();
    await prompt.getByRole("button", { name: "Delete" }).click();
    await confirm();
    await card.waitFor({ state: "detached" });
  },
);
