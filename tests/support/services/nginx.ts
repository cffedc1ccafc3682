/** nginx with the sample of `deploy/`, in front of an application. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

const sample = new URL("../../../deploy/nginx-offload.conf", import.meta.url);
const program = "/usr/sbin/nginx";

/** How long it may take to listen, in milliseconds. */
const timeoutMs = 30_000;

/** Whether this machine has nginx. */
export function hasNginx(): boolean {
  try {
    return Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/**
 * Starts nginx with the sample of the offload before a server. Besides, `/late` answers with what
 * `X-Late` names, as the server would by `X-Accel-Redirect`: so a test may do something between the
 * two.
 *
 * @param server its address: `http://127.0.0.1:49152`
 * @param root the served folder
 */
export async function startOffloadingNginx(
  server: string,
  root: string,
): Promise<AsyncDisposable & { url: string }> {
  const folder = await temporaryFolder();
  const place = (name: string) => join(folder.path, name);
  await Deno.writeTextFile(
    place("offload.conf"),
    Deno.readTextFileSync(sample).replaceAll("/srv/files", root),
  );
  const port = freePort();
  const late = freePort();
  await Deno.writeTextFile(place("nginx.conf"), configuration({ place, port, late, server }));
  const child = new Deno.Command(program, {
    args: ["-p", folder.path, "-e", place("error.log"), "-c", place("nginx.conf")],
    stdin: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}`;
  await listening(port, place("error.log"));
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await folder[Symbol.asyncDispose]();
    },
  };
}

function configuration({ place, port, late, server }: {
  place: (name: string) => string;
  port: number;
  late: number;
  server: string;
}): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `  ${kind}_temp_path ${place(kind)};`).join("\n");
  return `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes auto;
pid ${place("nginx.pid")};
events { worker_connections 64; }
http {
  access_log off;
${temporary}
  server {
    listen 127.0.0.1:${port};
    include ${place("offload.conf")};
    location / {
      proxy_pass ${server};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_buffering off;
    }
    location = /late { proxy_pass http://127.0.0.1:${late}; }
  }
  server {
    listen 127.0.0.1:${late};
    location / { add_header X-Accel-Redirect $http_x_late; return 200; }
  }
}
`;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function listening(port: number, log: string): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end;) {
    try {
      using _ = await Deno.connect({ hostname: "127.0.0.1", port });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error(`Cannot start nginx: it does not listen\n${Deno.readTextFileSync(log)}`);
}
