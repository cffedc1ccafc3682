import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../support/axe.ts";
import { entry } from "../support/listing.ts";
import { setStage } from "../support/stage.ts";

const play = setStage({ workerCounts: [2] });

const tree = { docs: {}, "a.txt": "a", "sea.jpg": "not really", ".hidden": "" };

async function assertNoBarriers(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], where);
}

for (const scheme of ["light", "dark"] as const) {
  for (const device of ["desktop", "phone"] as const) {
    const look = { scheme, device };

    play(
      `no barrier stands before the sign-in (${scheme}, ${device})`,
      { ...look, signedIn: false, expected: [403] },
      async ({ page }) => {
        await page.goto("/login");
        await assertNoBarriers(page, "sign-in");
        await page.getByLabel("Username").fill("nobody");
        await page.getByRole("textbox", { name: "Password" }).fill("not the one");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
        await assertNoBarriers(page, "refusal");
      },
    );

    play(
      `no barrier stands in the files (${scheme}, ${device})`,
      { ...look, tree, expected: [404] },
      async ({ page, address }) => {
        await entry(page, "a.txt").waitFor();
        await assertNoBarriers(page, "listing");
        await page.keyboard.press("ControlOrMeta+a");
        await page.getByText("4 selected").waitFor();
        await assertNoBarriers(page, "selection");
        await page.keyboard.press("Delete");
        await page.getByRole("dialog").waitFor();
        await assertNoBarriers(page, "prompt");
        await page.keyboard.press("Escape");
        await page.goto(`${address}docs/`);
        await page.getByText("It feels lonely here…").waitFor();
        await assertNoBarriers(page, "empty folder");
        await page.goto(`${address}sea.jpg`);
        await assertNoBarriers(page, "file");
        await page.goto(`${address}nowhere`);
        await assertNoBarriers(page, "error");
      },
    );
  }
}
