import { isLoopback } from "../../../shared/loopback.ts";
import type { Config } from "./config.ts";
import type { ConfigFile } from "./config_file.ts";
import { type GivenValues, startOptions } from "./options.ts";
import { isRemote } from "./places.ts";
import { StartRefusal } from "./refusal.ts";
import type { Given } from "./sources.ts";
import { refuseHalf } from "./values.ts";

/**
 * Refuses options that contradict each other, or that are not safe together.
 *
 * @param noauthAnywhere whether `noauth` is allowed on an address that others can reach
 * @throws StartRefusal
 */
export function refuseContradictions(config: Config, noauthAnywhere: boolean): void {
  const { address, authMethod, cert, key, trustedProxies, database, workers, socket } = config;
  refuseHalf("cert", cert, "key", key);
  if (authMethod === "noauth" && !noauthAnywhere && !socket && !isLoopback(address)) {
    throw new StartRefusal(
      `Cannot use noauth on "${address}": every visitor would be the administrator; ` +
        "--noauth-anywhere allows it",
    );
  }
  if (socket && workers > 1) {
    throw new StartRefusal(
      "Cannot use --socket with --workers: only one thread can listen on a socket",
    );
  }
  if (socket && cert !== undefined) {
    throw new StartRefusal("Cannot use --socket with --cert: on a socket, TLS is for the proxy");
  }
  if (authMethod === "proxy" && trustedProxies.length === 0) {
    throw new StartRefusal("Cannot use the proxy method: --trusted-proxies names no proxy");
  }
  if (authMethod === "hook" && !config.authCommand) {
    throw new StartRefusal("Cannot use the hook method: --auth-command names no program");
  }
  if (config.offload && trustedProxies.length === 0) {
    throw new StartRefusal("Cannot use --offload: --trusted-proxies names no proxy");
  }
  if (database === ":memory:" && workers > 1) {
    throw new StartRefusal('Cannot use the database ":memory:": each worker would have its own');
  }
}

/**
 * Says of each value that has no effect why not.
 *
 * @throws StartRefusal for one of File Browser's that the server must not start with
 */
export function unusedValues(
  { authMethod, socket, database }: Config,
  given: Given,
  { file, stored }: { file: ConfigFile; stored: GivenValues | undefined },
): string[] {
  const command = authMethod === "hook" ? undefined : given("auth-command");
  const idle = socket ? [given("address"), given("port")] : [];
  return [
    ...answersTo(given),
    ...idle.filter((value) => value && ![...stored?.values() ?? []].includes(value))
      .map((value) => `Not used: ${value?.source}: the server listens on a socket`),
    ...isRemote(database) || !given("database-ca")
      ? []
      : [`Not used: ${given("database-ca")?.source}: the store is not a server`],
    ...command?.text ? [`Not used: ${command.source}: the sign-in method is not hook`] : [],
    ...unknownKeys(file),
  ];
}

/**
 * Says what to do instead of each given option that only File Browser has.
 *
 * @throws StartRefusal for one that the server must not start with
 */
function answersTo(given: Given): string[] {
  return startOptions.flatMap(({ name, instead, usual = "", isRefused }) => {
    const value = instead === undefined ? undefined : given(name);
    if (!value || ["", "false", usual].includes(value.text)) return [];
    if (isRefused) throw new StartRefusal(`Cannot use ${value.source}: ${instead}`);
    return [`Not used: ${value.source}: ${instead}`];
  });
}

function unknownKeys({ path, unknown }: ConfigFile): string[] {
  if (unknown.length === 0) return [];
  const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
  return [`Not used from the config file "${path}": ${keys}`];
}
