import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { addUser, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { deny } from "../../support/data/rules.ts";

const test = browserTests({ workerCounts: [1] });

const tree = { docs: { "a.txt": "", "plan.txt": "" }, closed: { "c.txt": "" } };

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `an administrator asks by keyboard what a user can do, and sees as the user (${device}, ${scheme})`,
    { device, scheme, tree },
    async ({ page, server, folder }) => {
      const scope = `/${folder.split("/").at(-1)}`;
      const address = await addUser(server, `vera-${device}`, {
        scope,
        perm: {
          create: true,
          rename: true,
          modify: true,
          delete: false,
          share: false,
          download: true,
        },
        rules: [deny("/docs/plan.txt"), deny("/closed")],
      });
      await openSettings(page, address);
      const path = page.getByLabel("Test a path");
      await path.fill("/docs/plan.txt");
      await path.press("Enter");
      const can = page.getByRole("region", { name: /^What this user can do with .*plan\.txt.*/ });
      await can.getByText("Rule 1 denies “\u2068/docs/plan.txt\u2069”.").first().waitFor();
      await can.getByRole("listitem").filter({ hasText: /^Delete/ })
        .getByText("The permission “Delete files and folders” is missing. Rule 1 denies").waitFor();
      assert.equal(await can.getByText("Allowed.").count(), 0);
      assert.deepEqual(await findBarriers(page), []);

      await path.fill("/");
      await page.getByRole("button", { name: "Check access" }).press("Enter");
      const seen = page.getByRole("list", { name: "As this user sees it" });
      const closed = seen.getByRole("listitem").filter({ hasText: "closed" });
      await closed.getByText("Rule 2 denies").waitFor();
      await seen.getByRole("button", { name: "docs" }).press("Enter");
      await seen.getByText("a.txt").waitFor();
      await seen.getByRole("listitem").filter({ hasText: "plan.txt" }).getByText("Rule 1")
        .waitFor();
      assert.equal(await path.inputValue(), "/docs");
      assert.deepEqual(await findBarriers(page), []);
      const beyond = await page.evaluate(() => {
        const box = document.querySelector(".settings");
        return (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0);
      });
      assert.equal(beyond, 0);

      await path.fill("/docs/none");
      await path.press("Enter");
      await page.getByText("Nothing is there.").first().waitFor();
      assert.equal(await seen.count(), 0);
    },
  );
}
