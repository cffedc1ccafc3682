/**
 * A reason why the server does not start, in one sentence for the person who started it. It ends
 * the process with status 2 and no stack.
 */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
