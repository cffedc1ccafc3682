/** A server that some command starts, such as the program of a package. */

/** It runs until {@linkcode SpawnedServer.stop}. */
export interface SpawnedServer {
  /** Where it listens, with the base URL, without a slash at the end. */
  url: string;
  /** All that it printed so far. */
  output(): string;
  /** Sends SIGTERM. @returns the exit status */
  stop(): Promise<number>;
}

/**
 * Starts a server, and waits until it listens.
 *
 * @param command with both outputs piped
 * @throws Error with the server's output when it ends before
 */
export async function spawnServer(command: Deno.Command): Promise<SpawnedServer> {
  const child = command.spawn();
  let output = "";
  const listening = Promise.withResolvers<string>();
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
      const url = /Listening on (http:[^\s"]+?)\/?[\s"]/.exec(output)?.[1];
      if (url) listening.resolve(url);
    }
  };
  const ended = Promise.all([read(child.stdout), read(child.stderr)]);
  ended.then(() => listening.reject(new Error(`It does not serve: ${output}`)));
  const url = await listening.promise;
  return {
    url,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const { code } = await child.status;
      await ended;
      return code;
    },
  };
}
