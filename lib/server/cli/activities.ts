import type { AuditAction, AuditLevel } from "../../shared/schemas/choices/audit_choices.ts";
import { Audit } from "../features/audit/audit.ts";
import type { Activity, TimedActivity } from "../features/audit/record.ts";
import type { Store } from "../core/kv/store.ts";
import { Notifications } from "../features/notifications/notifications.ts";
import { Requests } from "../features/links/requests/requests.ts";
import { changedSettings } from "../features/settings/changed_settings.ts";
import type { Settings } from "../../shared/schemas/settings.ts";
import { Webhooks } from "../features/webhooks/webhooks.ts";
import type { Records } from "./command.ts";

/** As whom the activity log has the command line: who runs it need be no user. */
const commandLine = { id: null, name: "command line" };

/** Takes down a change of records, if the settings have the activity log. Never rejects. */
export type Note = (
  action: AuditAction,
  about: Pick<Activity, "path" | "subject" | "details">,
) => Promise<void>;

/** The activity log as commands write it. */
export interface CommandActivities {
  note: Note;
  /** The log for calls that a command makes, which hand over the user whose rights they have. */
  audit: Audit;
  /** Writes what was taken down, tells the users whom it concerns, and queues it for webhooks. */
  flush(): Promise<void>;
}

/**
 * Opens the activity log for a command; a server may write to it at the same time. What is not
 * written is warned of, and does not undo the command.
 *
 * @param key signs checkpoints
 */
export function openActivities(
  { store, users, shares, settings, passwords }: Omit<Records, "note" | "open">,
  key: CryptoKey,
  warn: (line: string) => void,
): CommandActivities {
  const notifications = new Notifications({
    ...{ store, users, shares, requests: new Requests(store, passwords) },
    sessions: () => Promise.resolve([]),
    report: (error) => warn(`Cannot write notifications: ${error}`),
  });
  const recorded: TimedActivity[] = [];
  const collector = {
    accepts: () => true,
    handle: (each: TimedActivity) => void recorded.push(each),
  };
  const audit = new CommandAudit({
    ...{ store, key, listeners: [notifications, collector] },
    level: async () => (await settings.get()).audit.level,
    report: (error) => warn(`Cannot write the activity log: ${error}`),
  });
  return {
    audit,
    note: (action, about) =>
      audit.recordUnread(
        action,
        () => Promise.resolve({ user: commandLine, address: null, ...about }),
      ),
    async flush() {
      await audit.flush();
      await notifications.flush();
      await queueForWebhooks(store, recorded, warn);
      audit.close();
      notifications.close();
    },
  };
}

/** Says of each activity that the command line did it; of calls that name nobody, to whom. */
class CommandAudit extends Audit {
  override note(activity: Activity, level: AuditLevel): void {
    const { user, subject = user?.id ? user.name : undefined } = activity;
    super.note({ ...activity, subject, user: commandLine, address: null }, level);
  }
}

/**
 * Queues activities for the webhooks that want them. A server sends them, as its options decide
 * where that is allowed; so nothing is sent from here.
 */
async function queueForWebhooks(
  store: Store,
  activities: readonly TimedActivity[],
  warn: (line: string) => void,
): Promise<void> {
  const webhooks = new Webhooks({
    ...{ store, rights: { ports: [], privateNetworks: [], http: false } },
    report: (error) => warn(`Cannot queue events for webhooks: ${error}`),
  });
  for (const activity of activities) webhooks.handle(activity);
  await webhooks.flush();
  webhooks.close();
}

/** Stores settings, and takes down which were changed, also if one ends the log by them. */
export async function saveSettings(
  { settings, note }: Pick<Records, "settings" | "note">,
  next: Settings,
): Promise<void> {
  const subject = changedSettings(await settings.get(), next);
  const noted = async () => {
    if (subject !== "") await note("settings_change", { subject });
  };
  const isOff = next.audit.level === "off";
  if (isOff) await noted();
  await settings.update(next);
  if (!isOff) await noted();
}
