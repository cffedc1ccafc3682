import { escapeControls } from "./escape_controls.ts";

/** The form of the log: lines for people, or a JSON object a line. */
export type LogFormat = "text" | "json";

/** How grave an event is. */
export type LogLevel = "info" | "error";

/**
 * The line of an event, a JSON object. Signs that could begin a line or drive a terminal are
 * escaped in it, also those that JSON allows as they are; its readers get them back.
 *
 * @param fields further ones; those that are undefined are left out
 */
export function jsonLine(
  time: Date,
  level: LogLevel,
  fields: Readonly<Record<string, string | number | undefined>>,
): string {
  return escapeControls(JSON.stringify({ time: time.toISOString(), level, ...fields }));
}
