/**
 * Tells whenever another part of something that scrolls comes into view: it was scrolled, or has
 * another size.
 *
 * @returns the way to stop
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
