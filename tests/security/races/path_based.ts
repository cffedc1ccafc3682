/**
 * A server that opens entries by their paths, after it has looked twice that no component is a
 * link: as the gate once did. The races must find it out, or they would find nothing out.
 */
import { basename, dirname, join } from "node:path";

/** Serves a folder on a free port of 127.0.0.1. */
export function servePathBased(scope: string): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  return Deno.serve(options, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, , kind, ...names] = pathname.split("/");
    const body = await request.bytes();
    try {
      const path = join(scope, ...names.map(decodeURIComponent));
      const to = decodeURIComponent(searchParams.get("destination") ?? "");
      return answer({ method: request.method, kind, scope, path, to, body });
    } catch {
      return new Response("", { status: 403 });
    }
  });
}

interface Asked {
  method: string;
  kind: string | undefined;
  scope: string;
  path: string;
  to: string;
  body: Uint8Array<ArrayBuffer>;
}

function answer({ method, kind, scope, path, to, body }: Asked): Response {
  look(scope, method === "POST" ? dirname(path) : path);
  if (method === "GET" && kind === "raw") return new Response(Deno.readFileSync(path));
  if (method === "GET") return Response.json([...Deno.readDirSync(path)]);
  if (method === "DELETE") Deno.removeSync(path, { recursive: true });
  if (method === "PATCH") {
    const target = join(scope, to);
    look(scope, dirname(target));
    Deno.renameSync(path, target);
  }
  if (method === "POST") {
    Deno.mkdirSync(dirname(path), { recursive: true });
    const temporary = join(dirname(path), `.${basename(path)}.part`);
    Deno.writeFileSync(temporary, body);
    Deno.renameSync(temporary, path);
  }
  return new Response("done");
}

function look(scope: string, path: string): void {
  const below = path.slice(scope.length + 1).split("/");
  for (let looks = 0; looks < 2; looks++) {
    let at = scope;
    for (const name of below) {
      at = join(at, name);
      if (Deno.lstatSync(at).isSymlink) throw new Error("Cannot follow a link");
    }
  }
}
