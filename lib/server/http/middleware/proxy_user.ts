import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { User } from "../../features/accounts/users/user.ts";
import type { Users } from "../../features/accounts/users/users.ts";
import { provisionedUser } from "./provisioned_users.ts";
import { peerAddress } from "./client_address.ts";
import { isTrusted } from "../../core/config/trusted_proxies.ts";

/** Id of the user for all requests under `noauth`. */
const FIRST_USER = 1;

/**
 * The user of a request that is authenticated without a password: the first one under `noauth`;
 * under `proxy` the one named by the header, which counts only when the socket's peer is a trusted
 * proxy. Undefined where passwords are asked for, and for an unknown name unless the proxy may
 * create users.
 */
export async function proxyUser(ctx: Context<State>): Promise<User | undefined> {
  const { cubby } = ctx.state;
  const { config, users } = cubby;
  switch (config.authMethod) {
    case "json":
    case "hook":
      return undefined;
    case "noauth":
      return await firstUser(users);
    case "proxy": {
      if (!isTrusted(peerAddress(ctx.info), config.trustedProxies)) return undefined;
      const name = textOf(ctx.req.headers.get(config.authHeader) ?? "");
      // Repeated headers, one perhaps sent by the client, arrive joined with a comma.
      if (name === "" || name.includes(",")) return undefined;
      const user = await users.byName(name) ?? undefined;
      return !user && config.authCreateUsers ? await provisionedUser(cubby, name) : user;
    }
  }
}

/** Decodes a header of UTF-8, which arrives as one character per byte; "" for invalid UTF-8. */
function textOf(header: string): string {
  try {
    const bytes = Uint8Array.from(header, (byte) => byte.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

async function firstUser(users: Users): Promise<User | undefined> {
  try {
    return await users.get(FIRST_USER);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return undefined;
    throw error;
  }
}
