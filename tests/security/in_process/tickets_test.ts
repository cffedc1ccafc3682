import { startApp } from "../../support/server/app.ts";
import { atLater } from "../../support/run/clock.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true, tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);

Deno.test("a ticket is dead after a minute", async () => {
  const token = await app.tokenOf("admin");
  const json = { path: "/a.txt", use: "raw" };
  const ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
  const use = () => app.call("GET", `/api/raw/a.txt?auth=${ticket}`);
  // A token ends at a whole second.
  await atLater(58_000, async () => await assertStatus(await use(), 200));
  await atLater(61_000, async () => await assertStatus(await use(), 401));
});
