import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { share } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const tree = {
  album: {
    one: { two: { three: { "four.txt": "" } } },
    empty: {},
    "a name that is too long for any screen, be it as wide as it may, or even wider.txt": "",
    "note.txt": "a line that is too long for any screen ".repeat(9),
    "sea.jpg": "not really",
    "song.wav": "not really",
    "film.webm": "not really",
    "void.txt": "",
    "data.bin": "\0",
  },
};

async function assertClear(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], where);
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  assert.equal(beyond, 0, where);
}

for (const [device, scheme] of [["desktop", "dark"], ["phone", "light"]] as const) {
  test(
    `no barrier stands before visitors, and all fits the screen (${device}, ${scheme})`,
    { tree, device, scheme, expected: [401, 404, 416, 429, 501] },
    async ({ page, server, address }) => {
      const folder = `${address.replace("/files", "")}album`;
      const { hash } = await share(server, folder);
      const names = Object.keys(tree.album).filter((name) => name !== "one");
      for (const name of ["", "one/two/three/", ...names]) {
        await page.goto(`/share/${hash}/${encodeURIComponent(name).replaceAll("%2F", "/")}`);
        const isFolder = name === "" || name === "empty" || name.endsWith("/");
        if (isFolder) {
          await page.getByText("Details", { exact: true }).click();
          await page.getByRole("img", { name: /^QR code for/ }).waitFor();
        } else await page.locator(".viewer, .editor").first().waitFor();
        await assertClear(page, name);
      }

      const locked = await share(server, folder, { password: "open sesame" });
      await page.goto(`/share/${locked.hash}`);
      await assertClear(page, "password");
      await page.getByLabel("Password").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("Wrong credentials").waitFor();
      await assertClear(page, "wrong password");
      for (let tries = 0; tries < 5; tries++) {
        const headers = { "x-share-password": "wrong" };
        const answer = await fetch(`${server.url}/api/public/share/${locked.hash}`, { headers });
        await answer.body?.cancel();
      }
      await page.getByLabel("Password").fill("open sesame");
      await page.keyboard.press("Enter");
      await page.getByText("Too many attempts").waitFor();
      await assertClear(page, "too many passwords");
      await page.goto("/share/none");
      await assertClear(page, "unknown");
    },
  );
}
