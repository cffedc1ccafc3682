import { Eye, Pencil } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "../../../../../components/Menu.tsx";
import type { Present } from "../../../../shared/coediting.ts";
import type { TextRoom } from "../text_room.ts";

/** The most people whose initials are in the head. */
const MOST_CHIPS = 3;

const ID = "people-here";

interface PeopleProps {
  room: TextRoom;
  /** Shows a place of the text: an index. */
  onShow: (at: number) => void;
}

/** Who else is in the text: initials in the head, names in the list that they open. */
export function People({ room, onShow }: PeopleProps) {
  const { t, i18n: { language } } = useTranslation();
  const others = room.people.value.filter(({ self }) => !self);
  const news = useNews(others);
  const [first] = others;
  const names = others.map(({ name }) => name);
  const isEditing = others.some(({ right }) => right === "edit");
  const summary = first === undefined
    ? ""
    : names.length === 1
    ? t(isEditing ? "coediting.editing" : "coediting.following", { name: first.name })
    : t("coediting.here", { count: names.length });
  const list = new Intl.ListFormat(language, { type: "conjunction" }).format(names);
  return (
    <div className="people">
      <p className="unseen" role="status">{news}</p>
      {first && (
        <>
          <button
            type="button"
            className="people__open"
            popovertarget={ID}
            aria-haspopup="menu"
            aria-label={t("coediting.list", { names: list })}
            title={summary}
          >
            {others.slice(0, MOST_CHIPS).map((person) => <Chip key={person.id} {...person} />)}
            <More count={others.length - MOST_CHIPS} />
            <More count={others.length - 1} isNarrow />
            <span className="people__word" dir="auto">{summary}</span>
          </button>
          <Menu id={ID} label={t("coediting.people")} title={t("coediting.people")}>
            {room.people.value.map((person) => (
              <MenuItem
                key={person.id}
                glyph={person.right === "edit" ? Pencil : Eye}
                disabled={person.self}
                onClick={() => {
                  const at = room.placeOf(person.id);
                  if (at !== null) onShow(at);
                }}
              >
                <span className="people__person">
                  <Chip {...person} />
                  <span dir="auto">
                    {person.self ? t("coediting.you", { name: person.name }) : person.name}
                  </span>
                  <span className="people__right">
                    {person.right === "edit" ? t("coediting.mayEdit") : t("coediting.mayView")}
                  </span>
                </span>
              </MenuItem>
            ))}
          </Menu>
        </>
      )}
    </div>
  );
}

function Chip({ name, color }: Present) {
  return (
    <span className="people__chip" style={{ "--their": color }} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** How many are not among the chips; a narrow head has one chip. */
function More({ count, isNarrow }: { count: number; isNarrow?: boolean }) {
  return count > 0 && (
    <span className="people__chip people__more" data-narrow={isNarrow} aria-hidden="true">
      +{count}
    </span>
  );
}

/** The first letters of the first and of the last word of a name, as a reader counts letters. */
function initialsOf(name: string): string {
  // A guest is marked in brackets.
  const words = name.split(/[\s._@-]+/).filter((word) => /^[^(]/.test(word));
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  const letter = (word: string) => [...new Intl.Segmenter().segment(word)][0]?.segment ?? "";
  return `${letter(first)}${letter(last)}`.toLocaleUpperCase();
}

/** What a screen reader hears of those who come and go; nothing of those who were there before. */
function useNews(others: readonly Present[]): string {
  const { t } = useTranslation();
  const known = useRef<readonly Present[]>(others);
  const [news, setNews] = useState("");
  useEffect(() => {
    const before = known.current;
    known.current = others;
    const came = others.find(({ id }) => !before.some((one) => one.id === id));
    const left = before.find(({ id }) => !others.some((one) => one.id === id));
    if (came) setNews(t("coediting.came", { name: came.name }));
    else if (left) setNews(t("coediting.left", { name: left.name }));
  }, [others.map(({ id }) => id).join()]);
  return news;
}
