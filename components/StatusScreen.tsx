import type { IconNode } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

interface StatusScreenProps {
  glyph: IconNode;
  look?: "calm" | "error";
  /** "h1" where nothing else is the heading of the page. */
  heading?: "h1" | "h2";
  title: string;
  /** The HTTP status, set large behind the words of an error. */
  code?: number;
  text?: string;
  /** Ways out: links and buttons. */
  children?: ReactNode;
}

/** A whole area that holds a message in place of its content: empty, missing, refused, broken. */
export function StatusScreen(
  { glyph, look = "calm", heading: Heading = "h2", title, code, text, children }: StatusScreenProps,
) {
  return (
    <div className="status" data-look={look}>
      <span className="status__sign">
        <Icon glyph={glyph} />
      </span>
      {code !== undefined && <p className="status__code">{code}</p>}
      <Heading className="status__title">{title}</Heading>
      {text && <p className="status__text">{text}</p>}
      {children && <div className="status__ways">{children}</div>}
    </div>
  );
}
