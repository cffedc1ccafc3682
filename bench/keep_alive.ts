/** A small HTTP client that keeps its connections: for machines without wrk and ab. */

const decoder = new TextDecoder();

/**
 * Requests a second over so many connections, each sending the next request when the answer to
 * the last one is complete.
 *
 * @throws Error when an answer is no 200 or 201 with a length.
 */
export async function keepAliveRate(
  url: string,
  token: string,
  connections: number,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: connections }, async () => {
      using connection = await Connection.open(url, token);
      let count = 0;
      for (; performance.now() < end; count++) await connection.request();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

/** One connection that asks for one address again and again. */
export class Connection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #request: Uint8Array;
  readonly #buffer = new Uint8Array(65_536);

  private constructor(connection: Deno.TcpConn, request: Uint8Array) {
    this.#connection = connection;
    this.#request = request;
  }

  static async open(address: string, token: string): Promise<Connection> {
    const url = new URL(address);
    const connection = await Deno.connect({ hostname: url.hostname, port: Number(url.port) });
    connection.setNoDelay();
    const lines = [`GET ${url.pathname} HTTP/1.1`, `Host: ${url.host}`, `X-Auth: ${token}`, "", ""];
    return new Connection(connection, new TextEncoder().encode(lines.join("\r\n")));
  }

  /** Sends the request, or another, and waits for the whole answer. */
  async request(bytes: Uint8Array = this.#request): Promise<void> {
    await this.#connection.write(bytes);
    let head = "";
    while (!head.includes("\r\n\r\n")) head += decoder.decode(await this.#read());
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (!/^HTTP\/1\.1 20[01] /.test(head) || length === undefined) {
      throw new Error(`Cannot measure: the server answers ${head.slice(0, 200)}`);
    }
    const begun = head.length - head.indexOf("\r\n\r\n") - 4;
    for (let rest = Number(length) - begun; rest > 0;) rest -= (await this.#read()).length;
  }

  async #read(): Promise<Uint8Array> {
    const size = await this.#connection.read(this.#buffer);
    if (size === null) throw new Error("Cannot measure: the server closed the connection");
    return this.#buffer.subarray(0, size);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
