import { introduction } from "./introduction.ts";
import { accessCalls } from "./calls/access.ts";
import { auditCalls } from "./calls/audit.ts";
import { apiTokenCalls } from "./calls/api_tokens.ts";
import { commandCalls } from "./calls/commands.ts";
import { archiveCalls } from "./calls/archives.ts";
import { contentCalls } from "./calls/content.ts";
import { contentsCalls } from "./calls/contents.ts";
import { factorCalls } from "./calls/factors.ts";
import { inviteCalls } from "./calls/invites.ts";
import { groupCalls } from "./calls/groups.ts";
import { jobCalls } from "./calls/jobs.ts";
import { previewCalls } from "./calls/previews.ts";
import { resourceCalls } from "./calls/resources.ts";
import { searchCalls } from "./calls/search.ts";
import { serverCalls } from "./calls/server.ts";
import { sessionCalls } from "./calls/sessions.ts";
import { settingsCalls } from "./calls/settings.ts";
import { recipientCalls } from "./calls/recipients.ts";
import { requestCalls } from "./calls/requests.ts";
import { shareCalls } from "./calls/shares.ts";
import { notificationCalls } from "./calls/notifications.ts";
import { placeCalls } from "./calls/places.ts";
import { trashCalls } from "./calls/trash.ts";
import { uploadCalls } from "./calls/uploads.ts";
import { userCalls } from "./calls/users.ts";
import { watchCalls } from "./calls/watching.ts";
import { webhookCalls } from "./calls/webhooks.ts";
import { tokenNeedOf } from "../http/middleware/token_calls.ts";
import type { Tag } from "./call.ts";
import { headers } from "./headers.ts";
import { parameters } from "./parameters.ts";
import { schemas } from "./schemas.ts";
import type { ApiDocument, PathItem, SecurityScheme } from "./types.ts";

/** Version of the API, not of the program, which is not public. */
const interfaceVersion = "1";

const tags: Record<Tag, string> = {
  Sessions: "Who is asking.",
  Users: "Who may, and what.",
  Resources: "Files and folders: described, found, made, written, moved and removed.",
  Content: "What files hold.",
  Shares: "What others may have by a link.",
  Commands: "Programs of the server, where the administrator allows them.",
  Server: "The server and its disk.",
};

const securitySchemes: Record<string, SecurityScheme> = {
  token: {
    type: "apiKey",
    in: "header",
    name: "X-Auth",
    description: "The token of `POST /api/login` or `POST /api/renew`.",
  },
  apiToken: {
    type: "http",
    scheme: "bearer",
    description: "A token of `POST /api/tokens`, as far as its rights and its folder go. It may " +
      "stand in `X-Auth` as well, or be the password of `Authorization: Basic`, with any name.",
  },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "auth",
    description: "The same token in the cookie that the server set; counts on GET and HEAD alone.",
  },
  ticket: {
    type: "apiKey",
    in: "query",
    name: "auth",
    description: "A ticket of `POST /api/ticket` for this path and use; never a token.",
  },
  metrics: {
    type: "http",
    scheme: "bearer",
    description: "The token that the server was started with for its metrics; no session.",
  },
};

/**
 * The HTTP interface as an OpenAPI 3.1 document, for client generators and readers.
 *
 * @param url of the server, with its base path and without a slash at the end
 */
export function apiDocument(url: string): ApiDocument {
  return {
    openapi: "3.1.1",
    info: {
      title: "Cubby",
      version: interfaceVersion,
      summary: "A self-hosted file manager",
      description: introduction,
    },
    servers: [{ url, description: "This server." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: withApiTokens({
      ...sessionCalls,
      ...apiTokenCalls,
      ...userCalls,
      ...inviteCalls,
      ...groupCalls,
      ...factorCalls,
      ...settingsCalls,
      ...resourceCalls,
      ...uploadCalls,
      ...placeCalls,
      ...notificationCalls,
      ...trashCalls,
      ...jobCalls,
      ...searchCalls,
      ...contentsCalls,
      ...watchCalls,
      ...contentCalls,
      ...archiveCalls,
      ...previewCalls,
      ...shareCalls,
      ...recipientCalls,
      ...requestCalls,
      ...commandCalls,
      ...accessCalls,
      ...auditCalls,
      ...webhookCalls,
      ...serverCalls,
    }),
    components: { schemas, parameters, headers, securitySchemes },
  };
}

/** Says of each call that an API token may make that it may. */
function withApiTokens(paths: Record<string, PathItem>): Record<string, PathItem> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const operations = Object.entries(item).map(([method, operation]) => {
        const isOpen = path.startsWith("/api/") &&
          tokenNeedOf(method.toUpperCase(), path.slice("/api/".length)) !== undefined;
        const security = [...operation.security, ...(isOpen ? [{ apiToken: [] }] : [])];
        return [method, { ...operation, security }];
      });
      return [path, Object.fromEntries(operations)];
    }),
  );
}
