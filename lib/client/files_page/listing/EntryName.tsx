/** The most characters of an extension that stays, with its dot. */
const LONGEST_EXTENSION = 10;

/**
 * The most characters before the extension that stay: a number in brackets, the last digits of a
 * date. Fewer where there is little room, so that the start is not lost for them.
 */
const KEPT = 6;

/** Letters that can stand apart: no combining marks, no letters that join their neighbours. */
const APART = /^[ -~\u00a0-\u02af\u0391-\u0482\u048a-\u058f\u3041-\u30ff\u4e00-\u9fff]*$/;

/**
 * The end of a name, which stays when the name is cut: the extension with some characters before
 * it. "" for names that are short, or cut at their end.
 *
 * @param room the characters that are nearly always in view
 */
export function endOf(name: string, room: number): string {
  if (name.length <= room) return "";
  const dot = name.lastIndexOf(".");
  const from = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? dot : name.length;
  const end = name.slice(from - Math.min(KEPT, Math.ceil(room / 4)));
  if (APART.test(end)) return end;
  const extension = name.slice(from);
  return APART.test(extension) ? extension : "";
}

interface EntryNameProps {
  /** The name as it is shown. */
  name: string;
  /** The characters that are nearly always in view: shorter names cost no elements. */
  room: number;
}

/**
 * A name that is cut in the middle where it is too long, so that its extension stays. The whole
 * name is one text, which find-in-page and screen readers know; the style sheet draws the cut name
 * over it when the text takes a second line.
 */
export function EntryName({ name, room }: EntryNameProps) {
  const end = endOf(name, room);
  if (end === "") return <>{name}</>;
  return (
    <span className="long">
      {name}
      <i
        className="long__cut"
        aria-hidden="true"
        data-start={name.slice(0, -end.length)}
        data-end={end}
      />
    </span>
  );
}
