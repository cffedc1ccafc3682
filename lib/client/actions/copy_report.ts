import { copyText } from "../core/copy_text.ts";

/**
 * Copies what helps to find out why something failed: the sentence, where and when it was shown, by
 * which version (where it is known), in which browser. The query of the address stays out, as it may hold a ticket.
 *
 * @returns whether it is on the clipboard
 */
export function copyReport(text: string, version: string): Promise<boolean> {
  const { origin, pathname } = location;
  const lines = [text, origin + pathname, new Date().toISOString(), `Cubby ${version}`.trim()];
  return copyText([...lines, navigator.userAgent].join("\n"));
}
