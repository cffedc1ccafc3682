import type { ReactNode } from "react";
import type { Colour, Look } from "./shell_ansi.ts";
import type { OutputLine, PromptLine } from "./shell_screen.ts";
import { ShellEnd } from "./ShellEnd.tsx";

/** What was typed, and how that ended. */
export function ShellTyped({ folder, text, end }: PromptLine) {
  return (
    <div className="terminal__typed">
      <span className="terminal__folder" dir="auto">{folder || "/"}</span>
      <span aria-hidden="true">$</span>
      <span className="terminal__command">{text}</span>
      {text !== "" && <ShellEnd end={end.value} />}
    </div>
  );
}

/** Lines of output in their colours. What is plain becomes one text, however many lines it has. */
export function ShellLines({ lines }: { lines: readonly OutputLine[] }) {
  const pieces: ReactNode[] = [];
  let plain = "";
  for (const { spans } of lines) {
    for (const { text, look } of spans) {
      const attributes = attributesOf(look);
      if (!attributes) plain += text;
      else {
        pieces.push(plain, <span key={pieces.length} {...attributes}>{text}</span>);
        plain = "";
      }
    }
    plain += "\n";
  }
  return <div className="terminal__lines">{pieces}{plain}</div>;
}

/** How a look is told to the style sheet; null for plain text. */
function attributesOf(look: Look) {
  const { inverse, hidden } = look;
  const [fg, bg] = inverse ? [look.bg, look.fg] : [look.fg, look.bg];
  // Of the 16, each is made to be read on the ground of the theme, not on another of them.
  const isReadable = bg === undefined || (typeof fg === "string" && typeof bg === "string");
  const words = [
    look.bold && "bold",
    look.dim && "dim",
    look.italic && "italic",
    look.underline && "underline",
    look.strike && "strike",
    fg !== undefined && isReadable && "coloured",
    bg !== undefined && "filled",
    inverse && bg === undefined && "inverse",
  ].filter(Boolean);
  if (words.length === 0 && !hidden) return null;
  const style: Record<string, string> = {};
  if (fg !== undefined) style["--fg"] = css(fg);
  if (bg !== undefined) style["--bg"] = css(bg);
  return { "data-look": words.join(" "), "data-hidden": hidden, style };
}

function css(colour: Colour): string {
  return typeof colour === "number" ? `var(--ansi-${colour})` : colour;
}
