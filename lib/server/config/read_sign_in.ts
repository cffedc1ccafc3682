/** Common parts of the options of other servers: those asked for accounts, and the mail server. */
import type { GivenValue, OptionName } from "./options.ts";
import { findAuthorities, findOptionalFile } from "./places.ts";
import { StartRefusal } from "./refusal.ts";
import { readSwitch, type ValueOf } from "./values.ts";

/** Options that are secrets, each with one that names a file. */
type SecretOption = "oidc-client-secret" | "ldap-bind-password" | "mail-password";

/**
 * Reads a secret, or the file that has it.
 *
 * @throws StartRefusal when both are given, and for an empty file
 */
export function readSecret(
  valueOf: ValueOf,
  cwd: string,
  option: SecretOption,
): string | undefined {
  const secret = valueOf(option, ({ text }) => text.trim(), "");
  const file = valueOf(`${option}-file`, (value) => findOptionalFile(value, cwd), undefined);
  if (secret !== "" && file !== undefined) {
    throw new StartRefusal(`Cannot use --${option}: --${option}-file is given as well`);
  }
  if (file === undefined) return secret || undefined;
  const read = Deno.readTextFileSync(file).trim();
  if (read !== "") return read;
  throw new StartRefusal(`Cannot use --${option}-file "${file}": it is empty`);
}

/** Reads the certificates in a file; undefined without one. */
export function readAuthorities(value: GivenValue, cwd: string): string | undefined {
  return value.text === "" ? undefined : Deno.readTextFileSync(findAuthorities(value, cwd));
}

/** An empty value switches off what another source switches on. */
export function readSwitchOrNone(value: GivenValue): boolean {
  return value.text !== "" && readSwitch(value);
}

/** Refuses an option that is useless without another. */
export function half(there: OptionName, missing: OptionName): StartRefusal {
  return new StartRefusal(`Cannot use --${there}: --${missing} must be given as well`);
}

/** Refuses one of two options that go together only, where the other one has no value. */
export function refuseHalf(name: OptionName, value = "", other: OptionName, otherValue = ""): void {
  if ((value === "") === (otherValue === "")) return;
  const [there, missing] = value === "" ? [other, name] : [name, other];
  throw half(there, missing);
}
