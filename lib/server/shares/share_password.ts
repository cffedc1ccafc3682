import { DomainError } from "../../shared/errors.ts";
import type { Passwords } from "../passwords/passwords.ts";

/** bcrypt ignores the bytes beyond. */
const maxPasswordBytes = 72;

/**
 * The hash of a link's password; null for "", which is none.
 *
 * @throws DomainError `invalid_password` when it has more than 72 bytes
 */
export async function hashSharePassword(
  passwords: Passwords,
  password: string,
): Promise<string | null> {
  if (password === "") return null;
  if (new TextEncoder().encode(password.normalize("NFC")).length > maxPasswordBytes) {
    throw new DomainError(
      "invalid_password",
      `Cannot protect the share: a password has at most ${maxPasswordBytes} bytes`,
    );
  }
  return await passwords.hash(password);
}
