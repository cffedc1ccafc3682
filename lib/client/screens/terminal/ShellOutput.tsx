import { memo, type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Block, OutputLine, ScreenLine, ShellScreen } from "./shell_screen.ts";
import { ShellEnd, ShellLines, ShellTyped } from "./ShellLines.tsx";

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
