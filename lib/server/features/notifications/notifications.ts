import { agentName } from "../../../shared/agent_name.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import {
  type NotificationTopic,
  topicOfKind,
} from "../../../shared/schemas/choices/notification_choices.ts";
import type { Quota } from "../../../shared/schemas/quota.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { ActivityListener, TimedActivity } from "../audit/record.ts";
import type { Client } from "../accounts/auth/session.ts";
import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import type { User } from "../accounts/users/user.ts";
import {
  isOfConcern,
  mayConcern,
  noticesOf,
  type NoticeSources,
  type NotifiableActivity,
  visitOf,
} from "./notices_of.ts";
import type { Notice } from "./notification.ts";
import { NotificationRecords } from "./notification_records.ts";

/** How long activities are gathered before they are written together, in milliseconds. */
const gatherMs = 200;

/** Pause before another try when the store refuses, in milliseconds. */
const retryMs = 1_000;

/** Most activities, and most notices, that wait; further ones are dropped, and logged. */
export const maxWaiting = 1_000;

/** Most kinds of devices that are known of a user; the one that was used longest ago goes first. */
const maxDevices = 30;

/** The longest `User-Agent` that is kept, in characters. */
const maxAgentLength = 300;

/** The longest name of a kind of device that is kept, in characters. */
const maxDeviceLength = 100;

/** Dependencies of the notifications. */
export interface NotificationOptions extends NoticeSources {
  /** The sessions of a user, among them the new one. */
  sessions: (userId: number) => Promise<readonly Client[]>;
  /** Whether users who want it get notifications by mail; see `Digests`. */
  mails?: boolean;
  /** Takes the error of a store that cannot be written, and how many notices were dropped. */
  report: (error: unknown) => void;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/**
 * Tells users what has happened: by the activities that the log is told of, and by what has none.
 * It all happens after the event, in the background: no request waits for it, and none fails by it.
 */
export class Notifications implements ActivityListener {
  readonly records: NotificationRecords;
  readonly #options: NotificationOptions;
  /** Activities by their visit, or by themselves. */
  #activities = new Map<unknown, NotifiableActivity>();
  #notices: Notice[] = [];
  #lost = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #isFailing = false;

  constructor(options: NotificationOptions) {
    this.#options = options;
    this.records = new NotificationRecords(options.store, options.now, options.mails);
  }

  accepts(action: AuditAction): boolean {
    return isOfConcern(action);
  }

  handle(activity: TimedActivity): void {
    if (this.#isClosed || !mayConcern(activity)) return;
    const { bytes = 0 } = activity.details ?? {};
    const visit = activity.request === undefined ? Symbol() : visitOf(activity);
    const former = this.#activities.get(visit);
    if (!former && this.#activities.size >= maxWaiting) {
      this.#lost++;
    } else {
      const files = (former?.files ?? 0) + 1;
      this.#activities.set(visit, { ...activity, files, bytes: (former?.bytes ?? 0) + bytes });
    }
    this.#schedule(gatherMs);
  }

  /** Takes a notice of what is no activity. */
  notify(notice: Omit<Notice, "at">): void {
    if (this.#isClosed) return;
    if (this.#notices.length < maxWaiting) this.#notices.push({ ...notice, at: this.#now() });
    else this.#lost++;
    this.#schedule(gatherMs);
  }

  /** The same for all administrators. Never rejects. */
  async notifyAdmins(notice: Omit<Notice, "at" | "userId">): Promise<void> {
    await this.#orReport(async () => {
      for await (const users of this.#options.users.actingParts()) {
        for (const { id, perm } of users) if (perm.admin) this.notify({ ...notice, userId: id });
      }
    });
  }

  /**
   * Notes whether a quota is nearly used up: its users are told once, until it is not any more.
   * Never rejects.
   */
  async recordQuota(users: readonly User[], isNear: boolean, { bytes }: Quota): Promise<void> {
    await this.#orReport(async () => {
      for (const { id, mutedNotifications } of users) {
        const { isNearQuota = false } = await this.records.state(id);
        if (isNearQuota === isNear) continue;
        const isWanted = isNear && !mutedNotifications.includes("quota");
        await this.records.note(id, (state) => {
          if (state.isNearQuota === isNear) return null;
          const notice = isWanted && { kind: "quota_near" as const, at: this.#now(), bytes };
          return { state: { isNearQuota: isNear }, ...notice && { notice } };
        });
      }
    });
  }

  /**
   * Notes a sign-in, of which the user is told if it comes from a kind of device that is new.
   * Never rejects.
   */
  async recordSignIn({ id }: Pick<User, "id">, { address, agent }: Client): Promise<void> {
    await this.#orReport(async () => {
      const kind = deviceKind(agent);
      const { devices } = await this.records.state(id);
      if (devices?.at(-1) === kind) return;
      const seen = devices ?? deviceKinds(await this.#options.sessions(id), kind);
      const device = agent.slice(0, maxAgentLength);
      await this.records.note(id, ({ devices: known = seen }) => {
        const isNew = known.length > 0 && !known.includes(kind);
        const notice = isNew && { kind: "new_device" as const, at: this.#now(), device, address };
        const rest = known.filter((each) => each !== kind);
        const state = { devices: [...rest, kind].slice(-maxDevices) };
        return { state, ...notice && { notice } };
      });
    });
  }

  /** Writes what was told so far. Never rejects: what cannot be written is tried again. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#write().finally(() => this.#writing = null);
    await this.#writing;
  }

  /** Stops. What was told and not written is lost: see {@linkcode flush}. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #write(): Promise<void> {
    if (this.#activities.size === 0 && this.#notices.length === 0) return;
    const isDone = await this.#orReport(async () => {
      await this.#deliver();
      for (const [visit, activity] of this.#activities) {
        const notices = await noticesOf(activity, this.#options);
        // More may have come of the visit meanwhile.
        this.#forget(visit, activity);
        this.#notices.push(...notices);
        if (this.#notices.length >= maxWaiting) await this.#deliver();
      }
      await this.#deliver();
      this.#reportLost();
    });
    const isLeft = this.#activities.size > 0 || this.#notices.length > 0;
    if (isLeft) this.#schedule(isDone ? gatherMs : retryMs);
  }

  /** Writes the notices; those that cannot be written stay. */
  async #deliver(): Promise<void> {
    for (const [userId, notices] of Map.groupBy(this.#notices, ({ userId }) => userId)) {
      const muted = await this.#mutedBy(userId);
      const wanted = notices.filter(({ kind }) => !muted?.includes(topicOfKind[kind]));
      if (muted && wanted.length > 0) await this.records.add(userId, wanted.map(withoutUser));
      const done = new Set(notices);
      this.#notices = this.#notices.filter((each) => !done.has(each));
    }
  }

  /** The kinds that a user has turned off; null for one who is gone. */
  async #mutedBy(userId: number): Promise<readonly NotificationTopic[] | null> {
    const user = await unlessRefused(() => this.#options.users.get(userId), "not_found");
    return user && user.mutedNotifications;
  }

  #forget(visit: unknown, done: NotifiableActivity): void {
    const now = this.#activities.get(visit);
    if (!now || now === done) return void this.#activities.delete(visit);
    const files = now.files - done.files;
    this.#activities.set(visit, { ...now, files, bytes: now.bytes - done.bytes });
  }

  #reportLost(): void {
    if (this.#lost === 0) return;
    this.#options.report(`${this.#lost} of them were too many at once`);
    this.#lost = 0;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** @returns whether it was done */
  async #orReport(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#isFailing = false;
      return true;
    } catch (error) {
      // Once, not each second for as long as the disk is full.
      const isFirst = !this.#isFailing && !this.#isClosed && !isStoreUnusable(error);
      if (isFirst) this.#options.report(error);
      this.#isFailing = true;
      return false;
    }
  }
}

/** The kinds of devices of a user's sessions, apart from the one that was just begun. */
function deviceKinds(sessions: readonly Client[], latest: string): string[] {
  const kinds = sessions.map(({ agent }) => deviceKind(agent));
  const index = kinds.indexOf(latest);
  return [...new Set(index < 0 ? kinds : kinds.toSpliced(index, 1))];
}

/** The name by which devices are told apart: a browser and a system, or the name of a program. */
function deviceKind(agent: string): string {
  const { browser, system } = agentName(agent);
  return [browser, system].filter(Boolean).join(", ").slice(0, maxDeviceLength);
}

function withoutUser({ userId: _, ...notice }: Notice): Omit<Notice, "userId"> {
  return notice;
}
