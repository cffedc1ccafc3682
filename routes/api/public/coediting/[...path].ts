import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { connecting } from "../../../../lib/server/http/openapi/parts/coediting.ts";
import {
  badVisit,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";
import { visitorName } from "../../../../lib/server/http/openapi/parts/office.ts";
import { openSharedText } from "../../../../lib/server/http/request/coediting_requests.ts";
import { switched, upgradeHeader } from "../../../../lib/server/http/openapi/parts/websocket.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/coediting/*?") };

/** The same in shares. */
export const handler = calls({
  GET: {
    id: "editSharedTogether",
    tag: "Shares",
    summary: "Edit a shared text together with others, over a WebSocket",
    description: "As `GET /api/coediting/{path}`: to edit for those who may `edit`, to " +
      "follow for all others. It ends with the share, and with each change of its terms.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, upgradeHeader, ...connecting, visitorName],
    answers: { 101: switched },
    refusals: [...badVisit, "is_folder", "not_a_file"],
    handle: openSharedText,
  },
});
