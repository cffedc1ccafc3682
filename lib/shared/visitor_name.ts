import type { TFunction } from "i18next";

/** The longest name that a visitor without an account gives, in characters. */
export const maxVisitorName = 40;

/**
 * A name that a visitor has given, as one short line: without what is not seen or turns the
 * direction of writing, without brackets, in which {@linkcode guestName} marks it, and with at
 * most two marks on a letter. "" for none.
 */
export function visitorName(text: string): string {
  const line = text.toWellFormed().normalize("NFKC")
    .replace(/[\t\r\n]/g, " ")
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Ps}\p{Pe}\u2800]/gu, "")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/\s+/gu, " ")
    .trim();
  return [...line].slice(0, maxVisitorName).join("").trim();
}

/**
 * A visitor's name in a language: never that of an account, whatever was typed.
 *
 * @param name of {@linkcode visitorName}
 */
export function guestName(t: TFunction, name: string): string {
  return name === "" ? t("guests.unnamed") : t("guests.named", { name });
}

/**
 * The same in English, for logs and for programs whose language is not known.
 *
 * @param name of {@linkcode visitorName}
 */
export function shownVisitor(name: string): string {
  return name === "" ? "Guest" : `${name} (guest)`;
}
