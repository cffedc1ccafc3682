/**
 * `deno task health`, `cubby-files health`: asks the server on this machine whether it is ready,
 * for the health checks of containers and supervisors. It takes the flags, variables and config
 * file of the server; what is only stored is not looked up. The exit status is 0 when it is ready,
 * else 1.
 */
import { request as ask } from "node:http";
import { request as askSecurely } from "node:https";
import type { Config } from "../core/config/config.ts";
import { refuseInOneLine } from "../core/config/refusal.ts";
import { resolveConfig } from "../core/config/resolve_config.ts";

/** Timeout of the answer, in milliseconds. */
const timeoutMs = 5_000;

/** The status of the answer. @throws Error when there is none */
function statusOf(
  { address, port, socket, baseUrl, cert }: Config,
): Promise<number | undefined> {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
  return new Promise((resolve, reject) => {
    const request = (cert === undefined ? ask : askSecurely)({
      ...socket ? { socketPath: socket.path } : { host, port },
      path: `${baseUrl}/health/ready`,
      // The certificate names the site, not this address.
      rejectUnauthorized: false,
      timeout: timeoutMs,
    }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    request.on("timeout", () => request.destroy(new Error("it does not answer")));
    request.on("error", reject);
    request.end();
  });
}

async function main(): Promise<void> {
  const cwd = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  const { config } = resolveConfig({ args: Deno.args, env: Deno.env, cwd });
  try {
    const status = await statusOf(config);
    console.log(status === 200 ? "ready" : `not ready: status ${status}`);
    Deno.exit(status === 200 ? 0 : 1);
  } catch (error) {
    console.error(`Not ready: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}

if (import.meta.main) await refuseInOneLine(main, "Cannot ask the server");
