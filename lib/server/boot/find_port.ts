import type { Config, UnixSocket } from "../core/config/config.ts";
import { StartRefusal } from "../core/config/refusal.ts";

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

/**
 * Removes a socket that an ended server has left.
 *
 * @throws StartRefusal when a server listens on it, or it is not a socket
 */
export async function freeSocket({ path }: UnixSocket): Promise<void> {
  const action = `Cannot listen on "${path}"`;
  try {
    if (!Deno.lstatSync(path).isSocket) throw new StartRefusal(`${action}: it is not a socket`);
    if (await isListenedOn(path)) throw new StartRefusal(`${action}: the socket is in use`);
    Deno.removeSync(path);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    if (error instanceof Deno.errors.NotFound) return;
    throw new StartRefusal(`${action}: the existing socket cannot be removed`);
  }
}

async function isListenedOn(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "the port is in use";
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "the address does not belong to this machine";
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return "the port needs more rights (ports below 1024 are reserved)";
  }
  return "the address is unknown";
}
