import { isLoopback } from "../../../shared/loopback.ts";
import { ROOT } from "../../../shared/path.ts";
import {
  checkFindings,
  type CheckResult,
  type ServerCheck,
} from "../../../shared/schemas/server_check.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { dayMs } from "../../../shared/time.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import type { Config } from "../../core/config/config.ts";
import { migrations } from "../../core/kv/schema.ts";
import { backfillProgress, backupMark, schemaVersion } from "../../core/kv/server_records.ts";
import type { Store } from "../../core/kv/store.ts";
import { diskUsage } from "../../files/disk_usage.ts";
import { programNames } from "../previews/media/programs/recipes.ts";

/** How the request that asks for the check has come. */
export interface Arrival {
  isHttps: boolean;
  /** The origin that the browser sees, as far as known: `https://files.example`. */
  origin: string;
  /** The address of the socket's peer. */
  peer: string;
  /** The peer is a trusted proxy. */
  isTrusted: boolean;
  /** It has headers of a proxy; one of these names the scheme. */
  isForwarded: boolean;
  namesScheme: boolean;
}

/** What is checked. */
export interface Checked {
  config: Config;
  settings: Settings;
  store: Store;
  gate: Gate;
}

/** A backup older than this is called old, in milliseconds: 8 days, for those who write one a week. */
const maxBackupAgeMs = 8 * dayMs;

/** With less free space the disk counts as full, in bytes. */
const minFree = 10 ** 9;
/** With less, and less than a tenth of the disk, it is low. */
const lowFree = 2 * 10 ** 10;

/** Checks how a server is set up. */
export async function checkServer(checked: Checked, arrival: Arrival): Promise<ServerCheck> {
  const now = Date.now();
  const checks = [
    addressCheck(arrival),
    proxyCheck(arrival),
    signUpCheck(checked),
    activityCheck(checked),
    await backupCheck(checked, now),
    mediaCheck(checked),
    await storeCheck(checked),
    await diskCheck(checked),
  ];
  return { checks, now: new Date(now).toISOString() };
}

type Findings = typeof checkFindings;

/** The result of a check, whose state follows from what was found. */
function result<Id extends keyof Findings>(
  id: Id,
  finding: keyof Findings[Id] & CheckResult["finding"],
  values: CheckResult["values"] = {},
): CheckResult {
  const state = checkFindings[id][finding] as CheckResult["state"];
  return { id, state, finding, values };
}

function addressCheck({ isHttps, origin }: Arrival): CheckResult {
  const values = { address: origin };
  if (isHttps) return result("address", "https", values);
  const isLocal = isLoopback(new URL(origin).hostname);
  return result("address", isLocal ? "localHttp" : "plainHttp", values);
}

function proxyCheck({ peer, isTrusted, isForwarded, namesScheme }: Arrival): CheckResult {
  const values = { proxy: peer };
  if (!isForwarded) return result("proxy", "direct");
  if (!isTrusted) return result("proxy", "untrusted", values);
  return result("proxy", namesScheme ? "trusted" : "noScheme", values);
}

function signUpCheck({ config, settings }: Checked): CheckResult {
  if (config.authMethod === "noauth") return result("signup", "noauth");
  return result("signup", settings.signup && !config.oidc?.only ? "open" : "closed");
}

function activityCheck({ settings: { audit } }: Checked): CheckResult {
  if (audit.level === "off") return result("activity", "unrecorded");
  return result("activity", "recorded", { days: audit.days });
}

async function backupCheck({ store }: Checked, now: number): Promise<CheckResult> {
  const mark = await backupMark.get(store);
  if (mark === null) return result("backup", "none");
  const isOld = now - mark.at > maxBackupAgeMs;
  return result("backup", isOld ? "old" : "recent", { at: new Date(mark.at).toISOString() });
}

function mediaCheck({ config }: Checked): CheckResult {
  if (config.disableMediaPrograms) return result("media", "turnedOff");
  const { programs = {}, refusal = null } = config.readerHost ?? {};
  const isFound = (name: string) => Object.hasOwn(programs, name);
  const found = programNames.filter(isFound).join(", ");
  // LibreOffice is large: not everyone wants it.
  const missing = programNames.filter((name) => !isFound(name) && name !== "soffice").join(", ");
  if (missing !== "") return result("media", "missing", { names: missing });
  if (refusal !== null) return result("media", "refused", { reason: refusal });
  return result("media", isFound("soffice") ? "found" : "withoutOffice", { names: found });
}

async function storeCheck({ config, store }: Checked): Promise<CheckResult> {
  if (config.database === ":memory:") return result("store", "memory");
  const version = await schemaVersion.get(store) ?? 0;
  const isUpdating = version < migrations.length || await backfillProgress.get(store) !== null;
  return result("store", isUpdating ? "updating" : "current", { version });
}

async function diskCheck({ gate }: Checked): Promise<CheckResult> {
  const { total, used } = await diskUsage(gate.enter(SERVER), ROOT);
  const free = total - used;
  const isLow = free < lowFree && free < total / 10;
  const finding = free < minFree ? "full" : isLow ? "low" : "free";
  return result("disk", finding, { free, total });
}
