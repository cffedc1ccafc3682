import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

Deno.test("an upload that is not as long as it was said to be makes no file", async () => {
  for (const length of ["3", "9"]) {
    const headers = { "content-length": length };
    const path = "/api/resources/wrong_length.txt";
    const answer = await app.call("POST", path, { token, headers, body: "12345" });
    await assertRefused(answer, 400, "invalid_body", length);
  }
  assert.deepEqual([...Deno.readDirSync(app.root)], []);
});
