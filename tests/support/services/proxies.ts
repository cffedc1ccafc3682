/** The proxies of deploy/, with the real samples, on ports of the loopback. */
import { join } from "node:path";

const top = new URL("../../..", import.meta.url).pathname;
const tls = join(top, "tests", "support", "data", "tls");

/** How long a proxy may take to listen, in milliseconds. */
const timeoutMs = 30_000;

/** A running proxy. */
export interface Proxy extends AsyncDisposable {
  /** Where it listens. */
  url: string;
  /** The same in plain http, where `url` is not. */
  plain: string;
  /** Where it keeps bodies that it buffers; null when it has no such place. */
  buffers: string | null;
}

/**
 * Starts nginx with deploy/nginx.conf, in which only addresses and the certificate are changed.
 *
 * @param server the address of the server: `127.0.0.1:49152`
 * @param folder for its files
 * @param below the path of the location, if not `/`
 */
export async function startNginx(server: string, folder: string, below = "/"): Promise<Proxy> {
  const [secure, plain, other] = [freePort(), freePort(), freePort()];
  const site = replaceEach(Deno.readTextFileSync(join(top, "deploy", "nginx.conf")), [
    ["server 127.0.0.1:8080;", `server ${server};`],
    ["listen 80;", `listen 127.0.0.1:${other};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${secure} ssl http2; listen 127.0.0.1:${plain};`],
    ["/etc/nginx/certificates/site.crt", join(tls, "certificate.pem")],
    ["/etc/nginx/certificates/site.key", join(tls, "key.pem")],
    ["location / {", `location ${below} {`],
  ]);
  const buffers = join(folder, "client_body");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  const config = join(folder, "nginx.conf");
  await Deno.writeTextFile(
    config,
    [
      ...Deno.uid() === 0 ? ["user root;"] : [],
      ...["daemon off;", `pid ${join(folder, "nginx.pid")};`, "events {}"],
      ...["http {", "access_log off;", ...temporary, site, "}"],
    ].join("\n"),
  );
  const args = ["-p", folder, "-e", join(folder, "nginx.log"), "-c", config];
  const child = new Deno.Command("nginx", { args, stdin: "null", stderr: "null" }).spawn();
  const proxy = { url: `https://localhost:${secure}`, plain: `http://localhost:${plain}`, buffers };
  return await running(child, plain, proxy);
}

/** Starts Caddy with deploy/Caddyfile, in which only addresses are changed: without https. */
export async function startCaddy(server: string, folder: string): Promise<Proxy> {
  const port = freePort();
  const site = replaceEach(Deno.readTextFileSync(join(top, "deploy", "Caddyfile")), [
    ["files.example.org {", `http://localhost:${port} {\n\tbind 127.0.0.1`],
    ["reverse_proxy 127.0.0.1:8080 {", `reverse_proxy ${server} {`],
  ]);
  const config = join(folder, "Caddyfile");
  await Deno.writeTextFile(config, `{\n\tadmin off\n}\n${site}`);
  const child = new Deno.Command("caddy", {
    args: ["run", "--adapter", "caddyfile", "--config", config],
    env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  const url = `http://localhost:${port}`;
  // Otherwise it waits for connections that clients keep.
  return await running(child, port, { url, plain: url, buffers: null }, "SIGKILL");
}

async function running(
  child: Deno.ChildProcess,
  port: number,
  proxy: Omit<Proxy, keyof AsyncDisposable>,
  signal: Deno.Signal = "SIGTERM",
): Promise<Proxy> {
  const stop = async () => {
    try {
      child.kill(signal);
    } catch {
      // It has ended.
    }
    await child.status;
  };
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return { ...proxy, [Symbol.asyncDispose]: stop };
    } catch {
      if (Date.now() > deadline) {
        await stop();
        throw new Error("The proxy does not listen");
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** @throws Error when the sample has a text not once */
function replaceEach(sample: string, changes: [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The sample has "${from}" not once`);
    return text.replace(from, () => to);
  }, sample);
}
