/** The launcher with the probe in the application's place: the same flags, the same rights. */
import { launch } from "../../lib/start/launch.ts";
import { refuseInOneLine } from "../../lib/start/refusal.ts";
import { resolveConfig } from "../../lib/start/resolve_config.ts";

await refuseInOneLine(async () => {
  const [drainMs, ...args] = Deno.args;
  const { config } = resolveConfig({ args, env: Deno.env, cwd: Deno.cwd() });
  const entry = new URL("./probe.ts", import.meta.url).pathname;
  await launch(config, { entry, drainMs: Number(drainMs) });
});
