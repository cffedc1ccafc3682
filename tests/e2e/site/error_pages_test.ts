import assert from "node:assert/strict";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const pages = [
  [403, "You don’t have permissions to access this."],
  [404, "This location can’t be reached."],
  [500, "Something really went wrong."],
] as const;

for (const [status, title] of pages) {
  test(
    `/${status} says what is wrong`,
    { signedIn: false, expected: [status] },
    async (fixture) => {
      const { page } = fixture;
      const answer = await page.goto(`/${status}`);
      assert.equal(answer?.status(), status);
      await page.getByRole("heading", { name: title }).waitFor();
      await page.getByText(String(status), { exact: true }).waitFor();
    },
  );
}

test("a folder that is not there is a 404", { expected: [404] }, async ({ page, address }) => {
  const answer = await page.goto(`${address}nowhere/`);
  assert.equal(answer?.status(), 404);
  await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
});

test("any other address leads to the files", { tree: { "sea.txt": "" } }, async (fixture) => {
  const { page, address } = fixture;
  await page.goto(address.replace("/files", ""));
  await page.waitForURL(address);
  await page.getByRole("link", { name: "sea.txt" }).waitFor();
});
