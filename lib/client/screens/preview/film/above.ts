/** Picture in picture: a film over other windows. */

/** Whether the browser can show a film over other windows by a button of the page. */
export function isOfferedAbove(): boolean {
  return document.pictureInPictureEnabled === true;
}

/** Puts a film over other windows, or back. */
export async function toggleAbove(element: HTMLVideoElement | null): Promise<void> {
  if (document.pictureInPictureElement) return await leaveAbove();
  // Refused by the browser, as for a film without pictures yet.
  await element?.requestPictureInPicture().catch(() => {});
}

/** Takes the window away, with the film in it: it would stay behind without pictures. */
export async function endAbove(element: HTMLVideoElement): Promise<void> {
  if (document.pictureInPictureElement === element) await leaveAbove();
}

/** Puts whatever is over other windows back. */
export async function leaveAbove(): Promise<void> {
  if (document.pictureInPictureElement) await document.exitPictureInPicture().catch(() => {});
}
