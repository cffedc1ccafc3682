import type { Answer } from "./replay.ts";

/** The file with the answers of File Browser, which `record.ts` writes. */
export const recordedAnswers = new URL(
  "../../support/data/filebrowser/surface.json",
  import.meta.url,
).pathname;

/** Reads the answers of File Browser. */
export async function readRecorded(): Promise<{ version: string; answers: Map<string, Answer> }> {
  const { version, answers } = JSON.parse(await Deno.readTextFile(recordedAnswers));
  return { version, answers: new Map(Object.entries<Answer>(answers)) };
}
