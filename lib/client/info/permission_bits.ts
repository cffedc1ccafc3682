/** Permission bits as `ls` shows them, and as `chmod` takes them: "rwxr-xr-x (755)". */
export function formatPermissions(mode: number): string {
  const letters = [6, 3, 0].map((shift) => {
    const bits = (mode >> shift) & 7;
    return (bits & 4 ? "r" : "-") + (bits & 2 ? "w" : "-") + (bits & 1 ? "x" : "-");
  });
  return `${letters.join("")} (${(mode & 0o777).toString(8).padStart(3, "0")})`;
}
