import { join } from "node:path";
import { has } from "./commands.ts";

/** A running nginx. */
export interface Nginx extends AsyncDisposable {
  url: string;
  pid: number;
}

/**
 * Starts nginx on a folder, for comparison: sendfile for downloads, DAV for uploads, JSON listings.
 * Null when it is not installed.
 */
export async function startNginx(root: string, folder: string): Promise<Nginx | null> {
  if (!has("nginx")) return null;
  return await start(folder, [
    `root ${root};`,
    "client_max_body_size 0;",
    "autoindex on;",
    "autoindex_format json;",
    "location / { dav_methods PUT; }",
    `location = /health { default_type application/json; return 200 '{"status":"OK"}'; }`,
  ]);
}

/**
 * Starts nginx in front of a server, with a limit on bodies. Its log in the folder has a line for
 * each request: the method, the status, and the received bytes.
 */
export async function startProxy(
  server: string,
  folder: string,
  limit: string,
): Promise<Nginx & { log: string }> {
  if (!has("nginx")) throw new Error("Cannot measure: nginx is not installed");
  const log = join(folder, "requests.log");
  const nginx = await start(folder, [
    `client_max_body_size ${limit};`,
    "client_body_buffer_size 1m;",
    `access_log ${log} requests;`,
    `location / { proxy_pass ${server}; proxy_http_version 1.1; proxy_set_header Host $http_host; }`,
  ]);
  return { ...nginx, log };
}

/** Starts it with a configuration of its own on a free port of the loopback. */
async function start(folder: string, directives: string[]): Promise<Nginx> {
  const port = freePort();
  const config = join(folder, "nginx.conf");
  await Deno.writeTextFile(config, configuration(folder, port, directives));
  const args = ["-p", folder, "-e", join(folder, "nginx.log"), "-c", config];
  const child = new Deno.Command("nginx", { args, stdin: "null" }).spawn();
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/health`);
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

function configuration(folder: string, port: number, directives: string[]): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`).join("\n");
  return `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes auto;
pid ${join(folder, "nginx.pid")};
events { worker_connections 512; }
http {
  log_format requests '$request_method $status $request_length';
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
${temporary}
  server {
    listen 127.0.0.1:${port};
    ${directives.join("\n    ")}
  }
}
`;
}

/** A port of the loopback that nothing listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const answer = await fetch(url);
      await answer.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("Cannot start nginx: it does not answer");
}
