/**
 * The declarations of everything that is in the store, as digests in `record_shapes.json` beside
 * the number of the schema. A record that changes while the number stays is a record that the last
 * release may misread.
 *
 * `deno run -A tests/support/records/record_shapes.ts` writes the file after a change, unless the
 * schema is that of the last release: then add a migration, or give the reason why that release
 * reads the record as it is meant, with `--compatible "reason"`.
 */
import { posix } from "node:path";
import { declaredIn } from "../run/architecture_reference.ts";
import { readSources } from "../run/imports.ts";
import { migrations } from "../../../lib/server/core/kv/schema.ts";
import release from "./last_release.json" with { type: "json" };

const top = new URL("../../../", import.meta.url);
const file = new URL("record_shapes.json", import.meta.url);

/** The file. */
export interface RecordShapes {
  /** The number of migrations. */
  schema: number;
  /** Changes since the last release that it reads as they are meant. */
  compatible: { records: string[]; reason: string }[];
  /** Digests of the declarations of records, by the first parts of their keys. */
  records: Record<string, string>;
}

/**
 * The type of each record, by the first part of its key: declarations, or text for what has none,
 * such as the id that an index holds. A collection names its type, and its indexes are empty unless
 * they are here.
 */
const types: Record<string, string> = {
  active_jobs: "null",
  api_tokens: "lib/server/features/accounts/auth/api_token.ts#ApiToken",
  area_usage: "lib/server/features/quotas/area_usage.ts#AreaUsage",
  attempts: "lib/server/features/accounts/auth/rate_limit_state.ts#RateLimitState",
  audit_beginning: "lib/server/features/audit/checkpoint.ts#Checkpoint",
  audit_checkpoints: "lib/server/features/audit/checkpoint.ts#Checkpoint",
  audit_head: "lib/server/features/audit/segments.ts#Head",
  audit_places: "lib/shared/schemas/choices/audit_choices.ts#AuditAction",
  audit_segments: "lib/server/features/audit/segments.ts#Segment",
  dav_lock_turn: "token",
  dav_locks: "lib/server/features/dav/locks.ts#DavLock",
  factors: "lib/server/features/accounts/auth/factors/factors_record.ts#FactorsRecord",
  favorite_places: "null",
  favorites: "lib/server/features/places/favorites.ts#StoredFavorite",
  finished_uploads: "lib/server/files/upload/finished_uploads.ts#FinishedUpload",
  folder_news: "lib/server/features/watch/folder_events.ts#StoredChanges",
  folder_view_places: "null",
  folder_views: "lib/server/features/places/folder_views.ts#StoredView",
  group_members: "null",
  group_names: "id",
  group_next: "id",
  groups: "lib/server/features/accounts/users/groups/group.ts#Group",
  invites: "lib/server/features/accounts/auth/invites/invites.ts#Invite",
  job_parts:
    "lib/server/features/jobs/entry_parts.ts#EntryPiece lib/server/features/jobs/job.ts#Step lib/server/features/jobs/job.ts#JobFailure",
  jobs: "lib/server/features/jobs/job.ts#Job",
  name_lookups: "lib/server/features/links/shares/name_lookups.ts#Lookups",
  notification_mails: "lib/server/features/notifications/waiting_mail.ts#WaitingMail",
  notification_states: "lib/server/features/notifications/notification.ts#NotificationState",
  notifications: "lib/server/features/notifications/notification.ts#StoredNotification",
  passkey_challenges: "time",
  passkeys_in_use: "true",
  pending_changes: "lib/server/files/entry_observers.ts#PendingChange",
  recent: "lib/server/features/places/recent.ts#StoredUse",
  recent_places: "null",
  request_uploads: "lib/server/features/links/requests/request_uses.ts#RequestUpload",
  request_uses: "lib/server/features/links/requests/request_uses.ts#UseRecord",
  reserved_room: "lib/server/features/quotas/area_usage.ts#StoredReservation",
  schema: "number",
  schema_backfill: "lib/server/core/kv/backfill.ts#Progress",
  server_options: "lib/server/features/settings/server_options.ts#ServerOptions",
  sessions: "lib/server/features/accounts/auth/session.ts#SessionRecord",
  settings: "lib/shared/schemas/settings.ts#Settings",
  share_marks: "time",
  share_names: "hash",
  share_uses: "lib/server/features/links/shares/share_uses.ts#UseRecord",
  sign_ins: "lib/server/features/accounts/auth/oidc/pending_sign_ins.ts#PendingSignIn",
  signing_key: "bytes",
  trash: "lib/server/files/trash/trash_records.ts#TrashedEntry",
  trash_tops: "path",
  upload_folders: "lib/server/files/upload/temporaries.ts#Note",
  upload_parts: "lib/server/files/upload/upload_parts.ts#UploadPart",
  user_api_tokens: "null",
  user_homes: "id",
  user_identities: "id",
  user_names: "id",
  user_roster: "lib/server/features/accounts/users/user_counts.ts#UserCounts",
  users: "lib/server/features/accounts/users/user.ts#User",
  webhook_queue: "lib/server/features/webhooks/webhook.ts#QueuedEvent",
  webhook_states: "lib/server/features/webhooks/webhook.ts#DeliveryState",
  webhooks: "lib/server/features/webhooks/webhook.ts#Webhook",
};

/** The checked-in shapes. */
export async function recordedShapes(): Promise<RecordShapes> {
  return JSON.parse(await Deno.readTextFile(file));
}

/**
 * The digests of the code as it is: of the keys of each record, and of its type with every
 * declaration that the type names.
 *
 * @throws Error when a record has no type here, or a declaration is not where it is named
 */
export async function presentShapes(): Promise<Record<string, string>> {
  const keys = await keyCode();
  const missing = [...keys.keys()].filter((name) => types[name] === undefined);
  const gone = Object.keys(types).filter((name) => !keys.has(name));
  if (missing.length + gone.length > 0) {
    throw new Error(`Cannot compare records: no type for [${missing}], no key for [${gone}]`);
  }
  const names = Object.keys(types).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => {
      const declared = new Map<string, string>();
      for (const declaration of (types[name] ?? "").split(" ")) {
        const [path = "", type] = declaration.split("#");
        if (type === undefined) declared.set("", path);
        else collect(path, type, declared);
      }
      const text = [...keys.get(name) ?? [], ...[...declared.values()].sort()].join("\n");
      const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return [name, new Uint8Array(bytes).subarray(0, 8).toHex()] as const;
    })),
  );
}

/** The code that makes keys, by the first part of the key. */
async function keyCode(): Promise<Map<string, string[]>> {
  const folder = new URL("lib/server/core/kv/keys/", top);
  const found = new Map<string, string[]>();
  for await (const { name } of Deno.readDir(folder)) {
    for (const line of codeOf(`lib/server/core/kv/keys/${name}`)) {
      for (const [key = "", first = ""] of line.matchAll(/\["([a-z_]+)"[^;]*?\]/g)) {
        found.set(first, [...found.get(first) ?? [], key]);
      }
    }
  }
  for (const [path, text] of await readSources(top)) {
    for (const each of declaredIn(path, text)) {
      found.set(each.name, [...found.get(each.name) ?? [], each.text]);
      types[each.name] ??= each.kind === "Collection" ? `${path}#${each.type}` : "null";
    }
  }
  for (const lines of found.values()) lines.sort();
  return found;
}

/** Adds a declaration, and those that it names in its module or in modules of the repository. */
function collect(path: string, name: string, declared: Map<string, string>): void {
  const id = `${path}#${name}`;
  if (declared.has(id)) return;
  const text = declarationOf(path, name);
  if (text === null) throw new Error(`Cannot find ${id}`);
  declared.set(id, text);
  for (const word of new Set(text.match(/[A-Za-z_]\w+/g))) {
    const from = word === name ? null : find(path, word);
    if (from) collect(from.path, from.name, declared);
  }
}

/** Where the data that a module names is declared: in it, or in the one that it imports it from. */
function find(path: string, word: string): Place | null {
  const imported = importsOf(path).get(word);
  if (imported) return find(imported.path, imported.name);
  return declarationOf(path, word) === null ? null : { path, name: word };
}

/** A declaration in a module. */
interface Place {
  path: string;
  name: string;
}

const sources = new Map<string, string[]>();

/** The lines of a module without comments. */
function codeOf(path: string): string[] {
  let lines = sources.get(path);
  if (!lines) {
    const text = Deno.readTextFileSync(new URL(path, top));
    lines = text.replace(/^[ \t]*\/\*[^]*?\*\//gm, "").replace(/[ \t]*\/\/ .*$/gm, "").split("\n")
      .filter((line) => line.trim() !== "");
    sources.set(path, lines);
  }
  return lines;
}

/**
 * The text of a type or a constant, which ends where its brackets are closed. Null for functions
 * and classes, which are no data, and for what is not declared in the module.
 */
function declarationOf(path: string, name: string): string | null {
  const lines = codeOf(path);
  const begins = new RegExp(`^(?:export )?(?:interface|type|const) ${name}\\b`);
  const start = lines.findIndex((line) => begins.test(line));
  if (start < 0) return null;
  let depth = 0;
  const end = lines.findIndex((line, at) => {
    if (at < start) return false;
    for (const character of line) {
      if ("{([".includes(character)) depth++;
      if ("})]".includes(character)) depth--;
    }
    return depth <= 0 && /[;}]$/.test(line);
  });
  return lines.slice(start, end + 1).map((line) => line.trim().replace(/^export /, "")).join("\n");
}

/** The names that a module imports from others of the repository. */
function importsOf(path: string): Map<string, Place> {
  const found = new Map<string, Place>();
  const statements = codeOf(path).join("\n")
    .matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm);
  for (const [, names = "", specifier = ""] of statements) {
    const from = posix.join(posix.dirname(path), specifier);
    for (const each of names.split(",")) {
      const [name = "", as = name] = each.trim().replace(/^type /, "").split(" as ");
      if (name !== "" && from.endsWith(".ts")) found.set(as, { path: from, name });
    }
  }
  return found;
}

/** The records whose digests differ, or are in one of the two alone. */
export function changedRecords(
  former: Record<string, string>,
  present: Record<string, string>,
): string[] {
  const names = new Set([...Object.keys(former), ...Object.keys(present)]);
  return [...names].filter((name) => former[name] !== present[name]).sort();
}

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const former = await recordedShapes();
  const records = await presentShapes();
  const changed = changedRecords(former.records, records);
  const [flag, reason = ""] = Deno.args;
  const isCompatible = flag === "--compatible" && reason !== "";
  const isRaised = migrations.length > release.schema;
  if (changed.length > 0 && !isRaised && !isCompatible) {
    console.error(`Cannot record [${changed}]: add a migration, or --compatible "reason"`);
    return 1;
  }
  const compatible = isCompatible
    ? [...former.compatible, { records: changed, reason }]
    : former.compatible;
  const shapes: RecordShapes = { schema: migrations.length, compatible, records };
  await Deno.writeTextFile(file, JSON.stringify(shapes, null, 2) + "\n");
  console.log(`Recorded ${changed.length} changed records`);
  return 0;
}
