/**
 * Runs a test as if it were later: the clock that the application reads goes ahead. Only for what
 * no test can wait for, such as the end of a token's life.
 */
export async function atLater(ms: number, test: () => Promise<unknown>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + ms;
  try {
    await test();
  } finally {
    Date.now = now;
  }
}
