import { DomainError } from "../../../../../shared/errors.ts";
import { mergePatch, type Patch, patchOf, read } from "../../../../../shared/schemas/read.ts";
import { userChangeSchema, type UserFields } from "../../../../../shared/schemas/user.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import type { SettingsStore } from "../../../settings/settings_store.ts";
import { provisionUser } from "../../users/sign_up.ts";
import { fieldsOf, type User, type UserChange } from "../../users/user.ts";
import { canonicalName } from "../../users/username.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import { unlessRefused } from "../outside_accounts/admit.ts";
import type { Verified } from "../session.ts";
import { type HookAnswer, readHookOutput } from "./hook_output.ts";

/** The longest password that a program is given, in characters. */
const maxPasswordLength = 1_024;

/** The end of a sign-in program. */
export interface HookRun {
  /** The exit status; 0 for success. */
  status: number;
  output: string;
  /** Why it could not run, or was killed, for the log. */
  failure?: string;
}

/** Dependencies of the check. */
export interface HookCheckOptions {
  users: Users;
  settings: SettingsStore;
  passwords: Passwords;
  /** Makes users of names that are unknown here. */
  createUsers: boolean;
  makeHome: MakeHome;
  /** Runs the program; bounded in time and output. */
  run(env: { USERNAME: string; PASSWORD: string }): Promise<HookRun>;
  /** Logs a sentence. */
  note(sentence: string): void;
}

const userPatch = patchOf(userChangeSchema);

/**
 * Signing in by a program that is given the name and the password, as File Browser's `hook` method
 * does. It is run for every name alike, known here or not; any fault of it refuses the sign-in
 * in.
 */
export class HookCheck {
  readonly #options: HookCheckOptions;

  constructor(options: HookCheckOptions) {
    this.#options = options;
  }

  /** See `PasswordCheck`. */
  async check(username: string, password: string): Promise<Verified | null> {
    const { users, passwords, note } = this.#options;
    const name = canonicalName(username);
    if (name === null || password.includes("\0") || password.length > maxPasswordLength) {
      return null;
    }
    const { status, output, failure } = await this.#options.run({
      USERNAME: name,
      PASSWORD: password,
    });
    const answer = status === 0 && failure === undefined ? readHookOutput(output) : null;
    if (!answer) {
      const reason = failure ??
        (status === 0 ? "it printed no decision, or more than one" : `status ${status}`);
      note(`Cannot sign in ${JSON.stringify(name)} by the command: ${reason}`);
      return null;
    }
    if (answer.action === "block") return null;
    if (answer.action === "pass") {
      const user = await users.byName(name);
      const isRight = await passwords.verify(password, user?.passwordHash ?? null);
      return isRight && user ? { user, enter: () => Promise.resolve(user) } : null;
    }
    const logRefusal = (reason: string) =>
      note(`Cannot sign in ${JSON.stringify(name)} by the command: ${reason}`);
    const admission = await unlessRefused(logRefusal, () => this.#plan(name, answer));
    return admission && { ...admission, enter: () => unlessRefused(logRefusal, admission.enter) };
  }

  /** @throws DomainError for fields that are none, and for a name that may not sign in */
  async #plan(name: string, { fields, groups }: HookAnswer): Promise<Verified> {
    const { users, createUsers } = this.#options;
    const here = groups && await users.groups.list();
    const joined = here?.filter((group) => groups?.includes(group.name)).map(({ id }) => id);
    const patch = read(userPatch, joined ? { ...fields, groups: joined } : fields);
    const known = await users.byName(name);
    if (!known && !createUsers) throw new DomainError("forbidden", "there is no such user");
    if (!known) return { user: null, enter: () => this.#create(name, patch) };
    const before = fieldsOf(known);
    const after: UserChange = mergePatch(before, patch);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return { user: known, enter: async () => isSame ? known : await users.update(known.id, after) };
  }

  async #create(name: string, said: Patch<UserFields>): Promise<User> {
    const { users, settings, makeHome } = this.#options;
    try {
      return await provisionUser(users, await settings.get(), name, makeHome, said);
    } catch (error) {
      // Another thread may have created the user (race).
      const isRace = error instanceof DomainError && error.code === "exists";
      const made = isRace ? await users.byName(name) : null;
      if (made) return made;
      throw error;
    }
  }
}
