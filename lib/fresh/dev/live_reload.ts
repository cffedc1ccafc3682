/** The path, below the base path, of the WebSocket that tells pages when the process restarts. */
export const ALIVE_PATH = "/_frsh/alive";

/** Sends each page that connects the number of this process; on another number it reloads. */
export function liveReload(): (req: Request) => Response {
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
