/** The launcher with the probe in the application's place: the same flags, the same rights. */
import { launch } from "../../../lib/server/boot/launcher.ts";
import { refuseInOneLine } from "../../../lib/server/core/config/refusal.ts";
import {
  assembleFilter,
  errorNumber,
  installFilter,
} from "../../../lib/server/core/sandbox/call_filter.ts";
import type { CallName } from "../../../lib/server/core/sandbox/call_numbers.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";

/** Names a system call that the kernel is to lack. */
const withoutFlag = "--without=";

await refuseInOneLine(async () => {
  const [drainMs, ...given] = Deno.args;
  const args = given.filter((arg) => !arg.startsWith(withoutFlag));
  const missing = given.find((arg) => arg.startsWith(withoutFlag))?.slice(withoutFlag.length);
  if (missing !== undefined) takeAway(missing as CallName);
  const { config } = resolveConfig({ args, env: Deno.env, cwd: Deno.cwd() });
  const entry = new URL("./probe.ts", import.meta.url).pathname;
  await launch(config, { entry, drainMs: Number(drainMs) });
});

/** Makes the kernel an older one, to this process and what it becomes. */
function takeAway(call: CallName): void {
  const refusals = [{ calls: [call], error: errorNumber.notThere }];
  installFilter("libc.so.6", assembleFilter(refusals), 0n);
}
