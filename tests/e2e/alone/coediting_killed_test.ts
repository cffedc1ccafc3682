/** A server that is killed while a text is written in it, and comes back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openBrowser, visit } from "../../support/browser/browser.ts";
import { signIn } from "../../support/browser/browser_tests.ts";
import { openText, write } from "../../support/browser/editor.ts";
import { eventually } from "../../support/browser/listing.ts";
import { togetherIs } from "../../support/browser/together.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test("a server that is killed while people write loses nothing, and the page goes on", async () => {
  await using folder = await temporaryFolder();
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  const flags = ["--port", String(freePort())];
  const start = (): Promise<RunningServer> => startServer({ root, data, flags });
  const path = join(root, "notes.txt");
  const browser = await openBrowser();
  let server = await start();
  try {
    await Deno.writeTextFile(path, "one\n");
    await visit(browser, { url: server.url, expected: [0] }, async (page) => {
      await signIn(page, server, "/files/");
      const text = await openText(page, "/files/", "notes.txt");
      await togetherIs(page, "saved");
      await write(page, text, "two");
      await page.locator(".editor__state[data-room=saved]").waitFor();
      // What was acknowledged a moment ago is in the log of the room, not yet in the file.
      Deno.kill(server.pid, "SIGKILL");
      await server.ended;
      await togetherIs(page, "offline");
      await write(page, text, " three");
      server = await start();
      await togetherIs(page, "saved");
      await eventually(async () => await Deno.readTextFile(path) === "one\ntwo three");
      await write(page, text, "!");
      await eventually(async () => await Deno.readTextFile(path) === "one\ntwo three!");
      assert.equal(await page.getByRole("alert").filter({ hasText: /./ }).count(), 0);
    });
  } finally {
    await browser.close();
    await server.stop();
  }
});
