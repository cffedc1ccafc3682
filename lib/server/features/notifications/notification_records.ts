import { DomainError } from "../../../shared/errors.ts";
import type { UnreadState } from "../../../shared/schemas/notification.ts";
import { commitChange } from "../../core/kv/commit.ts";
import type { User } from "../accounts/users/user.ts";
import { userRecords } from "../accounts/users/user_records.ts";
import type { Store } from "../../core/kv/store.ts";
import { keptMs, trimmed, withNotices } from "./kept_list.ts";
import {
  noState,
  type Notice,
  notificationLists,
  type NotificationState,
  notificationStates,
  type StoredNotification,
} from "./notification.ts";
import { newMail, type WaitingMail, waitingMails, wantsMail } from "./waiting_mail.ts";

/** A change of the state, and the notice of it. */
interface Noted {
  state: Partial<NotificationState>;
  notice?: Omit<Notice, "userId">;
}

/** @param add adds notices to the list */
type Change = (
  list: readonly StoredNotification[],
  state: NotificationState,
  add: (notices: readonly Omit<Notice, "userId">[]) => readonly StoredNotification[],
) => { list?: readonly StoredNotification[]; state?: Partial<NotificationState> } | null;

/** The notifications of users in the store: a list each, and its count apart from it. */
export class NotificationRecords {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #mails: boolean;

  /**
   * @param now the clock, in milliseconds since 1970
   * @param mails whether those who want it are to get notifications by mail; see `Digests`
   */
  constructor(store: Store, now: () => number = () => Date.now(), mails = false) {
    this.#store = store;
    this.#now = now;
    this.#mails = mails;
  }

  /** How many are not read: kept until the store is written to, so that it may be asked often. */
  async unreadState(userId: number): Promise<UnreadState> {
    const key = notificationStates.key(userId);
    return await this.#store.cachedRead(key, async () => {
      const { unread, edition } = await this.state(userId);
      return { unread, edition };
    });
  }

  /** The state of a user. */
  async state(userId: number): Promise<NotificationState> {
    return await notificationStates.get(this.#store, userId) ?? noState;
  }

  /** Those of a user that are not too old, the latest first. */
  async list(userId: number): Promise<StoredNotification[]> {
    return trimmed(await notificationLists.get(this.#store, userId) ?? [], this.#now());
  }

  /** Adds notices of one user. */
  async add(userId: number, notices: readonly Omit<Notice, "userId">[]): Promise<void> {
    await this.#change(userId, (_list, _state, add) => ({ list: add(notices) }));
  }

  /** Changes what is known of a user, and adds a notice of that, if there is one. */
  async note(
    userId: number,
    change: (state: NotificationState) => Noted | null,
  ): Promise<void> {
    await this.#change(userId, (_list, state, add) => {
      const noted = change(state);
      if (!noted) return null;
      const { notice, ...changed } = noted;
      return { ...changed, ...notice && { list: add([notice]) } };
    });
  }

  /** Marks all as read, or as not read. @param until leaves those alone that came later */
  async markAll(userId: number, read: boolean, until = Infinity): Promise<void> {
    await this.#change(userId, (list) => {
      const isMeant = (each: StoredNotification) => each.at <= until && each.read !== read;
      if (!list.some(isMeant)) return null;
      return { list: list.map((each) => isMeant(each) ? { ...each, read } : each) };
    });
  }

  /**
   * Marks one as read or as not read.
   *
   * @throws DomainError `not_found`
   */
  async mark(userId: number, id: string, read: boolean): Promise<void> {
    await this.#change(userId, (list) => {
      const found = one(list, id);
      if (found.read === read) return null;
      return { list: list.map((each) => each === found ? { ...found, read } : each) };
    });
  }

  /** Removes all. */
  async clear(userId: number): Promise<void> {
    await this.#change(userId, (list) => list.length === 0 ? null : { list: [] });
  }

  /**
   * Removes one.
   *
   * @throws DomainError `not_found`
   */
  async remove(userId: number, id: string): Promise<void> {
    await this.#change(userId, (list) => {
      const found = one(list, id);
      return { list: list.filter((each) => each !== found) };
    });
  }

  /** Removes those that are too old, of all users. */
  async removeExpired(): Promise<void> {
    const states = await notificationStates.entries(this.#store);
    for (const { key, value: { oldest } } of states) {
      const isOld = oldest !== null && oldest <= this.#now() - keptMs;
      if (isOld) await this.#change(Number(key.at(-1)), (list) => ({ list }));
    }
  }

  /** Changes list and state in one commit; nothing of a user who is gone. */
  async #change(userId: number, decide: Change): Promise<void> {
    await commitChange(this.#store, async () => {
      const [kept, known, user, mail] = await this.#store.getMany<
        [StoredNotification[], NotificationState, User, WaitingMail]
      >([
        notificationLists.key(userId),
        notificationStates.key(userId),
        userRecords.key(userId),
        waitingMails.key(userId),
      ]);
      const state = known.value ?? noState;
      const list = trimmed(kept.value ?? [], this.#now());
      const now = this.#now();
      const mails = this.#mails && user.value !== null && wantsMail(user.value);
      let isMailed = false;
      const changed = user.value === null ? null : decide(list, state, (notices) => {
        isMailed = mails;
        const marked = mails
          ? notices.map((each) => ({ ...each, unmailed: true as const }))
          : notices;
        return withNotices(list, marked, now);
      });
      if (!changed) return { result: undefined, build: null };
      const next: NotificationState = {
        ...state,
        ...changed.state,
        ...changed.list && {
          unread: changed.list.filter(({ read }) => !read).length,
          edition: state.edition + 1,
          oldest: changed.list.at(-1)?.at ?? null,
        },
      };
      return {
        result: undefined,
        build(operation) {
          operation.check(kept, known, user).set(known.key, next);
          if (isMailed && mail.value === null) {
            operation.check(mail).set(mail.key, newMail(state, now));
          }
          if (changed.list?.length === 0) operation.delete(kept.key);
          else if (changed.list) operation.set(kept.key, changed.list);
          return operation;
        },
      };
    });
  }
}

function one(list: readonly StoredNotification[], id: string): StoredNotification {
  const found = list.find((each) => each.id === id);
  if (found) return found;
  throw new DomainError("not_found", "Cannot find the notification: no such id");
}
