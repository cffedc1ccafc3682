import assert from "node:assert/strict";
import { DomainError } from "../../../lib/shared/errors.ts";
import { jobRequestSchema } from "../../../lib/shared/schemas/job.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { Pauses } from "../../../lib/server/core/concurrency/pauses.ts";
import { type JobBody, readJobBody } from "../../../lib/server/http/jobs/job_body.ts";
import { character, fc } from "../../support/run/property.ts";

const encoder = new TextEncoder();
const readText = (text: string) => readJobBody(encoder.encode(text), new Pauses());

/** What a body means when it is parsed and checked at once; null when it is refused. */
function readAtOnce(text: string): JobBody | null {
  try {
    // A decoder drops a byte order mark at the start, and nowhere else.
    return read(jobRequestSchema, JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return null;
  }
}

async function readInSlices(text: string): Promise<JobBody | null> {
  try {
    return await readText(text);
  } catch (error) {
    assert.ok(error instanceof DomainError, String(error));
    return null;
  }
}

const word = fc.string({ unit: fc.oneof(character, fc.constantFrom(...'"\\,:{}[] \n')) });
const entry = fc.record(
  {
    path: word,
    destination: word,
    override: fc.boolean(),
    names: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: ["path"] },
);
const body = fc.record({
  action: fc.constantFrom("copy", "trash", "archive"),
  entries: fc.array(entry, { maxLength: 5 }),
}).map((value) =>
  value.action === "trash" ? value : { entries: value.entries, action: value.action }
);
const text = fc.tuple(body, fc.constantFrom(0, 1)).map(([value, space]) =>
  JSON.stringify(value, null, space)
);

Deno.test("a body in slices means what it means when it is parsed at once", async () => {
  await fc.assert(fc.asyncProperty(text, async (text) => {
    assert.deepEqual(await readText(text), readAtOnce(text));
  }));
});

Deno.test("a body with a fault anywhere is refused in slices as it is at once", async () => {
  const fault = fc.record({
    text,
    at: fc.nat(),
    length: fc.nat(2),
    put: fc.oneof(fc.constantFrom(...'"\\,:{}[]1 ', "\ufeff", "[]", "{}", ",,"), character),
  });
  await fc.assert(
    fc.asyncProperty(fault, async ({ text, at, length, put }) => {
      const start = at % (text.length + 1);
      const changed = text.slice(0, start) + put + text.slice(start + length);
      // A lone surrogate has no bytes of its own.
      const sent = changed.toWellFormed();
      assert.deepEqual(await readInSlices(sent), readAtOnce(sent), sent);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a name that is written with escapes is the same, and one that comes twice is refused", async () => {
  const list = '[{"path":"/a"},{"path":"/b"}]';
  const escaped = `{"action":"trash","${"\\u0065\\u006e"}tries":${list}}`;
  assert.deepEqual(await readText(escaped), readAtOnce(escaped));
  await assert.rejects(readText(`{"action":"trash","entries":${list},"entries":${list}}`), {
    code: "invalid_body",
  });
  for (const end of ["}", "]]", "", ",]", " , , ]"]) {
    const broken = `{"action":"trash","entries":${list.slice(0, -1)}${end}}`;
    await assert.rejects(readText(broken), { code: "invalid_json" }, broken);
  }
});

Deno.test("a fault in one of very many entries is named by its number", async () => {
  const entries: unknown[] = Array.from({ length: 9_000 }, (_, index) => ({ path: `/${index}` }));
  entries[8_765] = { path: 1 };
  await assert.rejects(readText(JSON.stringify({ action: "trash", entries })), {
    code: "invalid_body",
    message: "Cannot read entries[8765].path: it must be a path",
  });
});
