/**
 * The launcher with bounds of a test's own: the first argument is a {@linkcode Bounds} as JSON, the
 * others are the command line.
 */
import type { ConnectionLimits } from "../../../lib/server/boot/connection_limits.ts";
import { launch } from "../../../lib/server/boot/launcher.ts";
import { refuseInOneLine } from "../../../lib/server/core/config/refusal.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";

/** What is bounded. */
export interface Bounds {
  limits?: Partial<ConnectionLimits>;
  /** How many descriptors the process may have (`ulimit -n`). */
  descriptors?: number;
  /** Whether the probe of connections stands in the application's place. */
  isProbe?: boolean;
}

/** RLIMIT_NOFILE. */
const descriptorLimit = 7;

await refuseInOneLine(async () => {
  const [text = "{}", ...args] = Deno.args;
  const { limits, descriptors, isProbe }: Bounds = JSON.parse(text);
  if (descriptors !== undefined) limitDescriptors(descriptors);
  const { config } = resolveConfig({ args, env: Deno.env, cwd: Deno.cwd() });
  const entry = isProbe ? new URL("./connection_probe.ts", import.meta.url).pathname : undefined;
  await launch(config, { entry, limits });
});

/** Lowers both limits of this process, as `ulimit -n` does, for what it becomes. */
function limitDescriptors(count: number): void {
  const { symbols } = Deno.dlopen("libc.so.6", {
    setrlimit: { parameters: ["i32", "buffer"], result: "i32" },
  });
  const limits = new BigUint64Array([BigInt(count), BigInt(count)]);
  if (symbols.setrlimit(descriptorLimit, new Uint8Array(limits.buffer)) !== 0) {
    throw new Error(`Cannot lower the limit of descriptors to ${count}`);
  }
}
