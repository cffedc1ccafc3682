import { DomainError } from "../../shared/errors.ts";
import { examine } from "./doctor/examine.ts";
import type { Finding } from "./doctor/finding.ts";
import type { Call, Command } from "./command.ts";

/** The command that checks the store against the disk. */
export const doctorCommand: Command = {
  name: "doctor",
  words: "",
  about: "compare the store with the disk; --fix repairs it",
  flags: [{ name: "fix" }],
  async run({ words, flags, records, print }: Call) {
    if (words.length > 0) {
      throw new DomainError("invalid_option", `Cannot use "${words[0]}": doctor takes only flags`);
    }
    const gate = await records.openGate(true);
    if ((await records.users.list()).length === 0) {
      throw new DomainError(
        "invalid_option",
        "Cannot check the store: it has no users, so it may be the wrong one; --database names it",
      );
    }
    const isFixing = flags.get("fix") === "true";
    const counts: Counts = { found: 0, mended: 0, mendable: 0, unchecked: 0 };
    print(`Checking ${gate.spec().root}`);
    const context = { store: records.store, gate, startedAt: Date.now() };
    for await (const { what, repair } of examine(context)) {
      if (repair === "not checked") counts.unchecked++;
      else counts.found++;
      if (typeof repair === "function") counts.mendable++;
      const result = isFixing ? await mend(repair) : typeof repair === "function" ? "" : repair;
      if (result === "mended") counts.mended++;
      print(result === "" ? what : `${what} - ${result}`);
    }
    print(summaryOf(counts, isFixing));
    return counts.found > counts.mended ? 1 : 0;
  },
};

/** Mends, and says in a few words with what result. */
async function mend(repair: Finding["repair"]): Promise<string> {
  if (typeof repair !== "function") return repair;
  try {
    return await repair() ? "mended" : "not repaired: it has changed";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `not repaired: ${error.message}`;
  }
}

interface Counts {
  /** Not those that could not be checked. */
  found: number;
  mended: number;
  mendable: number;
  unchecked: number;
}

function summaryOf({ found, mended, mendable, unchecked }: Counts, isFixing: boolean): string {
  const parts = [`Found: ${found}`];
  if (isFixing) parts.push(`mended: ${mended}`);
  else if (found > 0) parts.push(`--fix repairs: ${mendable}`);
  if (unchecked > 0) parts.push(`not checked: ${unchecked}`);
  return parts.join("; ");
}
