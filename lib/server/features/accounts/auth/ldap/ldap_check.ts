import { DomainError } from "../../../../../shared/errors.ts";
import type { LdapDirectory } from "../../../../core/config/ldap_options.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import type { SettingsStore } from "../../../settings/settings_store.ts";
import type { Identity, User } from "../../users/user.ts";
import { canonicalName } from "../../users/username.ts";
import type { Users } from "../../users/users.ts";
import type { MakeHome } from "../../users/with_home.ts";
import { planAdmission, unlessRefused } from "../outside_accounts/admit.ts";
import type { AlsoCount, Verified } from "../session.ts";
import type { DirectoryAccount } from "./directory.ts";
import { canonicalDn } from "./distinguished_name.ts";

/** The longest password that the directory is asked about, in characters. */
const maxPasswordLength = 1_024;

/** Dependencies of the check. */
export interface LdapCheckOptions {
  directory: LdapDirectory;
  users: Users;
  settings: SettingsStore;
  passwords: Passwords;
  makeHome: MakeHome;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/**
 * Signing in by the passwords of an LDAP directory. Users who were made here keep theirs, so that
 * an administrator gets in while the directory is away; all other names are looked up there.
 */
export class LdapCheck {
  readonly #options: LdapCheckOptions;

  constructor(options: LdapCheckOptions) {
    this.#options = options;
  }

  /**
   * See `PasswordCheck`.
   *
   * @throws DomainError `busy` when the directory does not answer, for users who are not of here;
   * `throttled`
   */
  async check(
    username: string,
    password: string,
    alsoCount: AlsoCount,
  ): Promise<Verified | null> {
    const { directory, users, passwords } = this.#options;
    const named = await users.byName(username);
    const isOfHere = named !== null && !isOfDirectory(named, directory);
    if (isOfHere && (named.identity || !directory.linkUsers)) {
      return await this.#checkHere(named, password);
    }
    // Both at once: neither how long it takes nor its end tells who is known where.
    const [there, isOwn] = await Promise.allSettled([
      this.#checkThere(username, password, alsoCount),
      passwords.verify(password, isOfHere ? named.passwordHash : null),
    ]);
    if (isOwn.status === "rejected") throw isOwn.reason;
    if (there.status === "fulfilled" && there.value) return there.value;
    const isAway = there.status === "rejected" && hasCode(there.reason, "busy");
    if (there.status === "rejected" && !(isAway && isOfHere)) throw there.reason;
    // The own password was compared: a wrong one counts, also while the directory is away.
    return isOfHere && isOwn.value ? asItIs(named) : null;
  }

  async #checkHere(user: User, password: string): Promise<Verified | null> {
    const { passwords, users } = this.#options;
    if (!await passwords.verify(password, user.passwordHash)) return null;
    if (passwords.isForeign(user.passwordHash)) await users.rehash(user, password);
    return asItIs(user);
  }

  async #checkThere(
    username: string,
    password: string,
    alsoCount: AlsoCount,
  ): Promise<Verified | null> {
    const { directory } = this.#options;
    const name = canonicalName(username);
    if (name === null || password === "" || password.length > maxPasswordLength) return null;
    // Loaded where it is used alone.
    const { askDirectory } = await import("./directory.ts");
    // Directories take more spellings for one name than are folded here: guesses count for the entry.
    const answer = await askDirectory(directory, username.trim(), password, async (id) => {
      await alsoCount(`user:${issuerOf(directory)} ${id}`);
    });
    if (answer.is === "right") return await this.#admit(answer.account);
    // A plain wrong password is counted and taken down elsewhere.
    if (answer.reason !== null) this.#note(username, answer.reason);
    if (answer.is !== "away") return null;
    throw new DomainError("busy", "Cannot sign in: the directory does not answer");
  }

  async #admit({ id, username, dn, groups }: DirectoryAccount): Promise<Verified | null> {
    const { directory, users, settings, makeHome } = this.#options;
    const identity: Identity = { issuer: issuerOf(directory), subject: id };
    const note = (sentence: string) => this.#note(dn, sentence);
    const admission = await unlessRefused(
      note,
      async () =>
        await planAdmission({ identity, username, groups }, {
          ...{ users, makeHome, rules: withCanonicalGroups(directory) },
          settings: await settings.get(),
        }),
    );
    return admission && { ...admission, enter: () => unlessRefused(note, admission.enter) };
  }

  #note(name: string, reason: string): void {
    this.#options.note(`Cannot sign in ${JSON.stringify(name)} by the directory: ${reason}`);
  }
}

function hasCode(error: unknown, code: DomainError["code"]): boolean {
  return error instanceof DomainError && error.code === code;
}

/** The rules, of which those that name a group by its DN name it in whatever spelling it has. */
function withCanonicalGroups(directory: LdapDirectory): LdapDirectory {
  const groups = directory.groups?.map((rule) => ({
    ...rule,
    group: canonicalDn(rule.group) ?? rule.group,
  }));
  return { ...directory, groups };
}

/** A user of whom nothing changes by signing in. */
function asItIs(user: User): Verified {
  return { user, enter: () => Promise.resolve(user) };
}

/** Whether the directory alone knows the password of a user: one of here does not count any more. */
export function isOfDirectory({ identity }: Pick<User, "identity">, ldap: LdapDirectory): boolean {
  return identity?.issuer === issuerOf(ldap);
}

/** The prefix of the identifiers of a directory's users. */
function issuerOf({ base }: LdapDirectory): string {
  return `ldap:${base.toLowerCase()}`;
}
