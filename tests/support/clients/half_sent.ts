import { delay } from "../../../lib/shared/delay.ts";

/**
 * A body of which the second half comes after something else has happened: once the server has
 * begun to take it.
 *
 * @param folder of the disk in which the upload's temporary file appears
 * @param meanwhile what happens between the halves
 */
export function halfSent(
  folder: string,
  meanwhile: () => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const halves = ["half ", "done"].map((half) => new TextEncoder().encode(half));
  return new ReadableStream({
    async pull(controller) {
      const half = halves.shift();
      if (!half) return controller.close();
      if (halves.length === 0) {
        while (!isTaken(folder)) await delay(5);
        await meanwhile();
      }
      controller.enqueue(half);
    },
  }, { highWaterMark: 0 });
}

function isTaken(folder: string): boolean {
  return [...Deno.readDirSync(folder)].some(({ name }) => name.startsWith(".cubby-upload-"));
}
