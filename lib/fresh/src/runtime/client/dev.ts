/**
 * The script of the development server: starts the islands, and reloads the page when the process
 * has restarted.
 *
 * @module
 */
import { ALIVE_URL } from "../../constants.ts";
import { deployment } from "../shared_internal.ts";

export { boot } from "./mod.ts";

const FIRST_WAIT = 100;

const LONGEST_WAIT = 5000;

let revision: number | null = null;

connect(FIRST_WAIT);

/** @param wait Milliseconds until the next attempt when the connection ends. */
function connect(wait: number): void {
  const url = new URL(`${deployment.basePath}${ALIVE_URL}`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  let next = Math.min(wait * 2, LONGEST_WAIT);
  socket.addEventListener("message", (event) => {
    const message: { type: string; revision: number } = JSON.parse(event.data);
    if (message.type !== "initial-state") return;
    if (revision !== null && revision !== message.revision) location.reload();
    revision = message.revision;
    next = FIRST_WAIT;
  });
  socket.addEventListener("close", () => setTimeout(() => connect(next), wait));
}
