import { isDeviceName } from "../../../../shared/windows_names.ts";
import { childOf, type EntryPath, ROOT } from "../../../../shared/path.ts";

/** The longest name, in bytes of UTF-8: disks take 255, and a number may be added. */
const maxNameBytes = 200;

/** The longest name of a sender, in bytes of UTF-8. */
const maxSenderBytes = 100;

/** Most folders that one file brings along; deeper ones are left out. */
const maxFolders = 20;

/**
 * The place of a visitor's file, counted from the folder of the request: below a folder with the
 * sender's name and the day, if there is a name, and below those that the file brings along. Names
 * come from strangers: what a disk, a shell, a page or Windows could take for more than a name is
 * replaced, hidden files are shown, and no name leads anywhere else.
 *
 * @param name of the file, with its folders: `photos/sea.jpg`
 * @param now milliseconds since 1970; the day is that of UTC
 */
export function receivedPath(name: string, sender: string, now: number): EntryPath {
  const parts = name.split(/[/\\]/).filter((part) => !/^\.{0,2}$/.test(part.trim()));
  const file = safeName(parts.pop() ?? "", maxNameBytes);
  const folders = parts.slice(0, maxFolders).map((part) => safeName(part, maxNameBytes));
  const from = tidy(sender) === "" ? [] : [senderFolder(sender, now)];
  return [...from, ...folders, file].reduce<EntryPath>(childOf, ROOT);
}

/** "Anna - 2026-11-25". */
function senderFolder(sender: string, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  return `${safeName(sender, maxSenderBytes)} - ${day}`;
}

/** The name of a sender for display: one short line, whatever a stranger has typed. */
export function senderName(sender: string): string {
  return cut(plain(sender), maxSenderBytes);
}

/** A name that is one on every system. */
function safeName(text: string, maxBytes: number): string {
  const name = cut(tidy(text).replace(/^\.+/, "_"), maxBytes).replace(/[. ]+$/, "");
  if (name === "") return "file";
  return isDeviceName(name) ? `_${name}` : name;
}

/** Without what paths consist of, either. */
function tidy(text: string): string {
  // The private characters stand for bytes that are no UTF-8.
  return plain(text).replace(/[/\\:*?"<>|\uef80-\uefff]/g, "_");
}

/** One line without control characters and those that turn the direction of writing. */
function plain(text: string): string {
  return text.toWellFormed().normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Shortens the stem, not the extension, to `maxBytes` bytes. */
function cut(name: string, maxBytes: number): string {
  const size = (text: string) => new TextEncoder().encode(text).length;
  if (size(name) <= maxBytes) return name;
  const [extension = ""] = /\.[^.\s]{1,16}$/u.exec(name) ?? [];
  const letters = [...name.slice(0, name.length - extension.length)].slice(0, maxBytes);
  while (letters.length > 0 && size(letters.join("") + extension) > maxBytes) letters.pop();
  return letters.join("").trimEnd() + extension;
}
