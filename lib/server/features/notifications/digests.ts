import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { commitChange } from "../../core/kv/commit.ts";
import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import type { Store } from "../../core/kv/store.ts";
import type { Mail, Mailer } from "./mailer.ts";
import type { User } from "../accounts/users/user.ts";
import type { Users } from "../accounts/users/users.ts";
import {
  noState,
  notificationLists,
  type NotificationState,
  notificationStates,
  type StoredNotification,
} from "./notification.ts";
import { mailPauseMs, newMail, type WaitingMail, waitingMails, wantsMail } from "./waiting_mail.ts";

/** How long a mail is its sender's: longer than a delivery takes, in milliseconds. */
const leaseMs = 60_000;

/** Most tries of a mail, before which the pause doubles each time: for half a day. */
export const maxMailAttempts = 8;

/** Interval at which mails that are due are looked for, in milliseconds. */
const lookMs = 15_000;

/** Dependencies of the digests. */
export interface DigestOptions {
  store: Store;
  users: Pick<Users, "get">;
  mailer: Pick<Mailer, "send">;
  /** Writes a mail of notifications, the latest first. */
  write: (user: User, unread: readonly StoredNotification[]) => Promise<Omit<Mail, "to">>;
  /** Logs a sentence. */
  report: (sentence: string) => void;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/**
 * Sends users their unread notifications by mail, if they want that: all that have come since the
 * last mail in one, minutes after it. Mails wait in the store, so that none is lost by a restart,
 * and of several servers one sends each; after a crash within a delivery it may come twice.
 */
export class Digests {
  readonly #options: DigestOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #sending: Promise<void> | null = null;

  constructor(options: DigestOptions) {
    this.#options = options;
  }

  /** Begins to look for mails that are due. */
  start(): void {
    this.#timer = setInterval(() => void this.sendDue(), lookMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Stops looking. A mail that is being sent belongs to the mail server or comes again. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Sends what is due. Never rejects: failures are reported, and tried again. */
  async sendDue(): Promise<void> {
    this.#sending ??= this.#sendAll()
      .catch((error) => {
        if (!isStoreUnusable(error)) this.#report(`Cannot mail notifications: ${error}`);
      })
      .finally(() => this.#sending = null);
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Nothing is read again while nothing is written.
    for (const entry of await waitingMails.cachedEntries(this.#options.store)) {
      if (entry.value.due <= this.#now() && await this.#claim(entry)) {
        await this.#send(Number(entry.key.at(-1)), entry.value);
      }
    }
  }

  async #claim(entry: Deno.KvEntry<WaitingMail>): Promise<boolean> {
    const due = this.#now() + leaseMs;
    const { ok } = await this.#options.store.atomic((operation) =>
      waitingMails.replace(operation, entry, { ...entry.value, due })
    );
    return ok;
  }

  async #send(userId: number, { failures }: WaitingMail): Promise<void> {
    const { store, users, mailer, write } = this.#options;
    const user = await unlessRefused(() => users.get(userId), "not_found");
    if (!user) {
      await waitingMails.remove(store, userId);
      return;
    }
    const list = await notificationLists.get(store, userId) ?? [];
    const unmailed = list.filter((each) => each.unmailed);
    const unread = wantsMail(user) ? unmailed.filter(({ read }) => !read) : [];
    if (unread.length === 0) return await this.#finish(userId, unmailed, false);
    try {
      await mailer.send({ to: user.mail, ...await write(user, unread) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const isFinal = error.code !== "mail_failed" || failures + 1 >= maxMailAttempts;
      if (!isFinal) return await this.#postpone(userId, failures + 1);
      this.#report(`Notifications of "${user.username}" are not mailed: ${error.message}`);
      return await this.#finish(userId, unmailed, false);
    }
    await this.#finish(userId, unmailed, true);
  }

  async #postpone(userId: number, failures: number): Promise<void> {
    const due = this.#now() + mailPauseMs * 2 ** (failures - 1);
    await waitingMails.set(this.#options.store, [userId], { due, failures });
  }

  /** Notes that notifications need not be mailed any more; those that came meanwhile still do. */
  async #finish(
    userId: number,
    done: readonly StoredNotification[],
    isSent: boolean,
  ): Promise<void> {
    const { store } = this.#options;
    const now = this.#now();
    await commitChange(store, async () => {
      const [kept, known, mail] = await store.getMany<
        [StoredNotification[], NotificationState, WaitingMail]
      >([notificationLists.key(userId), notificationStates.key(userId), waitingMails.key(userId)]);
      // One that has grown since is news again.
      const isDone = ({ id, at }: StoredNotification) =>
        done.some((each) => each.id === id && each.at === at);
      const list = (kept.value ?? []).map((each) => isDone(each) ? mailedOf(each) : each);
      const state = { ...known.value ?? noState, ...isSent && { mailed: now } };
      const isLeft = list.some(({ unmailed }) => unmailed);
      return {
        result: undefined,
        build(operation) {
          operation.check(kept, known, mail);
          if (kept.value) operation.set(kept.key, list);
          if (known.value) operation.set(known.key, state);
          return isLeft ? operation.set(mail.key, newMail(state, now)) : operation.delete(mail.key);
        },
      };
    });
  }

  #report(sentence: string): void {
    this.#options.report(sentence);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function mailedOf({ unmailed: _, ...rest }: StoredNotification): StoredNotification {
  return rest;
}
