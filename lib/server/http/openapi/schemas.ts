import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { accessAnswerSchema } from "../../../shared/schemas/access.ts";
import { auditPageSchema, entryHistorySchema } from "../../../shared/schemas/audit.ts";
import {
  inviteSchema,
  newInviteSchema,
  openedInviteSchema,
} from "../../../shared/schemas/invite.ts";
import { apiTokenSchema, newApiTokenSchema } from "../../../shared/schemas/api_token.ts";
import { contentIndexSchema } from "../../../shared/schemas/contents.ts";
import {
  entrySchema,
  resourceSchema,
  searchRestSchema,
  searchResultSchema,
  sharedEntrySchema,
  treeEntrySchema,
  usageSchema,
} from "../../../shared/schemas/entry.ts";
import { archiveFolderSchema, archiveReadingSchema } from "../../../shared/schemas/archive.ts";
import { jobSchema } from "../../../shared/schemas/job.ts";
import { folderViewSchema, sortingSchema } from "../../../shared/schemas/view.ts";
import { favoriteSchema, recentEntrySchema } from "../../../shared/schemas/places.ts";
import { errorSchema, sessionSchema, tokenClaimsSchema } from "../../../shared/schemas/session.ts";
import {
  factorsSchema,
  recoveryCodesSchema,
  totpSetupSchema,
} from "../../../shared/schemas/factors.ts";
import {
  newPasskeySchema,
  passkeyAnswerSchema,
  passkeyCreationSchema,
  passkeyQuestionSchema,
  passkeySchema,
} from "../../../shared/schemas/passkeys.ts";
import { groupSchema } from "../../../shared/schemas/group.ts";
import { mediaInfoSchema, ratiosSchema, thumbHashesSchema } from "../../../shared/schemas/media.ts";
import { streamInfoSchema } from "../../../shared/schemas/stream.ts";
import { photoPlacesSchema, timelineSchema } from "../../../shared/schemas/timeline.ts";
import { officeCheckSchema, openedDocumentSchema } from "../../../shared/schemas/office.ts";
import { notificationPageSchema } from "../../../shared/schemas/notification.ts";
import { serverCheckSchema } from "../../../shared/schemas/server_check.ts";
import { settingsSchema } from "../../../shared/schemas/settings.ts";
import { quotaSchema, quotaUsageSchema, userQuotaSchema } from "../../../shared/schemas/quota.ts";
import { folderSizeSchema, namedSizeSchema } from "../../../shared/schemas/size.ts";
import { openRequestSchema, requestSchema } from "../../../shared/schemas/request.ts";
import {
  sharedWithMeSchema,
  shareSchema,
  shareWithTokenSchema,
} from "../../../shared/schemas/share.ts";
import { trashPageSchema, trashUsageSchema } from "../../../shared/schemas/trash.ts";
import { tokenUserSchema, userChangeSchema, userSchema } from "../../../shared/schemas/user.ts";
import { permissionsSchema, ruleSchema } from "../../../shared/schemas/rights.ts";
import { receivedFilesSchema } from "../../../shared/schemas/upload.ts";
import { newWebhookSchema, webhookSchema } from "../../../shared/schemas/webhook.ts";
import type { AnySchema, JsonBody } from "./json_body.ts";
import type { Schema } from "./types.ts";

const userFields = v.pipe(
  v.object({
    ...v.partial(userChangeSchema).entries,
    id: v.optional(v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description("The user of the address; 0 for a new one."),
    )),
  }),
  v.description("The fields of a user; all may be missing."),
);

/** The settings as they are answered; a change may send the same method, and no other. */
const shownSettings = v.pipe(
  v.object({
    ...settingsSchema.entries,
    authMethod: v.optional(v.pipe(
      v.picklist(["json", "hook", "noauth", "proxy"]),
      v.description("How users sign in: an option of the server, which no call changes."),
    )),
  }),
  v.description("The settings of the whole server."),
);

/** The schemas of JSON that calls refer to by name. */
export const componentShapes = {
  Entry: entrySchema,
  Resource: resourceSchema,
  Sorting: sortingSchema,
  Usage: usageSchema,
  Quota: quotaSchema,
  UserQuota: userQuotaSchema,
  QuotaUsage: quotaUsageSchema,
  FolderSize: folderSizeSchema,
  NamedSize: namedSizeSchema,
  SearchResult: searchResultSchema,
  SearchRest: searchRestSchema,
  MediaInfo: mediaInfoSchema,
  StreamInfo: streamInfoSchema,
  ThumbHashes: thumbHashesSchema,
  Ratios: ratiosSchema,
  Timeline: timelineSchema,
  PhotoPlaces: photoPlacesSchema,
  TreeEntry: treeEntrySchema,
  ContentIndex: contentIndexSchema,
  ServerCheck: serverCheckSchema,
  Share: shareSchema,
  SharedWithMe: sharedWithMeSchema,
  ShareWithToken: shareWithTokenSchema,
  FileRequest: requestSchema,
  OpenRequest: openRequestSchema,
  SharedEntry: sharedEntrySchema,
  Trash: trashPageSchema,
  TrashUsage: trashUsageSchema,
  Favorite: favoriteSchema,
  RecentEntry: recentEntrySchema,
  FolderView: folderViewSchema,
  AccessAnswer: accessAnswerSchema,
  Audit: auditPageSchema,
  EntryHistory: entryHistorySchema,
  Job: jobSchema,
  ReceivedFiles: receivedFilesSchema,
  OfficeCheck: officeCheckSchema,
  OpenedDocument: openedDocumentSchema,
  ArchiveFolder: archiveFolderSchema,
  ArchiveReading: archiveReadingSchema,
  Session: sessionSchema,
  Factors: factorsSchema,
  TotpSetup: totpSetupSchema,
  RecoveryCodes: recoveryCodesSchema,
  Passkey: passkeySchema,
  PasskeyCreation: passkeyCreationSchema,
  PasskeyQuestion: passkeyQuestionSchema,
  NewPasskey: newPasskeySchema,
  PasskeyAnswer: passkeyAnswerSchema,
  ApiToken: apiTokenSchema,
  NewApiToken: newApiTokenSchema,
  Notifications: notificationPageSchema,
  Webhook: webhookSchema,
  NewWebhook: newWebhookSchema,
  Invite: inviteSchema,
  NewInvite: newInviteSchema,
  OpenedInvite: openedInviteSchema,
  Permissions: permissionsSchema,
  Rule: ruleSchema,
  User: userSchema,
  Group: groupSchema,
  UserFields: userFields,
  Settings: shownSettings,
  TokenUser: tokenUserSchema,
  TokenClaims: tokenClaimsSchema,
  Error: errorSchema,
};

/** Plain text bodies, and parts of other schemas. */
const texts = {
  Token: {
    type: "string",
    pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$",
    description: "A JSON Web Token, signed with HMAC SHA-256 (HS256).",
  },
  TokenOrEmpty: {
    type: "string",
    pattern: "^([\\w-]+\\.[\\w-]+\\.[\\w-]+)?$",
    description: "A JSON Web Token, or nothing.",
  },
  Done: { type: "string", const: "OK\n" },
  Empty: { type: "string", const: "" },
  Sentence: {
    type: "string",
    pattern: "^Cannot [^\\n]*\\n$",
    description: "The `message` of the error, for a request that does not accept JSON by name.",
  },
} satisfies Record<string, Schema>;

/** The names of the schemas in the document's `components`. */
export type SchemaName = keyof typeof componentShapes | keyof typeof texts;

let converted: Record<string, Schema> | undefined;

/** The schemas that calls refer to by name, as JSON Schema. */
export function componentSchemas(): Record<string, Schema> {
  return converted ??= { ...jsonSchemas(componentShapes), ...texts };
}

/** The schema of a request body with the limits of lengths, which the document leaves out. */
export function limitedBodySchema(body: JsonBody): Schema {
  return bodySchema(body, (shape) => jsonSchemas({ Body: shape }, []).Body ?? {});
}

/** The schema of a request body, as JSON Schema. */
export function bodySchema({ schema }: JsonBody, convert = convertBody): Schema {
  if (!("members" in schema)) return isShape(schema) ? convert(schema) : schema;
  const { members, required } = schema;
  const entries = Object.entries(members);
  const shapes = entries.filter((entry): entry is [string, v.GenericSchema] => isShape(entry[1]));
  const { properties: converted = {} } = convert(v.object(Object.fromEntries(shapes)));
  const properties = entries.map(([name, member]) =>
    [name, isShape(member) ? converted[name] : member] as const
  );
  return { type: "object", required, properties: Object.fromEntries(properties) as Properties };
}

type Properties = Record<string, Schema>;

function isShape(schema: AnySchema): schema is v.GenericSchema {
  return "~standard" in schema;
}

function convertBody(schema: v.GenericSchema): Schema {
  return jsonSchemas({ Body: schema }).Body ?? {};
}

/**
 * The schemas in JSON Schema, as they describe answers: a member with a default for null
 * (`v.nullish`) is always present and never null. Further accepted forms are undocumented.
 */
function jsonSchemas(
  definitions: Record<string, v.GenericSchema>,
  ignored = ["max_length"],
): Record<string, Schema> {
  return toJsonSchemaDefs(definitions, {
    target: "draft-2020-12",
    ignoreActions: ["check", "metadata", "transform", "trim", ...ignored],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === "nullish") return jsonSchema.anyOf?.[0] as JsonSchema;
      if ("entries" in valibotSchema) return objectSchema(valibotSchema.entries, jsonSchema);
      // From a constant that is no text, openapi-python-client 0.29 makes code that fails.
      if (typeof jsonSchema.const === "boolean") {
        return { type: "boolean", enum: [jsonSchema.const] };
      }
      return jsonSchema;
    },
  }) as Record<string, Schema>;
}

function objectSchema(entries: unknown, { properties }: JsonSchema): JsonSchema {
  const required = Object.entries(entries as v.ObjectEntries)
    .filter(([, { type }]) => type !== "optional").map(([name]) => name);
  return { type: "object", ...(required.length > 0 && { required }), properties };
}
