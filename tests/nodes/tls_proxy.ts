/** What stands before a KV Connect server where others reach it: TLS, and HTTP/2 for Deno's client. */
import { request } from "node:http";
import { createSecureServer } from "node:http2";

const folder = new URL("../support/data/tls/", import.meta.url).pathname;

/** The certificate, which is its own authority. */
export const authority = `${folder}certificate.pem`;

/** Starts one before a server on this machine. */
export async function startTlsProxy(target: string): Promise<{ url: string } & AsyncDisposable> {
  const [cert, key] = [authority, `${folder}key.pem`].map((path) => Deno.readTextFileSync(path));
  const proxy = createSecureServer({ cert, key, allowHTTP1: true }, (asked, answer) => {
    const named = Object.entries(asked.headers).filter(([name]) => !name.startsWith(":"));
    const headers = Object.fromEntries(named);
    const sent = request(target + asked.url, { method: asked.method, headers }, (came) => {
      const { connection: _, "transfer-encoding": __, ...kept } = came.headers;
      answer.writeHead(came.statusCode ?? 502, kept);
      came.pipe(answer);
      came.on("error", () => answer.end());
    });
    sent.on("error", () => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end("the store is away\nand more of it");
    });
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
  });
  const sessions = new Set<{ destroy(): void }>();
  proxy.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
