/**
 * How often properties are tried: importing this makes 25 runs the usual number, and a quarter of
 * any other that is asked for by {@linkcode runs}. With `CI` in the environment it is all of them:
 * 100, unless a test says otherwise.
 */
import fc from "fast-check";

const isThorough = Boolean(Deno.env.get("CI"));

/** For `numRuns` of a property: all of a number with `CI` in the environment, else a quarter. */
export function runs(count: number): number {
  return isThorough ? count : Math.ceil(count / 4);
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(100) });

/** Where the surrogates lie among the code points, and how many there are. */
const [surrogates, surrogateCount] = [0xd800, 0x800];

/**
 * Any one code point but surrogates: the unit of strings of any text, as fast-check's own "binary",
 * which makes a table of all of them first and takes a second and a half for that.
 */
export const character: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogateCount).map(
  (index) => String.fromCodePoint(index < surrogates ? index : index + surrogateCount),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code) || !text.isWellFormed()) {
      throw new Error("Cannot take this for one character");
    }
    return code < surrogates ? code : code - surrogateCount;
  },
);

export { fc };
