import { copyText } from "../../base/core/copy_text.ts";

/**
 * Copies a link that the server is still making. Safari lets a page write to the clipboard only if
 * that begins with the press of the button, so the link is handed over as a promise.
 *
 * @param link null when none is made
 * @returns whether it was copied
 */
export async function copyLink(link: Promise<string | null>): Promise<boolean> {
  if (typeof ClipboardItem === "undefined" || !globalThis.navigator?.clipboard?.write) {
    const text = await link;
    return text !== null && await copyText(text);
  }
  const blob = link.then(asBlob);
  // A browser that refuses at once never looks at it.
  blob.catch(() => {});
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

function asBlob(text: string | null): Blob {
  if (text === null) throw new Error("Cannot copy the link: none was made");
  return new Blob([text], { type: "text/plain" });
}
