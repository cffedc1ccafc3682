import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually } from "../../support/browser/listing.ts";
import { share } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers, smallTargets } from "../../support/browser/touch.ts";
import { quarters } from "../../support/data/pictures.ts";

const test = browserTests({ workerCounts: [1] });
const photo = await quarters(600, 400).jpeg().toBuffer();
const tree = {
  album: {
    "a.jpg": photo,
    "b.jpg": photo,
    "c.jpg": photo,
    "read.md": "# The sea\n\n[A](a.jpg) ![B](b.jpg) <b onclick=alert(1)>bold</b>",
    deep: { "sky.txt": "The sky" },
  },
};

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(`a shared folder of pictures is a grid with thumbnails, or a list (${device}, ${scheme})`, {
    tree,
    device,
    scheme,
  }, async ({ page, server, folder }) => {
    const path = folder.slice(server.root.length);
    const { hash } = await share(server, join(path, "album"), { expires: 2, unit: "days" });
    await page.context().clearCookies();
    await page.goto(`/share/${hash}`);
    await page.getByText(`Shared by ${server.username}`).waitFor();
    await page.getByText("Available until").waitFor();
    const grid = page.getByRole("radio", { name: "Grid" });
    assert.ok(await grid.isChecked(), "most entries are pictures");
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>(".shared__thumb")]
        .every((image) => image.naturalWidth === 256)
    );
    assert.deepEqual(await findBarriers(page), []);
    await grid.focus();
    await page.keyboard.press("ArrowLeft");
    assert.ok(await page.getByRole("radio", { name: "List" }).isChecked());
    assert.deepEqual(await findBarriers(page), []);
    await page.reload();
    assert.ok(await page.getByRole("radio", { name: "List" }).isChecked(), "it is remembered");
  });

  test(`a visitor walks through pictures by keys, and back (${device}, ${scheme})`, {
    tree,
    device,
    scheme,
  }, async ({ page, server, folder }) => {
    const path = folder.slice(server.root.length);
    const { hash } = await share(server, join(path, "album"));
    await page.context().clearCookies();
    await page.goto(`/share/${hash}`);
    await page.getByRole("link", { name: "a.jpg" }).click();
    await page.getByText("1 of 4").waitFor();
    await page.getByRole("img", { name: "a.jpg" }).waitFor();
    // The script of the page shows it, and takes keys.
    await page.getByRole("button", { name: "Slideshow" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Previous" }).getAttribute("href"), null);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("img", { name: "b.jpg" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("img", { name: "a.jpg" }).waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByRole("img", { name: "b.jpg" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(`**/share/${hash}/`);
  });
}

test("pictures of a share follow one another on one page, and what is none is passed over", {
  tree,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await page.clock.install();
  await page.goto(`/share/${hash}/a.jpg`);
  const here = await page.evaluateHandle(() => document.documentElement);
  await page.evaluate(() => {
    const seen: string[] = [];
    Reflect.set(globalThis, "seen", seen);
    new MutationObserver(() => {
      const name = document.querySelector<HTMLImageElement>("img.shared__media")?.alt;
      if (name && name !== (seen.at(-1) ?? "a.jpg")) seen.push(name);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Slideshow", pressed: false }).click();
  await page.getByRole("button", { name: "Slideshow", pressed: true }).waitFor();
  await eventually(async () => {
    await page.clock.fastForward(5100);
    return await page.getByRole("button", { name: "Slideshow", pressed: false }).isVisible();
  });
  assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, "seen")), ["b.jpg", "c.jpg"]);
  await page.getByRole("img", { name: "c.jpg" }).waitFor();
  await page.getByText("3 of 4").waitFor();
  assert.ok(await here.evaluate((top) => top === document.documentElement), "the page was left");
  assert.match(page.url(), /c\.jpg$/);
  await page.getByRole("link", { name: "Previous" }).click();
  await page.getByRole("img", { name: "b.jpg" }).waitFor();
  await page.waitForURL("**/b.jpg");
  await page.goBack();
  await page.waitForURL("**/c.jpg");
  await page.getByRole("img", { name: "c.jpg" }).waitFor();
});

test("a finger that swipes over a picture leads to the next one and back", {
  tree,
  device: "phone",
  anyFont: true,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await page.goto(`/share/${hash}/a.jpg`);
  const session = await page.context().newCDPSession(page);
  const swipe = async (name: string, from: number, to: number) => {
    const box = await page.getByRole("img", { name }).boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await fingers(session, [[{ x: from, y }], [{ x: (from + to) / 2, y }], [{ x: to, y }]]);
  };
  await swipe("a.jpg", 300, 60);
  await page.getByRole("img", { name: "b.jpg" }).waitFor();
  await swipe("b.jpg", 60, 300);
  await page.getByRole("img", { name: "a.jpg" }).waitFor();
  assert.deepEqual(await smallTargets(page), []);
});

test("a shared document is rendered, and leads to what is shared beside it", {
  tree,
  expected: [401],
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"), {
    password: "open sesame",
  });
  await page.context().clearCookies();
  await page.goto(`/share/${hash}/read.md`);
  await page.getByLabel("Password").fill("open sesame");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("document");
  await sheet.getByRole("heading", { name: "The sea" }).waitFor();
  await page.waitForFunction(() =>
    (document.querySelector<HTMLImageElement>(".markdown img")?.naturalWidth ?? 0) > 0
  );
  assert.equal(await sheet.locator("[onclick]").count(), 0);
  assert.deepEqual(await findBarriers(page), []);
  await sheet.getByRole("link", { name: "A", exact: true }).click();
  await page.getByText("1 of 4").waitFor();
});

test("the page of a share does without scripts", {
  tree,
  scripts: false,
  signedIn: false,
}, async ({ page, server, folder }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "album"));
  await page.goto(`/share/${hash}`);
  await page.getByRole("radio", { name: "List" }).check({ force: true });
  await page.getByRole("link", { name: "b.jpg" }).click();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("3 of 4").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("# The sea").waitFor();
});
