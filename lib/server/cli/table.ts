/** Lines of a table with aligned columns, for a terminal. */
export function tableLines(head: readonly string[], rows: readonly string[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? "")].length))
  );
  return all.map((row) =>
    row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length))
      .join("  ").trimEnd()
  );
}
