import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { User } from "../../users/user.ts";
import type { Users } from "../../users/users.ts";
import { provisionedUser } from "./provisioned_users.ts";
import { peerAddress } from "./client_address.ts";
import { isTrusted } from "../../config/trusted_proxies.ts";

/** The user that everybody is under `noauth`. */
const FIRST_USER = 1;

/**
 * The user that the server takes a request's word for, without a password: the first one under
 * `noauth`; under `proxy` the one named by the header, which counts only when the socket's peer is
 * a trusted proxy. Nobody under `json`, and nobody when there is no such user, unless the proxy's
 * word is enough to make one.
 */
export async function proxyUser(ctx: Context<State>): Promise<User | undefined> {
  const { cubby } = ctx.state;
  const { config, users } = cubby;
  switch (config.authMethod) {
    case "json":
      return undefined;
    case "noauth":
      return await firstUser(users);
    case "proxy": {
      if (!isTrusted(peerAddress(ctx.info), config.trustedProxies)) return undefined;
      const name = textOf(ctx.req.headers.get(config.authHeader) ?? "");
      // Two headers, one of them perhaps the visitor's own, arrive as one with a comma in it.
      if (name === "" || name.includes(",")) return undefined;
      const user = await users.byName(name) ?? undefined;
      return !user && config.authCreateUsers ? await provisionedUser(cubby, name) : user;
    }
  }
}

/** The text of a header: proxies write names in UTF-8, which arrives byte by byte; "" for other bytes. */
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
