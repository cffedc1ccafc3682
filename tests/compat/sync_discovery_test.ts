/** Real sync clients find the server, sign in by an app password, and fetch what is there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { beginFlow } from "../support/clients/ocs.ts";
import { ensureSyncClients, syncClients, syncedFolders } from "../support/clients/sync.ts";
import { startApp } from "../support/server/app.ts";

await ensureSyncClients("discovery by real sync clients");

const app = await startApp({
  config: { syncClients: true },
  tree: { "a.txt": "one", "Docs ü": { "#%? b.txt": "two" } },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();

/** The app password of a user, granted on the page. */
async function appPassword(token: string, json: Record<string, unknown>): Promise<string> {
  const client = await beginFlow(app);
  const granted = await app.call("POST", `/api/tokens/flows/${client.flow}`, { token, json });
  await granted.body?.cancel();
  const { appPassword } = await (await client.poll()).json();
  return appPassword;
}

/** What clients say once they have listed the folder. */
const hasListed = /LSCOL of QUrl\(.*\) FINISHED WITH STATUS "?OK/;

for (const program of syncClients) {
  Deno.test(`${program} signs in by an app password and fetches the files`, async () => {
    await using folders = await syncedFolders(program);
    const username = `${program} ä`;
    const { token } = await app.addUser(username);
    const password = await appPassword(token, { write: true });
    const folder = await folders.add({ url, username, password });
    const text = await folder.sync();
    assert.match(text, hasListed);
    assert.equal(await Deno.readTextFile(join(folder.path, "a.txt")), "one", text);
    const deep = join(folder.path, "Docs ü", "#%? b.txt");
    assert.equal(await Deno.readTextFile(deep), "two", text);
  });

  Deno.test(`${program} lists nothing with an app password that was revoked`, async () => {
    await using folders = await syncedFolders(program);
    const username = `${program} gone`;
    const { token, user: { id } } = await app.addUser(username);
    const password = await appPassword(token, {});
    for (const made of await app.cubby.apiTokens.list(id)) await app.cubby.apiTokens.remove(made);
    const folder = await folders.add({ url, username, password });
    assert.doesNotMatch(await folder.sync(), hasListed);
  });
}
