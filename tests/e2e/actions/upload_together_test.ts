import assert from "node:assert/strict";
import { join } from "node:path";
import { islandsAwake } from "../../support/browser/awake.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { dropFiles } from "../../support/browser/drop.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { eventually } from "../../support/browser/listing.ts";
import { addUser, enterAs } from "../../support/browser/settings.ts";
import { denyMatching } from "../../support/data/rules.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const test = browserTests({ workerCounts: [2] });

const names = Array.from({ length: 299 }, (_, index) => `${String(index).padStart(3, "0")}.txt`);
const last = names.at(-1) ?? "";

test(
  "a folder of 300 small files arrives past a taken name, a rule and a lost answer",
  { expected: [0, 409] },
  async ({ page, server, folder }) => {
    await using outside = await temporaryFolder();
    const trip = Object.fromEntries(names.map((name) => [name, `bytes of ${name}`]));
    await plant(outside.path, { trip: { ...trip, "001 secret.txt": "hidden" } });
    const user = `together-${crypto.randomUUID()}`;
    const rules = [denyMatching("secret\\.txt$")];
    await addUser(server, user, { scope: folder.slice(server.root.length), rules });
    await enterAs(page, user);
    await islandsAwake(page);

    let [requests, most, underWay] = [0, 0, 0];
    const isOfMany = (url: URL) => url.pathname.includes("/api/uploads/");
    page.on("request", (request) => {
      if (!isOfMany(new URL(request.url()))) return;
      most = Math.max(most, ++underWay);
    });
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => {
        if (isOfMany(new URL(request.url()))) underWay--;
      });
    }
    await intercept(page, isOfMany, async (route) => {
      requests++;
      if (requests === 1) {
        await Deno.mkdir(join(folder, "trip"), { recursive: true });
        await Deno.writeTextFile(join(folder, "trip", last), "theirs");
      }
      if (requests !== 2) return await route.continue();
      // Written, but the browser never hears of it.
      await route.fetch();
      await route.abort("connectionreset");
    });
    await dropFiles(page, page.getByRole("main"), [join(outside.path, "trip")]);

    const prompt = page.getByRole("dialog");
    await prompt.getByText(last).first().waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "trip", last)), "theirs");
    await prompt.getByRole("button", { name: "Replace" }).click();

    const panel = page.getByRole("region", { name: "All uploads" });
    await panel.getByText("001 secret.txt").waitFor();
    await panel.getByText("You don’t have permissions to access this.").waitFor();
    await eventually(async () =>
      await Deno.readTextFile(join(folder, "trip", last)) === `bytes of ${last}`
    );
    const arrived = [...Deno.readDirSync(join(folder, "trip"))].map(({ name }) => name).sort();
    assert.deepEqual(arrived, names);
    for (const name of names) {
      assert.equal(await Deno.readTextFile(join(folder, "trip", name)), `bytes of ${name}`);
    }
    assert.ok(most > 1 && most <= 5, `${most} requests at once`);
    assert.equal(await panel.getByRole("listitem").count(), 1);
  },
);
