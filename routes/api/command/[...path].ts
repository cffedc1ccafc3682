import type { RouteConfig } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { serveCommandSocket } from "../../../lib/server/features/commands/command_socket.ts";
import { limitMessages } from "../../../lib/server/features/commands/message_limit.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { refuseOtherOrigins } from "../../../lib/server/http/middleware/origin_checks.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { switched, upgradeHeader } from "../../../lib/server/http/openapi/parts/websocket.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/command/*?") };

/** A WebSocket on which a command is typed, to run in a folder. */
export const handler = calls({
  GET: {
    id: "command",
    tag: "Commands",
    summary: "Run a command in a folder, over a WebSocket",
    description:
      "The first text message that is not blank is the command line. Each line that the " +
      "command prints is sent as a message. Then the server closes the socket with code 1000 " +
      "and the exit status as the reason. Other codes: 1008, the line was refused (the last " +
      "message says why) or the session has ended; 1009, a message had more than 64 KiB; " +
      "1011, the server failed. A client that keeps sending after that is disconnected.\n\n" +
      "The first word must be among the user's commands. No shell reads the line unless the " +
      "administrator has set one. The command runs in a sandbox that contains only the user's " +
      "scope, and ends with the socket and with the session.\n\n" +
      "Needs the permission to execute. It is 403 unless the server runs with " +
      "`--disable-exec=false`, and for pages of other sites; 501 if the server has no " +
      "sandbox.",
    ticket: true,
    parameters: [
      parameterNamed("Path"),
      upgradeHeader,
    ],
    answers: { 101: switched },
    refusals: ["invalid_path", "invalid_option", "not_found", "not_supported"],
    examples: `
$ curl -i $CUBBY/api/command/ -H "X-Auth: $TOKEN"
HTTP/1.1 403 Forbidden
content-type: text/plain; charset=utf-8

Cannot run commands: they are switched off
`,
    handle(ctx) {
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
      if (
        ctx.req.method !== "GET" || ctx.req.headers.get("upgrade")?.toLowerCase() !== "websocket"
      ) {
        throw new DomainError("invalid_option", "Cannot run commands: this address is a WebSocket");
      }

      const meter = cubby.meters?.meterOf(ctx.info.remoteAddr) ?? null;
      const { socket, response } = ctx.upgrade();
      limitMessages(socket, meter);
      const signedIn = sessionOf(ctx);
      serveCommandSocket(socket, cubby, { signedIn, address, path, folder, scope });
      return response;
    },
  },
});
