import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { TOKEN_KEY } from "../../../lib/client/base/session/session.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { addUser, enterAs, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [2] });

const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** A call in the name of the page's user. */
async function call(page: Page, method: string, path: string, data?: object) {
  const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
  const answer = await page.request.fetch(path, {
    method,
    data,
    headers: { "x-auth": token ?? "" },
  });
  assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer;
}

/** Sends files by a request, as a visitor of another browser. */
async function sendTo(page: Page, hash: string, sender: string, names: string[]): Promise<void> {
  const context = await page.context().browser()?.newContext();
  assert.ok(context);
  const visitor = await context.newPage();
  await visitor.goto(new URL(`/request/${hash}`, page.url()).href);
  await visitor.getByLabel("Your name (optional)").fill(sender);
  const chooser = visitor.waitForEvent("filechooser");
  await visitor.getByRole("button", { name: "Choose files" }).click();
  const files = names.map((name) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from("sent"),
  }));
  await (await chooser).setFiles(files);
  await visitor.getByText(`Received: ${names.length} of ${names.length}`).waitFor();
  await context.close();
}

test("the owner of a request sees files arrive, and lands in their folder by the keyboard", {
  tree: { Invoices: {} },
}, async ({ page, address }) => {
  await call(page, "DELETE", "/api/notifications");
  await page.reload();
  const bell = page.getByRole("banner").getByRole("button", { name: /^Notifications/ });
  await bell.waitFor();
  assert.equal(await bell.textContent(), "");
  const folder = `${address.slice("/files".length)}Invoices`;
  const { hash } = await (await call(page, "POST", `/api/request${folder}`, {})).json();
  await sendTo(page, hash, "Anna <b>", ["one.txt", "two.txt", "three.txt"]);
  // The open folder tells of it, nothing is asked for.
  await page.getByRole("button", { name: "Notifications, Unread: 1" }).waitFor();
  await shoot(page, "bell");

  await bell.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Notifications" });
  const line = panel.getByRole("link", { name: /Anna <b>.* sent 3 files to .*Invoices/ });
  await line.waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await shoot(page, "panel");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await page.waitForFunction(() =>
    document.activeElement?.getAttribute("aria-haspopup") === "dialog"
  );

  await page.keyboard.press("Enter");
  await line.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === `${address}Invoices/`);
  await page.getByRole("link", { name: /^Anna _b_ - / }).waitFor();
  await panel.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Notifications", exact: true }).first().waitFor();
});

test("notifications are marked as read on every device, and the count comes with the page", {
  tree: { "a.txt": "a" },
}, async ({ page, server, address }) => {
  await call(page, "DELETE", "/api/notifications");
  await page.reload();
  const path = `${address.slice("/files".length)}a.txt`;
  const made = await call(page, "POST", `/api/share${path}`, { notify: true });
  const { hash } = await made.json();
  await (await fetch(`${server.url}/api/public/dl/${hash}`)).text();
  await page.getByRole("button", { name: "Notifications, Unread: 1" }).waitFor();
  await page.goto("/trash");
  await page.getByRole("button", { name: "Notifications, Unread: 1" }).click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await panel.getByText(/Your link to .*a\.txt.* was opened for the first time/).waitFor();
  assert.deepEqual(await findBarriers(page), []);

  const other = await page.context().newPage();
  await other.goto(address);
  await other.getByRole("button", { name: "Notifications, Unread: 1" }).waitFor();
  await panel.getByRole("button", { name: "Mark all as read" }).click();
  await other.getByRole("button", { name: "Notifications", exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Notifications", exact: true }).first().waitFor();
  assert.equal(await panel.getByRole("button", { name: "Mark all as read" }).count(), 0);
  await other.close();
});

test("on a phone the panel is a sheet from below", {
  tree: { "a.txt": "a" },
  device: "phone",
}, async ({ page }) => {
  await call(page, "DELETE", "/api/notifications");
  await page.reload();
  await page.getByRole("button", { name: "Notifications" }).tap();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await panel.getByText("Nothing new").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await shoot(page, "phone-empty");
  const [box, size] = [await panel.boundingBox(), page.viewportSize()];
  assert.ok(box && size);
  assert.equal(Math.round(box.x), 0);
  assert.equal(Math.round(box.y + box.height), size.height);
  assert.ok(box.height > 120, `${box.height} px`);
});

test("what one is told of is chosen in the profile", {
  signedIn: false,
  expected: [403],
}, async ({ page, server }) => {
  await addUser(server, "nora");
  await enterAs(page, "nora");
  const news = await hearNews(page);
  await openSettings(page, "profile");
  const card = page.getByRole("region", { name: "Notifications" });
  assert.equal(await card.getByLabel("Webhooks that are").count(), 0);
  const shared = card.getByLabel("Files others share with you");
  assert.ok(await shared.isChecked());
  await shared.uncheck();
  if (SHOTS) await card.screenshot({ path: `${SHOTS}/profile.png` });
  await card.getByRole("button", { name: "Save" }).click();
  await news("Settings updated!");
  await page.reload();
  assert.ok(!await shared.isChecked());
  assert.deepEqual(await findBarriers(page), []);
});

for (const device of ["desktop", "phone"] as const) {
  test(`one notification is removed by its button and by the keyboard (${device})`, {
    tree: { "a.txt": "a", "b.txt": "b", "c.txt": "c" },
    device,
  }, async ({ page, server, address }) => {
    await call(page, "DELETE", "/api/notifications");
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      const path = `${address.slice("/files".length)}${name}`;
      const { hash } = await (await call(page, "POST", `/api/share${path}`, { notify: true }))
        .json();
      await (await fetch(`${server.url}/api/public/dl/${hash}`)).text();
    }
    await page.getByRole("button", { name: "Notifications, Unread: 3" }).click();
    const panel = page.getByRole("dialog", { name: "Notifications" });
    const line = (name: string) =>
      panel.getByRole("link", { name: new RegExp(`Your link to .*${name}`) });
    const remove = (name: string) =>
      panel.getByRole("button", { name: new RegExp(`^Remove: .*${name}`) });
    await line("c.txt").waitFor();
    if (device === "phone") {
      const box = await remove("b.txt").boundingBox();
      assert.ok(box && box.width >= 40 && box.height >= 40, JSON.stringify(box));
      await remove("b.txt").tap();
    } else {
      await line("b.txt").hover();
      await remove("b.txt").click();
    }
    await line("b.txt").waitFor({ state: "detached" });
    assert.deepEqual(await findBarriers(page), []);
    await shoot(page, `removed-${device}`);
    await page.getByRole("button", { name: "Notifications, Unread: 2" }).waitFor();

    await line("c.txt").focus();
    await page.keyboard.press("Delete");
    await line("c.txt").waitFor({ state: "detached" });
    assert.ok(await line("a.txt").evaluate((own) => own === document.activeElement));
    await page.keyboard.press("Tab");
    assert.ok(await remove("a.txt").evaluate((own) => own === document.activeElement));
    await page.keyboard.press("Enter");
    await panel.getByText("Nothing new").waitFor();
    await page.getByRole("button", { name: "Notifications", exact: true }).first().waitFor();
    // Each line goes before the server has answered.
    await eventually(async () => {
      const left = await (await call(page, "GET", "/api/notifications")).json();
      return left.items.length === 0;
    });
  });
}
