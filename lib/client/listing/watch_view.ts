/**
 * Calls back when an element is scrolled or resized.
 *
 * @returns a function that stops it
 */
export function watchView(box: HTMLElement, update: () => void): () => void {
  box.addEventListener("scroll", update, { passive: true });
  const resized = new ResizeObserver(update);
  resized.observe(box);
  return () => {
    box.removeEventListener("scroll", update);
    resized.disconnect();
  };
}
