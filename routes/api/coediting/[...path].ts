import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  connecting,
  protocolDescription,
} from "../../../lib/server/http/openapi/parts/coediting.ts";
import { openOwnText } from "../../../lib/server/http/request/coediting_requests.ts";
import { switched, upgradeHeader } from "../../../lib/server/http/openapi/parts/websocket.ts";
import { pathRoute } from "../../../lib/server/http/request/request_path.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/coediting/*?") };

/** A WebSocket on which a text is edited together. */
export const handler = calls({
  GET: {
    id: "editTogether",
    tag: "Content",
    summary: "Edit a text together with others, over a WebSocket",
    description: `${protocolDescription}\n\n` +
      "Needs the permission to download, and to modify for editing: without that you follow. Your " +
      "session, your rights and the rules are asked for each change. It is 403 for pages of other " +
      "sites.",
    parameters: [parameterNamed("Path"), upgradeHeader, ...connecting],
    answers: { 101: switched },
    refusals: ["invalid_path", "invalid_option", "not_found", "is_folder", "not_a_file"],
    examples: `
$ curl -i $CUBBY/api/coediting/notes.txt -H "X-Auth: $TOKEN"
HTTP/1.1 400 Bad Request
content-type: text/plain; charset=utf-8

Cannot edit a text here: this address is a WebSocket
`,
    handle: openOwnText,
  },
});
