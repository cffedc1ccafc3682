/**
 * A reason why the server does not start, in one sentence for the user. It ends the process with
 * status 2 and without a stack trace.
 */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}

/**
 * A refusal of options that need another one, which the server alone may be given: they can be
 * stored, but the server does not start with them.
 */
export class UnmetNeed extends StartRefusal {}

/**
 * Runs a program; a refusal ends it with one line and status 2, and so does an error of the system,
 * such as a full disk.
 *
 * @param action what the program cannot do then
 */
export async function refuseInOneLine(
  work: () => Promise<void>,
  action = "Cannot start",
): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(refusalOf(error, action).message);
    Deno.exit(2);
  }
}

/**
 * A refusal, or an error of the system as one: a full disk, a missing right, a program that is not
 * there.
 *
 * @throws any other error, as it is
 */
export function refusalOf(error: unknown, action: string): StartRefusal {
  if (error instanceof StartRefusal) return error;
  if (!isOfSystem(error)) throw error;
  const [line = ""] = error.message.split("\n");
  return new StartRefusal(`${action}: ${line.charAt(0).toLowerCase()}${line.slice(1)}`);
}

/** Deno has classes for common errors of the system, and a code for each of them. */
function isOfSystem(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return "code" in error && /^E[A-Z0-9]+$/.test(String(error.code)) ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
}
