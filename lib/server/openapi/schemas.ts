import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { accessAnswerSchema } from "../../shared/schemas/access.ts";
import { auditPageSchema, entryHistorySchema } from "../../shared/schemas/audit.ts";
import {
  inviteDraftSchema,
  inviteSchema,
  newInviteSchema,
  openedInviteSchema,
} from "../../shared/schemas/invite.ts";
import {
  apiTokenDraftSchema,
  apiTokenSchema,
  newApiTokenSchema,
} from "../../shared/schemas/api_token.ts";
import { contentIndexSchema } from "../../shared/schemas/contents.ts";
import {
  entrySchema,
  resourceSchema,
  searchResultSchema,
  sharedEntrySchema,
  treeEntrySchema,
  usageSchema,
} from "../../shared/schemas/entry.ts";
import { archiveFolderSchema, archiveReadingSchema } from "../../shared/schemas/archive.ts";
import { jobChangeSchema, jobRequestSchema, jobSchema } from "../../shared/schemas/job.ts";
import { folderViewSchema, sortingSchema } from "../../shared/schemas/view.ts";
import { favoriteSchema, recentEntrySchema } from "../../shared/schemas/places.ts";
import { errorSchema, sessionSchema, tokenClaimsSchema } from "../../shared/schemas/session.ts";
import {
  factorsSchema,
  recoveryCodesSchema,
  totpSetupSchema,
} from "../../shared/schemas/factors.ts";
import {
  newPasskeySchema,
  passkeyAnswerSchema,
  passkeyCreationSchema,
  passkeyQuestionSchema,
  passkeySchema,
} from "../../shared/schemas/passkeys.ts";
import { groupChangeSchema, groupSchema } from "../../shared/schemas/group.ts";
import { mediaInfoSchema, thumbHashesSchema } from "../../shared/schemas/media.ts";
import {
  notificationPageSchema,
  notificationsChangeSchema,
} from "../../shared/schemas/notification.ts";
import { settingsSchema } from "../../shared/schemas/settings.ts";
import { quotaUsageSchema, userQuotaSchema } from "../../shared/schemas/quota.ts";
import { folderSizeSchema, sizeRequestSchema } from "../../shared/schemas/size.ts";
import {
  openRequestSchema,
  requestChangeSchema,
  requestSchema,
} from "../../shared/schemas/request.ts";
import {
  shareAudienceSchema,
  shareChangeSchema,
  sharedWithMeSchema,
  shareRequestSchema,
  shareSchema,
  shareTermsSchema,
  shareWithTokenSchema,
} from "../../shared/schemas/share.ts";
import { trashPageSchema, trashUsageSchema } from "../../shared/schemas/trash.ts";
import { tokenUserSchema, userChangeSchema, userSchema } from "../../shared/schemas/user.ts";
import { permissionsSchema, ruleSchema } from "../../shared/schemas/rights.ts";
import {
  newWebhookSchema,
  webhookDraftSchema,
  webhookSchema,
} from "../../shared/schemas/webhook.ts";
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
  v.description("What holds for the whole server."),
);

/** The JSON schemas that calls refer to by name. */
const shapes = {
  Entry: entrySchema,
  Resource: resourceSchema,
  Sorting: sortingSchema,
  Usage: usageSchema,
  UserQuota: userQuotaSchema,
  QuotaUsage: quotaUsageSchema,
  FolderSize: folderSizeSchema,
  SearchResult: searchResultSchema,
  MediaInfo: mediaInfoSchema,
  ThumbHashes: thumbHashesSchema,
  TreeEntry: treeEntrySchema,
  ContentIndex: contentIndexSchema,
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

/** The schemas that calls refer to by name. */
export const schemas: Record<string, Schema> = { ...jsonSchemas(shapes), ...texts };

/** The description of a link that makes a user or sets a password. */
export const inviteDraft = propertiesOf(inviteDraftSchema.entries);

/** The members of a request to create a share. */
export const shareRequest = propertiesOf({
  ...shareRequestSchema.entries,
  ...shareTermsSchema.entries,
  ...shareAudienceSchema.entries,
});

/** The description of a request for files that is made or changed. */
export const fileRequest = propertiesOf(requestChangeSchema.entries);

/** The members of a request to make or change a group. */
export const groupChange = propertiesOf(groupChangeSchema.entries);

/** The members of a request to change a share. */
export const shareChange = propertiesOf(shareChangeSchema.entries);

/** The members of a request to mark all notifications. */
export const notificationsChange = jsonSchemas({ Change: notificationsChangeSchema }).Change
  ?.properties ?? {};

/** The members of a request to add a webhook. */
export const webhookDraft = jsonSchemas({ WebhookDraft: webhookDraftSchema }).WebhookDraft
  ?.properties ?? {};

/** The members of a request to make an API token. */
export const apiTokenDraft = jsonSchemas({ ApiTokenDraft: apiTokenDraftSchema }).ApiTokenDraft
  ?.properties ?? {};

const inline = jsonSchemas({
  jobRequest: jobRequestSchema,
  jobChange: jobChangeSchema,
  sizeRequest: sizeRequestSchema,
});

/** A new job, and the change of one; the entries to measure. */
export const { jobRequest = {}, jobChange = {}, sizeRequest = {} } = inline;

/** A reference to one of the document's schemas. */
export function schemaNamed(name: keyof typeof shapes | keyof typeof texts): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * The schemas in JSON Schema, as they describe answers: a member with a default for null
 * (`v.nullish`) is always present and never null. Further accepted forms are undocumented.
 */
function jsonSchemas(definitions: Record<string, v.GenericSchema>): Record<string, Schema> {
  return toJsonSchemaDefs(definitions, {
    target: "draft-2020-12",
    ignoreActions: ["check", "max_length", "metadata", "transform", "trim"],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === "nullish") return jsonSchema.anyOf?.[0] as JsonSchema;
      if ("entries" in valibotSchema) return objectSchema(valibotSchema.entries, jsonSchema);
      return jsonSchema;
    },
  }) as Record<string, Schema>;
}

function objectSchema(entries: unknown, { properties }: JsonSchema): JsonSchema {
  const required = Object.entries(entries as v.ObjectEntries)
    .filter(([, { type }]) => type !== "optional").map(([name]) => name);
  return { type: "object", ...(required.length > 0 && { required }), properties };
}

function propertiesOf(entries: v.ObjectEntries): Record<string, Schema> {
  return jsonSchemas({ Body: v.object(entries) }).Body?.properties ?? {};
}
