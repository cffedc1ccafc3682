import type { Settings, UserFields } from "../../shared/api_types.ts";
import { path } from "../api/api_path.ts";
import { Calls, type CallsOptions } from "../api/calls.ts";
import { type Result, success } from "../api/result.ts";

/** The fields of a user that are sent: those that are there are meant, and no others. */
export type UserChange = Partial<UserFields> & { password?: string };

/**
 * The client of the calls about users, settings and sessions, which the settings alone make.
 * What gives or takes rights wants the password of the one who asks; without one it is refused with
 * `wrong_credentials`.
 */
export class AccountApi {
  readonly #calls: Calls;

  /** @param options what calls are made with */
  constructor(options: CallsOptions) {
    this.#calls = new Calls(options);
  }

  /** Adds a user, and tells the address of its page. */
  async addUser(data: UserChange, currentPassword?: string): Promise<Result<string>> {
    const json = { what: "user", which: [], data, current_password: currentPassword };
    const answer = await this.#calls.call(path`/api/users`, { method: "POST", json });
    return answer.ok ? success(answer.value.headers.get("location") ?? "") : answer;
  }

  /** Changes fields of a user. When that ends the own session, the new one is taken over. */
  async changeUser(
    id: number,
    data: UserChange,
    currentPassword?: string,
  ): Promise<Result<void>> {
    const which = Object.keys(data);
    const json = { what: "user", which, data, current_password: currentPassword };
    const answer = await this.#calls.text(path`/api/users/${id}`, { method: "PUT", json });
    if (!answer.ok) return answer;
    return answer.value.trim() === "" ? success(undefined) : this.#calls.admit(answer);
  }

  /** Removes a user. */
  removeUser(id: number, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done(path`/api/users/${id}`, { method: "DELETE", json });
  }

  /** Has the session say what is now known of its user. */
  async refresh(): Promise<void> {
    await this.#calls.renew();
  }

  /** Puts whole settings in place of the former ones. */
  saveSettings(settings: Settings, currentPassword?: string): Promise<Result<void>> {
    const json = { ...settings, current_password: currentPassword };
    return this.#calls.done(path`/api/settings`, { method: "PUT", json });
  }

  /** Ends one of one's own sessions. */
  endSession(sid: string): Promise<Result<void>> {
    return this.#calls.done(path`/api/sessions/${sid}`, { method: "DELETE" });
  }

  /** Ends all sessions of one's own but this one. */
  endOtherSessions(): Promise<Result<void>> {
    return this.#calls.done(path`/api/sessions`, { method: "DELETE" });
  }
}
