/**
 * Has the browser save what lies at an address of this site. A link with `download` does not leave
 * the page, so the warning about uploads under way does not appear.
 */
export function saveFrom(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
