import { App, attachBuild } from "../app.ts";
import type { BuildCache } from "../build_cache.ts";
import { listen, type ListenOptions } from "../listen.ts";

/** The path, below the base path, of the WebSocket that tells pages when the process restarts. */
const ALIVE_PATH = "/_frsh/alive";

/** Serves an application; requests wait until its build is there. */
export async function serveDevelopment<State>(
  importApp: () => Promise<{ app: App<State> } | App<State>>,
  build: Promise<BuildCache>,
  options: ListenOptions,
): Promise<void> {
  const imported = await importApp();
  const app = imported instanceof App ? imported : imported.app;
  app.config.mode = "development";
  const handler = build.then((cache) => {
    attachBuild(app, cache);
    return app.handler();
  });
  handler.catch(() => {});

  const { basePath } = app.config;
  const alive = liveReload();
  await listen(
    async (req, info) => {
      const { pathname } = new URL(req.url);
      if (pathname === basePath + ALIVE_PATH) return alive(req);
      return (await handler)(req, info as Deno.ServeHandlerInfo<Deno.NetAddr>);
    },
    basePath,
    options,
  );
  await handler;
}

/** Sends each page that connects the number of this process; on another number it reloads. */
function liveReload(): (req: Request) => Response {
  const revision = Date.now();
  return (req) => {
    if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return new Response(null, { status: 501 });
    }
    const { socket, response } = Deno.upgradeWebSocket(req);
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ type: "initial-state", revision }));
    });
    return response;
  };
}
