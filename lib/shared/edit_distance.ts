/** The number of mistypings that a name of this length is still recognised with. */
export function maxDistance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** Counts the letters to insert, remove, replace or swap with their neighbour between two texts. */
export function editDistance(from: string, to: string): number {
  let earlier: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (earlier[column - 2] ?? 0) + 1 : Infinity,
      ));
    }
    [earlier, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
