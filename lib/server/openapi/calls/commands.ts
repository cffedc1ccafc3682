import { nothing } from "../answers.ts";
import { call } from "../call.ts";
import { parameterNamed } from "../parameters.ts";
import type { PathItem } from "../types.ts";

/** The call that runs programs. */
export const commandCalls: Record<string, PathItem> = {
  "/api/command/{path}": {
    get: call({
      id: "command",
      tag: "Commands",
      summary: "Run a command in a folder, over a WebSocket",
      description:
        "The first text message that is not blank is the command line. Each line that it " +
        "prints comes back as a message; then the server closes the socket, with code 1000 and the " +
        "exit status as the reason. Code 1008 says that the line was refused (the last message " +
        "tells why) or that the session has ended, 1009 that a message had more than 64 KiB, 1011 that " +
        "the server failed.\\n\\n" +
        "No shell reads the line unless the administrator has set one; its first word must be among " +
        "the user's commands. The command runs in a sandbox that holds the user's scope alone, and " +
        "ends with the socket and with the session.\\n\\n" +
        "Needs the permission to execute, on a server that runs commands. Pages of other sites are " +
        "refused.",
      auth: "ticket",
      parameters: [
        parameterNamed("Path"),
        {
          name: "Upgrade",
          in: "header",
          required: true,
          description: "WebSocket alone (RFC 6455).",
          schema: { type: "string", const: "websocket" },
        },
      ],
      answers: {
        101: nothing("The connection is a WebSocket from here on.", {
          "Upgrade": { description: "As asked.", schema: { type: "string", const: "websocket" } },
          "Sec-WebSocket-Accept": {
            description: "Proves that a WebSocket was understood (RFC 6455, 4.2.2).",
            required: true,
            schema: { type: "string", minLength: 28 },
          },
        }),
      },
      refusals: ["invalid_path", "invalid_option", "not_found", "not_supported"],
    }),
  },
};
