import { nothing } from "../answers.ts";
import type { Parameter } from "../types.ts";

/** The header by which a request asks for a WebSocket. */
export const upgradeHeader: Parameter = {
  name: "Upgrade",
  in: "header",
  required: true,
  description: "Only `websocket` (RFC 6455).",
  schema: { type: "string", const: "websocket" },
};

/** The answer that opens a WebSocket. */
export const switched = nothing("Switches to a WebSocket.", {
  "Upgrade": { description: "As asked.", schema: { type: "string", const: "websocket" } },
  "Sec-WebSocket-Accept": {
    description: "Proves that a WebSocket was understood (RFC 6455, 4.2.2).",
    required: true,
    schema: { type: "string", minLength: 28 },
  },
});
