/** The path, below the base path, of the WebSocket that tells pages when the process restarts. */
export const ALIVE_PATH = "/_frsh/alive";

/**
 * Sends the number of this process to each page that connects; a page that knows another reloads.
 */
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
