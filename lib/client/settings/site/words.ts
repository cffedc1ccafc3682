/** The words of a line, as they were typed between spaces. */
export function wordsIn(line: string): string[] {
  return line.trim().split(/\s+/).filter((word) => word !== "");
}

/** The lines of a text that say something. */
export function linesIn(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
