import type { ScreenLine } from "../../lib/client/shell_screen.ts";
import type { Colour, Look } from "../../lib/client/shell_ansi.ts";
import { ShellEnd } from "./ShellEnd.tsx";

/** One line of the screen: what was typed, or a line of output in its colours. */
export function ShellLine({ line }: { line: ScreenLine }) {
  if (line.kind === "prompt") {
    return (
      <div className="terminal__typed">
        <span className="terminal__folder" dir="auto">{line.folder || "/"}</span>
        <span aria-hidden="true">$</span>
        <span className="terminal__command">{line.text}</span>
        {line.text !== "" && <ShellEnd end={line.end.value} />}
      </div>
    );
  }
  if (line.kind === "end") {
    return (
      <div className="terminal__typed">
        <ShellEnd end={line.end} />
      </div>
    );
  }
  return (
    <div className="terminal__line">
      {line.spans.map(({ text, look }, index) => {
        const attributes = attributesOf(look);
        return attributes ? <span key={index} {...attributes}>{text}</span> : text;
      })}
      {line.spans.length === 0 && "\n"}
    </div>
  );
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
