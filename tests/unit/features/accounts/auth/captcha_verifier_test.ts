import assert from "node:assert/strict";
import { isSolved } from "../../../../../lib/server/features/accounts/auth/captcha_verifier.ts";
import { startVerifier } from "../../../../support/services/verifier.ts";

Deno.test("isSolved() waits for no verifier longer than its limit, nor for the rest of an answer", async () => {
  await using verifier = startVerifier();
  const held = Promise.withResolvers<void>();
  const endless = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"success": true')),
  });
  const slow = [() => held.promise.then(() => new Response()), () => new Response(endless)];
  for (const instead of slow) {
    verifier.instead = instead;
    const notes: string[] = [];
    const note = (sentence: string) => void notes.push(sentence);
    assert.equal(await isSolved(verifier, "human-1", { note, limitMs: 100 }), false);
    assert.equal(
      notes.join(),
      `Cannot verify a captcha with ${verifier.host}: it takes too long`,
    );
  }
  held.resolve();
});
