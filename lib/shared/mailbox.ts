/** An address for mail, with the name that is shown for it. */
export interface Mailbox {
  /** "" for none. */
  name: string;
  address: string;
}

/** The longest address, in characters (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const maxAddressLength = 254;

/** The longest part before the `@`, in characters (RFC 5321, 4.5.3.1.1). */
const maxLocalPartLength = 64;

/**
 * Whether a text is one address: no list, no name beside it, no quotes, no comment, no route, and
 * no control character, which would begin another header or command (CWE-93).
 */
export function isMailAddress(text: string): boolean {
  const [, local = "", domain = ""] =
    /^([^\s\p{C}@<>()[\]\\,;:"]+)@([^\s\p{C}@<>()[\]\\,;:"]+)$/u.exec(text) ?? [];
  if (local === "" || local.length > maxLocalPartLength || text.length > maxAddressLength) {
    return false;
  }
  const labels = domain.split(".");
  return [local.split("."), labels].flat().every((part) => part !== "") &&
    labels.every((label) => /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label) && !/^-|-$/.test(label));
}

/** Reads `cubby@example.org` or `Files <cubby@example.org>`; null for what is neither. */
export function readMailbox(text: string): Mailbox | null {
  const [, name = "", bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const mailbox = {
    name: name.trim().replace(/^"(.*)"$/, "$1"),
    address: bracketed ?? text.trim(),
  };
  return isMailAddress(mailbox.address) && !/\p{C}/u.test(mailbox.name) ? mailbox : null;
}
