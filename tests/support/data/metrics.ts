import assert from "node:assert/strict";

const help = /^# HELP ([a-z_]+) \S.*$/;
const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/;
const label = String.raw`[a-z_]+="(?:[^"\\]|\\["\\n])*"`;
const sample = new RegExp(String.raw`^([a-z_]+)(\{${label}(?:,${label})*\})? (\S+)$`);

/**
 * Reads the text format of Prometheus strictly: the samples by name and labels.
 *
 * @throws AssertionError when a line is in no such form, a family is told twice or a sample stands
 * outside of its family
 */
export function samplesOf(text: string): Map<string, number> {
  assert.ok(text.endsWith("\n"));
  const samples = new Map<string, number>();
  const seen = new Set<string>();
  let family = "";
  let kind = "";
  for (const line of text.trimEnd().split("\n")) {
    const named = help.exec(line)?.[1];
    const typed = type.exec(line);
    if (named !== undefined) {
      assert.ok(!seen.has(named), line);
      seen.add(named);
      family = named;
      kind = "";
    } else if (typed) {
      assert.equal(typed[1], family, line);
      kind = typed[2] ?? "";
    } else {
      const [, name = "", labels = "", value = ""] = sample.exec(line) ?? assert.fail(line);
      const plain = kind === "histogram" ? name.replace(/_(bucket|sum|count)$/, "") : name;
      assert.equal(plain, family, line);
      assert.notEqual(kind, "", line);
      assert.ok(Number.isFinite(Number(value)), line);
      assert.ok(!samples.has(name + labels), line);
      samples.set(name + labels, Number(value));
    }
  }
  return samples;
}
