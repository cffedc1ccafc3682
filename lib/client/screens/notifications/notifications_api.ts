import type { NotificationPage } from "../../../shared/schemas/notification.ts";
import type { Result } from "../../../shared/result.ts";
import type { Calls } from "../../base/api/calls.ts";

/** The client of the calls about one's own notifications. */
export class NotificationsApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** A page of them, the latest first. @param before `next` of the page before */
  list(
    { before, limit }: { before?: string; limit?: number } = {},
  ): Promise<Result<NotificationPage>> {
    return this.#calls.json("GET /api/notifications", { query: { before, limit } });
  }

  /** Marks one as read, also while the page is left for what it is about. */
  markRead(id: string): Promise<Result<void>> {
    const json = { read: true };
    return this.#calls.done("PATCH /api/notifications/{id}", {
      params: { id },
      ...{ json, outlives: true },
    });
  }

  /** Removes one. */
  remove(id: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/notifications/{id}", { params: { id } });
  }

  /** Marks all as read. @param until leaves those alone that came later */
  markAllRead(until: string): Promise<Result<void>> {
    const json = { read: true, until };
    return this.#calls.done("PATCH /api/notifications", { json });
  }
}
