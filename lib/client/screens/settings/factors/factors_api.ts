import type { Factors, TotpSetup } from "../../../../shared/schemas/factors.ts";
import type {
  NewPasskey,
  PasskeyCreation,
  PasskeyInfo,
} from "../../../../shared/schemas/passkeys.ts";
import type { DeclaredCalls } from "../../../base/api/declared_calls.d.ts";
import { Calls, type CallsOptions } from "../../../base/api/calls.ts";
import { usePage, useShared } from "../../../base/core/page.ts";
import { useSession } from "../../../base/core/use_site.ts";
import type { Reauthentication } from "../../../base/prompts/prompts.ts";
import { type Result, success } from "../../../../shared/result.ts";

/** The calls that answer with recovery codes. */
type CodesName =
  | "PUT /api/factors/passkeys"
  | "PUT /api/factors/totp"
  | "POST /api/factors/recovery";

/** The API client of second factors. A call that ends the session adopts the new one. */
class FactorsApi {
  readonly #calls: Calls;

  /** @param options the dependencies of the calls */
  constructor(options: CallsOptions) {
    this.#calls = new Calls(options);
  }

  /** The factors as they are now. */
  get(): Promise<Result<Factors>> {
    return this.#calls.json("GET /api/factors");
  }

  /** Begins to set up a passkey. */
  beginPasskey(credentials: Reauthentication): Promise<Result<PasskeyCreation>> {
    return this.#calls.json("POST /api/factors/passkeys", { json: credentials });
  }

  /** Sets the passkey up; returns the recovery codes, if it is the first factor. */
  async addPasskey(name: string, credential: NewPasskey): Promise<Result<string[]>> {
    return await this.#codes("PUT /api/factors/passkeys", { name, credential });
  }

  /** Gives a passkey another name. */
  renamePasskey(id: string, name: string): Promise<Result<PasskeyInfo>> {
    return this.#calls.json("PATCH /api/factors/passkeys/{id}", { params: { id }, json: { name } });
  }

  /** Removes a passkey. */
  async removePasskey(id: string, credentials: Reauthentication): Promise<Result<void>> {
    const call = { json: credentials } as const;
    return this.#calls.admit(
      await this.#calls.text("DELETE /api/factors/passkeys/{id}", { params: { id }, ...call }),
    );
  }

  /** Begins to set up an authenticator app. */
  beginTotp(): Promise<Result<TotpSetup>> {
    return this.#calls.json("POST /api/factors/totp");
  }

  /** Sets the app up; returns the recovery codes. */
  async addTotp(
    setup: string,
    appCode: string,
    credentials: Reauthentication,
  ): Promise<Result<string[]>> {
    const json = { setup, app_code: appCode, ...credentials };
    return await this.#codes("PUT /api/factors/totp", json);
  }

  /** Removes the app. */
  async removeTotp(credentials: Reauthentication): Promise<Result<void>> {
    const call = { json: credentials } as const;
    return this.#calls.admit(await this.#calls.text("DELETE /api/factors/totp", call));
  }

  /** Makes the recovery codes anew. */
  renewRecovery(credentials: Reauthentication): Promise<Result<string[]>> {
    return this.#codes("POST /api/factors/recovery", credentials);
  }

  /** Removes the second factors of another user. */
  reset(userId: number, currentPassword?: string): Promise<Result<void>> {
    const json = { current_password: currentPassword };
    return this.#calls.done("DELETE /api/users/{id}/factors", { params: { id: userId }, json });
  }

  async #codes<Name extends CodesName>(
    name: Name,
    json: DeclaredCalls[Name]["json"],
  ): Promise<Result<string[]>> {
    const answer = await this.#calls.json<CodesName>(name, { json });
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
