import type { ApiTokenDraft, NewApiToken } from "../../../shared/schemas/api_token.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { UserFields } from "../../../shared/schemas/user.ts";
import type { AuditPage } from "../../../shared/schemas/audit.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { AccessAnswer } from "../../../shared/schemas/access.ts";
import type { ContentIndexState } from "../../../shared/schemas/contents.ts";
import type { InviteDraft, NewInvite } from "../../../shared/schemas/invite.ts";
import type { GroupInfo } from "../../../shared/schemas/group.ts";
import type { QuotaUsage, UserQuota } from "../../../shared/schemas/quota.ts";
import type { OfficeCheck } from "../../../shared/schemas/office.ts";
import type { ServerCheck } from "../../../shared/schemas/server_check.ts";
import type { TrashUsage } from "../../../shared/schemas/trash.ts";
import type { NewWebhook, WebhookDraft, WebhookInfo } from "../../../shared/schemas/webhook.ts";
import { Calls, type CallsOptions } from "../../base/api/calls.ts";
import { type Result, success } from "../../../shared/result.ts";
import { usePage, useShared } from "../../base/core/page.ts";
import { useSession } from "../../base/core/use_site.ts";

/** The fields of a user to change; absent fields stay as they are. */
export type UserChange = Partial<UserFields> & { password?: string };

/**
 * The API client of users, settings and sessions, used by the settings pages. Changes of rights
 * require the user's own password; without it the server answers `wrong_credentials`.
 */
class AccountApi {
  readonly #calls: Calls;

  /** @param options the dependencies of the calls */
  constructor(options: CallsOptions) {
    this.#calls = new Calls(options);
  }

  /** Adds a user; returns the address of its page. */
  async addUser(data: UserChange, currentPassword?: string): Promise<Result<string>> {
    const json = { what: "user" as const, which: [], data, current_password: currentPassword };
    const answer = await this.#calls.call("POST /api/users", { json });
    return answer.ok ? success(answer.value.headers.get("location") ?? "") : answer;
  }

  /** Changes fields of a user. When that ends the own session, adopts the new one. */
  async changeUser(
    id: number,
    data: UserChange,
    currentPassword?: string,
  ): Promise<Result<void>> {
    const which = Object.keys(data);
    const json = { what: "user" as const, which, data, current_password: currentPassword };
    const answer = await this.#calls.text("PUT /api/users/{id}", { params: { id }, json });
    if (!answer.ok) return answer;
    return answer.value.trim() === "" ? success(undefined) : this.#calls.admit(answer);
  }

  /** Makes a link that invites a user, or sets the password of one. */
  invite(draft: Partial<InviteDraft>, currentPassword?: string): Promise<Result<NewInvite>> {
    const json = { ...draft, current_password: currentPassword };
    return this.#calls.json("POST /api/invites", { json });
  }

  /** Withdraws such a link. */
  withdrawInvite(id: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/invites/{id}", { params: { id } });
  }

  /** Removes a user. */
  removeUser(id: number, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done("DELETE /api/users/{id}", { params: { id }, json });
  }

  /** Adds a group. */
  addGroup(data: Omit<GroupInfo, "id">, currentPassword?: string): Promise<Result<GroupInfo>> {
    const json = { ...data, current_password: currentPassword };
    return this.#calls.json("POST /api/groups", { json });
  }

  /** Changes fields of a group. */
  changeGroup(
    id: number,
    data: Partial<GroupInfo> & { join?: number[]; leave?: number[] },
    currentPassword?: string,
  ): Promise<Result<GroupInfo>> {
    const json = { ...data, current_password: currentPassword };
    return this.#calls.json("PUT /api/groups/{id}", { params: { id }, json });
  }

  /** Removes a group. */
  removeGroup(id: number, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done("DELETE /api/groups/{id}", { params: { id }, json });
  }

  /** Renews the token, so that the session has the user's new data. */
  async refresh(): Promise<void> {
    await this.#calls.renew();
  }

  /** Replaces the settings as a whole. */
  saveSettings(settings: Settings, currentPassword?: string): Promise<Result<void>> {
    const json = { ...settings, current_password: currentPassword };
    return this.#calls.done("PUT /api/settings", { json });
  }

  /** How the server is set up. */
  checkServer(signal?: AbortSignal): Promise<Result<ServerCheck>> {
    return this.#calls.json("GET /api/check", { signal });
  }

  /** Whether the office server answers. */
  checkOffice(): Promise<Result<OfficeCheck>> {
    return this.#calls.json("POST /api/check/office");
  }

  /** Sends bytes that are dropped, to see whether they arrive. */
  probeUploads(body: Blob): Promise<Result<void>> {
    return this.#calls.done("POST /api/check", { body });
  }

  /** How much the trash of each user holds. */
  trashUsage(signal?: AbortSignal): Promise<Result<TrashUsage>> {
    return this.#calls.json("GET /api/trash/usage", { signal });
  }

  /** A part of the activity log, the latest first. @param query as of `GET /api/audit` */
  activity(query: string): Promise<Result<AuditPage>> {
    const wanted = Object.fromEntries(new URLSearchParams(query));
    return this.#calls.json("GET /api/audit", { query: wanted });
  }

  /** The address of the activity log as a file. */
  activityFile(query: string, format: "csv" | "json"): string {
    const wanted = Object.fromEntries(new URLSearchParams(query));
    return this.#calls.addressOf("GET /api/audit/export", { query: { ...wanted, format } });
  }

  /** The permissions of a user for an entry, each with the reason. */
  access(id: number, of: EntryPath, signal?: AbortSignal): Promise<Result<AccessAnswer>> {
    return this.#calls.json("GET /api/users/{id}/access", {
      params: { id },
      query: { path: of },
      signal,
    });
  }

  /** The usage of each user with a quota. */
  quotas(signal?: AbortSignal): Promise<Result<UserQuota[]>> {
    return this.#calls.json("GET /api/quotas", { signal });
  }

  /** Counts what a user with a quota has in use. */
  recountQuota(id: number): Promise<Result<QuotaUsage>> {
    return this.#calls.json("POST /api/quotas/{id}", { params: { id } });
  }

  /** How far the index of content search is. */
  contentIndex(signal?: AbortSignal): Promise<Result<ContentIndexState>> {
    return this.#calls.json("GET /api/contents", { signal });
  }

  /** Has the index of content search built anew. */
  rebuildContentIndex(): Promise<Result<void>> {
    return this.#calls.done("POST /api/contents");
  }

  /** Ends one of the user's own sessions. */
  endSession(sid: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/sessions/{sid}", { params: { sid } });
  }

  /** Makes an API token, whose secret is not shown again. */
  makeToken(draft: ApiTokenDraft, currentPassword?: string): Promise<Result<NewApiToken>> {
    const json = { ...draft, current_password: currentPassword };
    return this.#calls.json("POST /api/tokens", { json });
  }

  /** Revokes an API token. */
  revokeToken(id: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/tokens/{id}", { params: { id } });
  }

  /** Adds a webhook, whose secret is not shown again. */
  addWebhook(draft: WebhookDraft, currentPassword?: string): Promise<Result<NewWebhook>> {
    const json = { ...draft, current_password: currentPassword };
    return this.#calls.json("POST /api/webhooks", { json });
  }

  /** Changes a webhook as a whole. */
  changeWebhook(
    id: string,
    draft: WebhookDraft,
    currentPassword?: string,
  ): Promise<Result<WebhookInfo>> {
    const json = { ...draft, current_password: currentPassword };
    return this.#calls.json("PUT /api/webhooks/{id}", { params: { id }, json });
  }

  /** Gives a webhook a new secret, which is returned only now. */
  renewWebhookSecret(id: string, currentPassword?: string): Promise<Result<NewWebhook>> {
    const json = { current_password: currentPassword };
    return this.#calls.json("POST /api/webhooks/{id}/secret", { params: { id }, json });
  }

  /** Removes a webhook. */
  removeWebhook(id: string, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done("DELETE /api/webhooks/{id}", { params: { id }, json });
  }

  /** Sends a test event to a webhook; returns it with what came of that. */
  testWebhook(id: string): Promise<Result<WebhookInfo>> {
    return this.#calls.json("POST /api/webhooks/{id}/test", { params: { id } });
  }

  /** Ends all the user's own sessions but this one. */
  endOtherSessions(): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/sessions");
  }
}

/** The API client of the settings pages. */
export function useAccount(): AccountApi {
  const session = useSession();
  const { BaseURL: baseUrl } = usePage().data.config;
  return useShared("account", () => new AccountApi({ baseUrl, session }));
}
