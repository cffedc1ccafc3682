/** Options of the listening socket. */
export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & {
    /** An address at which clients reach the server; only printed. */
    remoteAddress?: string;
  };

const FIRST_PORT = 8000;
const LAST_PORT = 8019;

/**
 * Serves a handler. Without a port, the first free one from 8000 to 8019 is taken.
 *
 * @throws {Deno.errors.AddrInUse} when the port, or each of them, is taken.
 */
export async function listen(
  handler: Deno.ServeHandler,
  basePath: string,
  options: ListenOptions,
): Promise<Deno.HttpServer> {
  const onListen = options.onListen ??
    ((address) => announce(address, basePath, options));
  if (options.port !== undefined) {
    return Deno.serve({ ...options, onListen }, handler);
  }

  for (let port = FIRST_PORT;; port++) {
    try {
      return await Deno.serve({ ...options, port, onListen }, handler);
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || port === LAST_PORT) {
        throw error;
      }
    }
  }
}

function announce(address: Deno.NetAddr, basePath: string, options: ListenOptions): void {
  const protocol = options.cert === undefined ? "http" : "https";
  const hostname = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
  console.log(
    `Fresh ready at ${protocol}://${hostname}:${address.port}${basePath}/`,
  );
  if (options.remoteAddress) {
    console.log(`Reachable at ${options.remoteAddress}`);
  }
}
