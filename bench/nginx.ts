import { join } from "node:path";
import { has } from "./commands.ts";

/** nginx on a folder, for comparison: sendfile for downloads, DAV for uploads, JSON listings. */
export interface Nginx extends AsyncDisposable {
  url: string;
}

/**
 * Starts nginx with a configuration of its own on a free port of the loopback; null when it is not
 * installed.
 */
export async function startNginx(root: string, folder: string): Promise<Nginx | null> {
  if (!has("nginx")) return null;
  const port = freePort();
  const config = join(folder, "nginx.conf");
  await Deno.writeTextFile(config, configuration(root, folder, port));
  const args = ["-p", folder, "-e", join(folder, "nginx.log"), "-c", config];
  const child = new Deno.Command("nginx", { args, stdin: "null" }).spawn();
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/health`);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

function configuration(root: string, folder: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`).join("\n");
  return `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes auto;
pid ${join(folder, "nginx.pid")};
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_max_body_size 0;
${temporary}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    autoindex on;
    autoindex_format json;
    location / { dav_methods PUT; }
    location = /health { default_type application/json; return 200 '{"status":"OK"}'; }
  }
}
`;
}

function freePort(): number {
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
