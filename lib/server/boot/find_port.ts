import type { Config } from "../config/config.ts";
import { StartRefusal } from "../config/refusal.ts";

/**
 * The port to listen on: the configured one if it is free, or a free one for 0. It is chosen before
 * the start because the server's permissions name it; and because threads that share a port
 * (SO_REUSEPORT) would also share it, unnoticed, with another server of the same account.
 *
 * @throws StartRefusal when the port is taken, or the address is not one of this machine
 */
export function findPort({ address, port }: Config): number {
  try {
    using listener = Deno.listen({ hostname: address, port });
    return listener.addr.port;
  } catch (error) {
    throw new StartRefusal(`Cannot listen on ${address}, port ${port}: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "the port is in use";
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "the address does not belong to this machine";
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return "the port is reserved for the system's administrator";
  }
  return "the address is not known";
}
