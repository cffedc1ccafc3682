import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import { tarOf, zipOf } from "../../support/data/hostile_archives.ts";
import { startOfficeServer } from "../../support/office/office_server.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
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

/**
 * Opens what the requests are made on, without what servers do at intervals: that would begin in
 * one test, and end in another.
 */
export async function openScene(): Promise<Scene & { close(): Promise<void> }> {
  const { setInterval } = globalThis;
  Object.assign(globalThis, { setInterval: () => 0 });
  try {
    return await openApps();
  } finally {
    Object.assign(globalThis, { setInterval });
  }
}

/** An archive that takes a while to read; once it is read, its contents are kept. */
const slow = gzipSync(new Uint8Array(64 * 1024 * 1024));

async function openApps(): Promise<Scene & { close(): Promise<void> }> {
  const app = await startApp({
    config: { metricsToken: "0123456789abcdef", syncClients: true },
    tree: {
      "a.txt": "0123456789",
      "dot.png": dot,
      "film.mkv": "film",
      "film.srt": "",
      "move.txt": "moved",
      photos: { "sea.jpg": "sea", "sky.jpg": "sky", "old": {} },
      "put.txt": "former",
      "remove.txt": "gone",
      "trip.zip": zipOf([
        { name: "in.txt", content: "in" },
        { name: "secret.txt", content: "xx", flags: 0x801 },
      ]),
      "many.tar": tarOf([{ name: "a", size: 6e9 }]),
      "cut.tar": tarOf([{ name: "a.txt", content: "cut" }]).subarray(0, 514),
      "long.tar": tarOf([{ name: "a.txt", type: "L", size: 2 * 1024 * 1024 }]),
      "slow.tar.gz": slow,
      "slow-shared.tar.gz": slow,
    },
  });
  const open = await startApp({ config: { authMethod: "noauth" } });
  const recaptcha = { host: "http://127.0.0.1:1", key: "k", secret: "s" };
  const guarded = await startApp({ config: { recaptcha } });
  const { contents, ...settings } = defaultSettings();
  const searching = { ...contents, enabled: true };
  await guarded.cubby.settings.update({ ...settings, signup: true, contents: searching });
  const host = (refusal: string | null) => ({
    config: { disableExec: false, commandHost: { socket: "/nowhere", refusal } },
  });
  const commanding = await startApp(host(null));
  commanding.listen();
  const sandboxless = await startApp(host("there are no namespaces"));
  const hooking = await startHooking();
  const webhooks = { ports: [443], privateNetworks: [], http: false };
  const telling = await startApp({ config: { webhooks } });
  await new Deno.Command("mkfifo", { args: [join(app.root, "pipe")] }).output();
  const editors = await startOfficeServer();
  const office = { url: editors.url, publicUrl: editors.url };
  const editing = await startApp({ config: { office }, tree: { "a.txt": "one" } });
  const all = [app, open, guarded, commanding, sandboxless, hooking, telling, editing];
  return {
    ...{ app, open, guarded, commanding, sandboxless, hooking, telling, editing },
    async close() {
      for (const each of all) await each.close();
      await editors[Symbol.asyncDispose]();
    },
  };
}
