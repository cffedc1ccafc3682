import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { refuseOtherOrigins } from "../../../lib/server/http/middleware/cross_site.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { serveCommandSocket } from "../../../lib/server/commands/command_socket.ts";
import { limitMessages } from "../../../lib/server/commands/message_limit.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/command{/*}?" };

/** A WebSocket on which a command is typed, to run in a folder. */
export const handler = methods<State>({
  GET(ctx) {
    refuseOtherOrigins(ctx);
    const { cubby, address } = ctx.state;
    cubby.runner.check();
    const access = accessFor(ctx);
    const { path } = requestPath(ctx, "command");
    access.need(`Cannot run commands in "${path}"`, "execute");
    const [folder, scope] = [
      access.folder(path).real,
      access.confines(path, `Cannot run commands in "${path}"`, true),
    ];
    if (ctx.req.method !== "GET" || ctx.req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      throw new DomainError("invalid_option", "Cannot run commands: this address is a WebSocket");
    }

    const meter = cubby.meters?.meterOf(ctx.info.remoteAddr) ?? null;
    const { socket, response } = ctx.upgrade();
    limitMessages(socket, meter);
    const signedIn = sessionOf(ctx);
    serveCommandSocket(socket, cubby, { signedIn, address, path, folder, scope });
    return response;
  },
});
