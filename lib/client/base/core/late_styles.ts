/** The element of the first style sheet, which names the late one. */
const FIRST_SHEET = "link[data-late]";

let loading: Promise<void> | undefined;

/**
 * Loads the styles of late code, once: code that shows something waits for them, so that nothing is
 * seen without its styles. Outside of a page there are none.
 *
 * @throws Error when they cannot be loaded; the next call tries again
 */
export function lateStyles(): Promise<void> {
  const first = globalThis.document?.querySelector<HTMLLinkElement>(FIRST_SHEET);
  return first ? loading ??= load(first) : Promise.resolve();
}

async function load(first: HTMLLinkElement): Promise<void> {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = first.dataset.late ?? "";
  try {
    await new Promise((resolve, reject) => {
      sheet.onload = resolve;
      sheet.onerror = () => reject(new Error(`Cannot load "${sheet.href}"`));
      // Before styles of the branding, which may override any.
      first.after(sheet);
    });
  } catch (error) {
    sheet.remove();
    loading = undefined;
    throw error;
  }
}
