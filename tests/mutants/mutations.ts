import { codeOnly } from "./code_only.ts";

/** A fault of one line that a test should notice. */
export interface Mutation {
  /** The kind of fault. */
  kind: string;
  /** Counted from 1. */
  line: number;
  before: string;
  /** Empty where the line is left out. */
  after: string;
}

/** Replaces what a pattern finds in the code of a line, once for each place. */
interface Swap {
  kind: string;
  pattern: RegExp;
  by: (found: string) => string;
}

const comparisons: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const opposites: Record<string, string> = {
  ...{ "===": "!==", "!==": "===", "&&": "||", "||": "&&", "true": "false", "false": "true" },
  ...{ min: "max", max: "min", some: "every", every: "some" },
};
const opposite = (found: string) => opposites[found] ?? found;

const swaps: readonly Swap[] = [
  { kind: "bound", pattern: /(?<= )(?:<=?|>=?)(?= )/g, by: (found) => comparisons[found] ?? found },
  { kind: "equality", pattern: /(?<= )[!=]==(?= )/g, by: opposite },
  { kind: "logic", pattern: /(?<= )(?:&&|\|\|)(?= |$)/g, by: opposite },
  { kind: "off by one", pattern: / [+-] 1(?![\d_.n])/g, by: () => "" },
  { kind: "negation", pattern: /(?<![\w)\]])!(?=[\w(])/g, by: () => "" },
  {
    kind: "truth",
    pattern: /(?<=(?:return|[=?:(,]|=>) )(?:true|false)(?=[;,) ]|$)/g,
    by: opposite,
  },
  { kind: "extreme", pattern: /(?<=\bMath\.)(?:min|max)(?=\()/g, by: opposite },
  { kind: "quantifier", pattern: /(?<=\.)(?:some|every)(?=\()/g, by: opposite },
  {
    kind: "constant",
    pattern: /(?<=^\s*(?:export )?const \w+ = )[\d_]+(?= \*|;)/g,
    by: (found) => String(Number(found.replaceAll("_", "")) * 3 + 1),
  },
];

/** Statements that a line holds whole, so that it can be left out. */
const statements: Record<string, RegExp> = {
  guard: /^\s*if \(.*\) (?:throw|return|continue|break)\b.*;\s*$/,
  call: /^\s*(?:await )?(?:this\.)?#?[a-z][\w$]*(?:[?!]?\.#?[\w$]+)*\(.*\);\s*$/i,
};

/** Words that begin another statement than a call. */
const otherStatement = /^\s*(?:if|for|while|switch|return|throw|import|export|super|constructor)\b/;

/** All mutations of a source, in the order of its lines. */
export function mutationsOf(source: string): Mutation[] {
  const lines = source.split("\n");
  const codeLines = withoutTypes(codeOnly(source).split("\n"));
  return codeLines.flatMap((code, index) => {
    const before = lines[index] ?? "";
    return aftersOf(before, code).map(([kind, after]) => ({
      ...{ kind, line: index + 1, before, after },
    }));
  });
}

/** The source with a mutation in it. */
export function mutate(source: string, { line, after }: Mutation): string {
  const lines = source.split("\n");
  lines[line - 1] = after;
  return lines.join("\n");
}

function aftersOf(before: string, code: string): [kind: string, after: string][] {
  const swapped = swaps.flatMap(({ kind, pattern, by }) =>
    [...code.matchAll(pattern)].map(({ 0: found, index }): [string, string] => [
      kind,
      before.slice(0, index) + by(found) + before.slice(index + found.length),
    ])
  );
  const isBalanced = count(code, "(") === count(code, ")") && count(code, "{") === count(code, "}");
  const dropped = Object.entries(statements).filter(([kind, pattern]) =>
    isBalanced && pattern.test(code) && (kind === "guard" || !otherStatement.test(code))
  );
  return [...swapped, ...dropped.map(([kind]): [string, string] => [kind, ""])];
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** Blanks imports and the declarations of types, which do nothing when the code runs. */
function withoutTypes(lines: readonly string[]): string[] {
  let end: RegExp | null = null;
  let depth = 0;
  return lines.map((line) => {
    const [, word] = /^\s*(?:export )?(?:declare )?(interface|type) \w/.exec(line) ?? [];
    if (word) end ??= word === "type" ? /;\s*$/ : /\}\s*$/;
    if (!end) return /^\s*import\b/.test(line) ? "" : line;
    depth += count(line, "{") - count(line, "}");
    if (depth === 0 && end.test(line)) end = null;
    return "";
  });
}
