import { isBelow } from "../disk/real_path.ts";
import type { Config } from "../config/config.ts";
import { mailServerUrl } from "../config/places.ts";
import { appFolder } from "../config/app_folder.ts";
import type { LandlockFeatures } from "./landlock.ts";

/**
 * Describes the sandbox in force, in one line.
 *
 * @param more further parts, found by the server process, such as `seccomp`
 */
export function describeSandbox(
  config: Config,
  landlock: LandlockFeatures | null,
  more: string[],
): string {
  const held = ["files", landlock?.ports && "ports", landlock?.signals && "signals"];
  const kernel = landlock
    ? `Landlock ABI ${landlock.abi} (${held.filter(Boolean).join(", ")})`
    : "no Landlock on this system";
  const inForce = [kernel, "Deno permissions", ...more].join(", ");
  // Landlock cannot exclude a folder from an allowed one: the gate and Deno do.
  const program = isBelow(appFolder, config.root)
    ? "; the root contains the program, which the kernel cannot protect from changes"
    : "";
  return `Sandbox: ${inForce}; ${commandsOf(config)}${program}`;
}

/** Describes the captcha's host, to which the server may connect; null without one. */
export function describeCaptcha({ recaptcha }: Config): string | null {
  if (!recaptcha) return null;
  return `Captcha before signing in; the server may connect to ${recaptcha.host}`;
}

/** Describes the provider of accounts, to which the server may connect; null without one. */
export function describeProvider({ oidc }: Config): string | null {
  if (!oidc) return null;
  const servers = [...new Set([new URL(oidc.issuer).origin, ...oidc.origins ?? []])].join(", ");
  return `Sign-in through ${oidc.issuer}; the server may connect to ${servers}`;
}

/** Describes the directory whose passwords count; null without one. */
export function describeDirectory({ ldap }: Config): string | null {
  if (!ldap) return null;
  return `Sign-in through the directory ${ldap.base}; the server may connect to ${
    ldap.urls.join(", ")
  }`;
}

/** Describes where webhooks may be sent; null while there are none. */
export function describeWebhooks({ webhooks }: Config): string | null {
  if (!webhooks) return null;
  const { ports, privateNetworks, http } = webhooks;
  const also = privateNetworks.length > 0 ? ` and ${privateNetworks.join(", ")}` : "";
  const how = http ? "https and http" : "https";
  return `Webhooks: the server may connect to the internet${also} by ${how}, ports ${
    ports.join(", ")
  }`;
}

/** Describes the server that mail is handed to; null without one. */
export function describeMail({ mail }: Config): string | null {
  if (!mail) return null;
  return `Mail of ${mail.from.address}; the server may connect to ${mailServerUrl(mail)}`;
}

/** Describes the program that knows the passwords; null without one. */
export function describeHook(config: Config): string | null {
  if (config.authMethod !== "hook") return null;
  const refusal = config.commandHost?.refusal ?? null;
  if (refusal !== null) {
    return `Sign-in by a command: refused without a sandbox: ${refusal}`;
  }
  const held = config.execSandbox === "none"
    ? "WITHOUT A SANDBOX, with all rights of this account"
    : "in a sandbox, without network and files of users";
  return `Sign-in by a command, ${held}`;
}

function commandsOf({ disableExec, execSandbox, commandHost }: Config): string {
  if (disableExec) return "commands off";
  if (execSandbox === "none") {
    return "commands on, WITHOUT A SANDBOX, with all rights of this account";
  }
  const refusal = commandHost?.refusal ?? null;
  if (refusal !== null) return `commands refused without a sandbox: ${refusal}`;
  return "commands on, each in a sandbox of its own";
}
