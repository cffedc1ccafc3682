/** The launcher with short deadlines, for disks that hang and roots that are taken away. */
import { launch } from "../../../lib/server/boot/launcher.ts";
import { refuseInOneLine } from "../../../lib/server/core/config/refusal.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";

await refuseInOneLine(async () => {
  const { config } = resolveConfig({ args: Deno.args, env: Deno.env, cwd: Deno.cwd() });
  await launch(config, { disksTimeoutMs: 1_000, rootCheckMs: 200, drainMs: 2_000 });
});
