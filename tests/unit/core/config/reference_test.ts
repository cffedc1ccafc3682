import assert from "node:assert/strict";
import { helpText, optionReference } from "../../../../lib/server/core/config/help.ts";
import {
  findOption,
  optionGroups,
  startOptions,
  variablesOf,
} from "../../../../lib/server/core/config/options.ts";

const page = new URL("../../../../docs/configuration-options.md", import.meta.url);
const update = "deno test -A tests/unit/core/config/reference_test.ts -- --update";

Deno.test("docs/configuration-options.md is what the declarations say", async () => {
  if (Deno.args.includes("--update")) await Deno.writeTextFile(page, optionReference());
  assert.equal(await Deno.readTextFile(page), optionReference(), `to write it: ${update}`);
});

Deno.test("an option's flag, variables and letter mean no other option", () => {
  const names = optionGroups.flatMap(({ options }) => Object.keys(options));
  assert.deepEqual(startOptions.map(({ name }) => name), [...new Set(names)]);
  for (const option of startOptions) {
    for (const variable of [option.name, ...variablesOf(option)]) {
      assert.equal(findOption(variable.replace(/^FB_/, ""))?.name, option.name, variable);
    }
  }
  const letters = startOptions.flatMap(({ short }) => short ?? []);
  assert.deepEqual(letters, [...new Set(letters)]);
});

Deno.test("a secret that a file may hold has an option for the file, whose path is hidden", () => {
  const withFile = startOptions.filter((option) => option.withFile);
  assert.ok(withFile.length > 0);
  for (const { name, secret } of withFile) {
    const file = findOption(`${name}-file`);
    assert.deepEqual([secret, file?.isPath, file?.isHidden], [true, true, true], name);
  }
});

Deno.test("the help shows each option with its default, and none of File Browser's alone", () => {
  const lines = helpText().split("\n");
  for (const { name, instead } of startOptions) {
    const shown = lines.filter((line) => line.slice(6).split(" ")[0] === `--${name}`);
    assert.equal(shown.length, instead === undefined ? 1 : 0, name);
  }
  assert.match(
    helpText(),
    /^ {2}-p, --port PORT +port to listen on; 0 picks a free one \(8080\)$/m,
  );
  assert.match(helpText(), /^ {6}--oidc-name NAME +.* \(its host\)$/m);
});
