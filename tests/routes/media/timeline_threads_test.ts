import assert from "node:assert/strict";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { serveThread } from "../../../lib/server/core/concurrency/thread_channel.ts";
import { loseMessages } from "../../support/run/lost_messages.ts";
import { quarters } from "../../support/data/pictures.ts";
import { startApp } from "../../support/server/app.ts";

Deno.test("the timeline does not wait for a change of which another thread's end was lost", async () => {
  using _serving = serveThread();
  const picture = await quarters(30, 20).jpeg().toBuffer();
  await using app = await startApp({ inProcess: true, tree: { "a.jpg": picture } });
  await using other = await startApp({ inProcess: true, config: app.cubby.config });
  const token = await app.tokenOf("admin");
  const paths = async (by: typeof app): Promise<string[]> => {
    const token = await by.tokenOf("admin");
    const window = await (await by.call("GET", "/api/timeline", { token })).json();
    return window.items.map(({ path }: { path: string }) => path);
  };
  while ((await paths(other)).length < 1) await delay(20);
  let lost = 0;
  {
    using _lost = loseMessages((message) => {
      const isEnd = JSON.stringify(message).includes('"ended"');
      if (isEnd) lost++;
      return isEnd;
    });
    await app.call("POST", "/api/resources/b.jpg", { token, body: picture });
    while (lost === 0) await delay(5);
  }
  assert.ok(await Deno.stat(join(app.root, "b.jpg")));
  for (const end = Date.now() + 20_000;;) {
    const begun = performance.now();
    const found = await paths(other);
    if (performance.now() - begun < 1_000 && found.includes("/b.jpg")) break;
    assert.ok(Date.now() < end, "each answer waits");
  }
});
