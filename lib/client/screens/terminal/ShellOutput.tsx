import { memo, type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Block, OutputLine, PromptLine, ScreenLine, ShellScreen } from "./shell_screen.ts";
import { Spinner } from "../../../../components/Icon.tsx";
import type { Colour, TextStyle } from "./shell_ansi.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { CommandEnd } from "./shell_command.ts";

/** Within this distance of the end, in pixels, new output scrolls the screen. */
const NEAR_END = 32;

/** A block changes only while it is the last, so earlier ones are not rendered again. */
const OutputBlock = memo(function OutputBlock({ block }: { block: Block }) {
  return <div className="terminal__block">{drawn(block.lines)}</div>;
});

/** The lines, with consecutive output grouped. */
function drawn(lines: readonly ScreenLine[]): ReactNode[] {
  const parts: ReactNode[] = [];
  let output: OutputLine[] = [];
  const drawOutput = () => {
    if (output.length > 0) parts.push(<ShellLines key={parts.length} lines={output} />);
    output = [];
  };
  for (const line of lines) {
    if (line.kind === "output") {
      output.push(line);
      continue;
    }
    drawOutput();
    if (line.kind === "prompt") parts.push(<ShellTyped key={parts.length} {...line} />);
    else {
      const end = <ShellEnd end={line.end} />;
      parts.push(<div key={parts.length} className="terminal__typed">{end}</div>);
    }
  }
  drawOutput();
  return parts;
}

/** The commands and their output. It follows new output unless the user has scrolled up. */
export function ShellOutput({ screen }: { screen: ShellScreen }) {
  const { t } = useTranslation();
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const blocks = screen.blocks.value;
  const dropped = screen.dropped.value;

  useLayoutEffect(() => {
    const box = log.current;
    if (box && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [blocks]);

  return (
    <div
      ref={log}
      className="terminal__log"
      role="log"
      aria-label={t("shell.output")}
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
      }}
    >
      {dropped > 0 && <p className="terminal__dropped">{t("shell.dropped", { count: dropped })}</p>}
      {blocks.map((block) => <OutputBlock key={block.id} block={block} />)}
    </div>
  );
}

/** A typed command and its result. */
function ShellTyped({ folder, text, end }: PromptLine) {
  return (
    <div className="terminal__typed">
      <span className="terminal__folder" dir="auto">{folder || "/"}</span>
      <span aria-hidden="true">$</span>
      <span className="terminal__command">{text}</span>
      {text !== "" && <ShellEnd end={end.value} />}
    </div>
  );
}

/** Lines of output in their colours. Plain lines are joined to one text node. */
function ShellLines({ lines }: { lines: readonly OutputLine[] }) {
  const pieces: ReactNode[] = [];
  let plain = "";
  for (const { spans } of lines) {
    for (const { text, style } of spans) {
      const attributes = attributesOf(style);
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

/** The attributes that the style sheet uses for a style; null for plain text. */
function attributesOf(style: TextStyle) {
  const { inverse, hidden } = style;
  const [fg, bg] = inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  // Each of the 16 colours is legible on the theme's background, but not on one another.
  const isReadable = bg === undefined || (typeof fg === "string" && typeof bg === "string");
  const words = [
    style.bold && "bold",
    style.dim && "dim",
    style.italic && "italic",
    style.underline && "underline",
    style.strike && "strike",
    fg !== undefined && isReadable && "coloured",
    bg !== undefined && "filled",
    inverse && bg === undefined && "inverse",
  ].filter(Boolean);
  if (words.length === 0 && !hidden) return null;
  const colours: Record<string, string> = {};
  if (fg !== undefined) colours["--fg"] = css(fg);
  if (bg !== undefined) colours["--bg"] = css(bg);
  return { "data-style": words.join(" "), "data-hidden": hidden, style: colours };
}

function css(colour: Colour): string {
  return typeof colour === "number" ? `var(--ansi-${colour})` : colour;
}

/** The result of a command beside its line; a spinner while it runs. */
function ShellEnd({ end }: { end: CommandEnd | null }) {
  const { t } = useTranslation();
  if (end === null) return <Spinner label={t("shell.running")} />;
  const good = end.is === "exited" && end.status === 0;
  return <span className="terminal__end" data-good={good || undefined}>{endText()}</span>;

  function endText(): string {
    switch (end?.is) {
      case "exited":
        return t("shell.status", { status: end.status });
      case "failed":
        return t("shell.failed", { reason: reasonOf(t, end.why) });
      case "refused":
        return t("shell.refused");
      case "stopped":
        return t("shell.stopped");
      case "session":
        return t("errors.not_signed_in");
      default:
        return t("shell.broken");
    }
  }
}
