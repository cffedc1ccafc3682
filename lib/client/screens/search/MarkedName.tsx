import { endOf } from "../../files_page/listing/EntryRow.tsx";
import { type NamePart, partsOf, type Terms } from "./search_query.ts";

interface MarkedNameProps {
  /** The name as it is shown. */
  name: string;
  /** Those that it was matched against. */
  terms: Terms;
  /** The characters that are nearly always in view: see `EntryName`. */
  room: number;
}

/** A name whose matches are marked, cut in the middle where it is too long. */
export function MarkedName({ name, terms, room }: MarkedNameProps) {
  const parts = partsOf(name, terms);
  const whole = parts.map(({ text }) => text).join("");
  const end = endOf(whole, room);
  if (end === "") return <Marks parts={parts} />;
  const cut = whole.length - end.length;
  return (
    <span className="long">
      <Marks parts={parts} />
      <i className="long__cut" aria-hidden="true">
        <DrawnParts className="long__start" parts={within(parts, 0, cut)} />
        <DrawnParts parts={within(parts, cut, whole.length)} />
      </i>
    </span>
  );
}

interface MarksProps {
  parts: readonly NamePart[];
}

/** A text with its matches marked. */
export function Marks({ parts }: MarksProps) {
  return (
    <>
      {parts.map(({ text, hit }, position) => hit ? <mark key={position}>{text}</mark> : text)}
    </>
  );
}

/** Parts that the style sheet draws: they are no text, which is there already. */
function DrawnParts({ className, parts }: MarksProps & { className?: string }) {
  return (
    <b className={className}>
      {parts.map(({ text, hit }, position) => (
        <b key={position} data-text={text} data-hit={hit || undefined} />
      ))}
    </b>
  );
}

/** The parts of a text from one place to another. */
function within(parts: readonly NamePart[], from: number, to: number): NamePart[] {
  let at = 0;
  return parts.flatMap(({ text, hit }) => {
    const cut = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += text.length;
    return cut === "" ? [] : [{ text: cut, hit }];
  });
}
