/** Characters after which a slash begins a regular expression and does not divide. */
const beforePattern =
  /(?:^|[(,=:[!&|?{};+<>~^%*-]|=>|\b(?:return|case|typeof|await|in|of|else))\s*$/;

const pieces: Record<string, RegExp> = {
  "//": /\/\/[^\n]*/y,
  "/*": /\/\*[^]*?\*\//y,
  '"': /"(?:[^"\\\n]|\\.)*"/y,
  "'": /'(?:[^'\\\n]|\\.)*'/y,
  "`": /`(?:[^`\\]|\\[^])*`/y,
  "/": /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
};

/**
 * A source with each character of its comments, texts and regular expressions replaced by a space:
 * what is left is code, at the same places. A template is blanked with the code in it.
 */
export function codeOnly(source: string): string {
  let code = "";
  for (let at = 0; at < source.length;) {
    const piece = pieces[source.slice(at, at + 2)] ?? pieces[source[at] ?? ""];
    const found = piece && matchAt(piece, source, at);
    const isDivision = source[at] === "/" && piece === pieces["/"] && !beforePattern.test(code);
    if (found === undefined || isDivision) code += source[at++];
    else {
      code += found.replace(/[^\n]/g, " ");
      at += found.length;
    }
  }
  return code;
}

function matchAt(piece: RegExp, source: string, at: number): string | undefined {
  piece.lastIndex = at;
  return piece.exec(source)?.[0];
}
