import type { Factors, RecoveryCodes, TotpSetup } from "../../../../shared/schemas/factors.ts";
import type {
  NewPasskey,
  PasskeyCreation,
  PasskeyInfo,
} from "../../../../shared/schemas/passkeys.ts";
import { path } from "../../../base/api/api_path.ts";
import { Calls, type CallsOptions } from "../../../base/api/calls.ts";
import { usePage, useShared } from "../../../base/core/page.ts";
import { useSession } from "../../../base/core/use_site.ts";
import type { Reauthentication } from "../../../base/prompts/prompts.ts";
import { type Result, success } from "../../../../shared/result.ts";

/** The API client of second factors. A call that ends the session adopts the new one. */
class FactorsApi {
  readonly #calls: Calls;

  /** @param options the dependencies of the calls */
  constructor(options: CallsOptions) {
    this.#calls = new Calls(options);
  }

  /** The factors as they are now. */
  get(): Promise<Result<Factors>> {
    return this.#calls.json(path`/api/factors`, {});
  }

  /** Begins to set up a passkey. */
  beginPasskey(credentials: Reauthentication): Promise<Result<PasskeyCreation>> {
    return this.#calls.json(path`/api/factors/passkeys`, { method: "POST", json: credentials });
  }

  /** Sets the passkey up; returns the recovery codes, if it is the first factor. */
  async addPasskey(name: string, credential: NewPasskey): Promise<Result<string[]>> {
    return await this.#codes(path`/api/factors/passkeys`, "PUT", { name, credential });
  }

  /** Gives a passkey another name. */
  renamePasskey(id: string, name: string): Promise<Result<PasskeyInfo>> {
    return this.#calls.json(path`/api/factors/passkeys/${id}`, { method: "PATCH", json: { name } });
  }

  /** Removes a passkey. */
  async removePasskey(id: string, credentials: Reauthentication): Promise<Result<void>> {
    const call = { method: "DELETE", json: credentials } as const;
    return this.#calls.admit(await this.#calls.text(path`/api/factors/passkeys/${id}`, call));
  }

  /** Begins to set up an authenticator app. */
  beginTotp(): Promise<Result<TotpSetup>> {
    return this.#calls.json(path`/api/factors/totp`, { method: "POST" });
  }

  /** Sets the app up; returns the recovery codes. */
  async addTotp(
    setup: string,
    appCode: string,
    credentials: Reauthentication,
  ): Promise<Result<string[]>> {
    const json = { setup, app_code: appCode, ...credentials };
    return await this.#codes(path`/api/factors/totp`, "PUT", json);
  }

  /** Removes the app. */
  async removeTotp(credentials: Reauthentication): Promise<Result<void>> {
    const call = { method: "DELETE", json: credentials } as const;
    return this.#calls.admit(await this.#calls.text(path`/api/factors/totp`, call));
  }

  /** Makes the recovery codes anew. */
  renewRecovery(credentials: Reauthentication): Promise<Result<string[]>> {
    return this.#codes(path`/api/factors/recovery`, "POST", credentials);
  }

  /** Removes the second factors of another user. */
  reset(userId: number, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done(path`/api/users/${userId}/factors`, { method: "DELETE", json });
  }

  async #codes(
    to: Parameters<Calls["json"]>[0],
    method: "PUT" | "POST",
    json: unknown,
  ): Promise<Result<string[]>> {
    const answer = await this.#calls.json<RecoveryCodes>(to, { method, json });
    if (!answer.ok) return answer;
    const { recoveryCodes, token } = answer.value;
    if (token === undefined) return success(recoveryCodes);
    const admitted = this.#calls.admit(success(token));
    return admitted.ok ? success(recoveryCodes) : admitted;
  }
}

/** The API client of second factors. */
export function useFactors(): FactorsApi {
  const session = useSession();
  const { BaseURL: baseUrl } = usePage().data.config;
  return useShared("factors", () => new FactorsApi({ baseUrl, session }));
}
