/**
 * A reason why the server does not start, in one sentence for the user. It ends the process with
 * status 2 and without a stack trace.
 */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}

/** Runs a program; a refusal ends it with one line and status 2. */
export async function refuseInOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
