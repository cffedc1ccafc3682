import assert from "node:assert/strict";
import {
  MOST_LINES,
  ShellScreen,
} from "../../../../../lib/client/screens/terminal/shell_screen.ts";

function textsOf(screen: ShellScreen): string[] {
  return screen.blocks.value.flatMap(({ lines }) =>
    lines.map((line) =>
      line.kind === "output"
        ? line.spans.map(({ text }) => text).join("")
        : line.kind === "prompt"
        ? `$ ${line.text}`
        : `(${line.end.is})`
    )
  );
}

Deno.test("the last lines are kept, and how many were dropped is told", () => {
  const screen = new ShellScreen();
  for (let line = 0; line < MOST_LINES + 1_234; line++) screen.print(`line ${line}`);
  screen.flush();
  const texts = textsOf(screen);
  assert.ok(texts.length >= MOST_LINES && texts.length <= MOST_LINES + 100, `${texts.length}`);
  assert.equal(texts.at(-1), `line ${MOST_LINES + 1_233}`);
  assert.equal(screen.dropped.value, MOST_LINES + 1_234 - texts.length);
  assert.equal(texts[0], `line ${screen.dropped.value}`);
  screen.clear();
  assert.deepEqual(textsOf(screen), []);
  assert.equal(screen.dropped.value, 0);
});

Deno.test("blocks that are full stay the same objects, so that they are not drawn again", () => {
  const screen = new ShellScreen();
  for (let line = 0; line < 250; line++) screen.print(`line ${line}`);
  screen.flush();
  const [first, second, last] = screen.blocks.value;
  screen.print("more");
  screen.flush();
  assert.equal(screen.blocks.value[0], first);
  assert.equal(screen.blocks.value[1], second);
  assert.notEqual(screen.blocks.value[2], last);
  assert.equal(screen.blocks.value[2]?.id, last?.id);
});

Deno.test("a prompt is shown at once, and its command's colours begin anew", () => {
  const screen = new ShellScreen();
  screen.print("\x1b[31mred");
  screen.prompt("docs", "ls");
  screen.print("plain");
  screen.flush();
  assert.deepEqual(textsOf(screen), ["red", "$ ls", "plain"]);
  const line = screen.blocks.value[0]?.lines[2];
  assert.deepEqual(line?.kind === "output" && line.spans[0]?.style, {});
});

Deno.test("how a command ended is told at its prompt, and below an output that is long", () => {
  const screen = new ShellScreen();
  for (const [command, lines] of [["short", 3], ["long", 30]] as const) {
    screen.prompt("docs", command);
    for (let line = 0; line < lines; line++) screen.print(`line ${line}`);
    screen.end({ is: "exited", status: 0 });
  }
  const texts = textsOf(screen);
  assert.deepEqual(texts.slice(3, 6), ["line 2", "$ long", "line 0"]);
  assert.deepEqual(texts.slice(-2), ["line 29", "(exited)"]);
  const ends = screen.blocks.value.flatMap(({ lines }) =>
    lines.map((line) => line.kind === "prompt" && line.end.value?.is)
  );
  assert.deepEqual(ends.filter(Boolean), ["exited", "exited"]);
});
