import { join } from "node:path";
import { defaultSettings } from "../../../lib/server/settings/settings.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import type { Scene } from "./case.ts";

/** A picture of one pixel. */
const dot = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** A server where a command before each operation refuses it. */
async function startHooking(): Promise<TestApp> {
  const app = await startApp({
    config: { disableExec: false, execSandbox: "none" },
    tree: { "a.txt": "one" },
  });
  const settings = defaultSettings();
  const commands = { ...settings.commands };
  for (const event of ["save", "upload", "copy", "rename", "delete"] as const) {
    commands[`before_${event}`] = ["false"];
  }
  await app.cubby.settings.update({ ...settings, commands });
  return app;
}

/** Opens what the requests are made on. */
export async function openScene(): Promise<Scene & { close(): Promise<void> }> {
  const app = await startApp({
    tree: {
      "a.txt": "0123456789",
      "dot.png": dot,
      "film.mkv": "film",
      "film.srt": "",
      "move.txt": "moved",
      photos: { "sea.jpg": "sea", "sky.jpg": "sky", "old": {} },
      "put.txt": "former",
      "remove.txt": "gone",
    },
  });
  const open = await startApp({ config: { authMethod: "noauth" } });
  const recaptcha = { host: "http://127.0.0.1:1", key: "k", secret: "s" };
  const guarded = await startApp({ config: { recaptcha } });
  await guarded.cubby.settings.update({ ...defaultSettings(), signup: true });
  const host = (refusal: string | null) => ({
    config: { disableExec: false, commandHost: { socket: "/nowhere", refusal } },
  });
  const commanding = await startApp(host(null));
  commanding.listen();
  const sandboxless = await startApp(host("there are no namespaces"));
  const hooking = await startHooking();
  await new Deno.Command("mkfifo", { args: [join(app.root, "pipe")] }).output();
  return {
    ...{ app, open, guarded, commanding, sandboxless, hooking },
    async close() {
      for (const each of [app, open, guarded, commanding, sandboxless, hooking]) await each.close();
    },
  };
}
