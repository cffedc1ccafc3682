import { join } from "node:path";
import { startApp } from "../../support/app.ts";
import type { Scene } from "./case.ts";

/** Opens what the requests are made on. */
export async function openScene(): Promise<Scene & { close(): Promise<void> }> {
  const app = await startApp({
    tree: {
      "a.txt": "0123456789",
      "film.mkv": "film",
      "film.srt": "",
      "move.txt": "moved",
      photos: { "sea.jpg": "sea", "sky.jpg": "sky", "old": {} },
      "put.txt": "former",
      "remove.txt": "gone",
    },
  });
  const open = await startApp({ config: { authMethod: "noauth" } });
  const host = (refusal: string | null) => ({
    config: { disableExec: false, commandHost: { socket: "/nowhere", refusal } },
  });
  const commanding = await startApp(host(null));
  commanding.listen();
  const sandboxless = await startApp(host("there are no namespaces"));
  await new Deno.Command("mkfifo", { args: [join(app.root, "pipe")] }).output();
  return {
    ...{ app, open, commanding, sandboxless },
    async close() {
      for (const each of [app, open, commanding, sandboxless]) await each.close();
    },
  };
}
