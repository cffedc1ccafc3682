import { Eye, Pencil } from "lucide";
import type { TFunction } from "i18next";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "../../../../../components/Menu.tsx";
import type { Present } from "../../../../shared/coediting.ts";
import { guestName } from "../../../../shared/visitor_name.ts";
import type { TextRoom } from "../text_room.ts";

/** The most people whose initials are in the head. */
const MOST_CHIPS = 3;

/** How much of a visitor's name is in the head, in characters: the mark behind it is not cut off. */
const MOST_OF_NAME = 16;

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
  const names = others.map((person) => nameOf(t, person));
  const isEditing = others.some(({ right }) => right === "edit");
  const summary = first === undefined
    ? ""
    : names.length === 1
    ? t(isEditing ? "coediting.editing" : "coediting.following", {
      name: nameOf(t, first, MOST_OF_NAME),
    })
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
            {others.slice(0, MOST_CHIPS).map((person) => <Chip key={person.id} person={person} />)}
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
                  <Chip person={person} />
                  <span dir="auto">
                    {person.self
                      ? t("coediting.you", { name: nameOf(t, person) })
                      : nameOf(t, person)}
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

function Chip({ person: { name, guest, color } }: { person: Present }) {
  const { t } = useTranslation();
  return (
    <span
      className="people__chip"
      style={{ "--their": color }}
      data-guest={guest}
      aria-hidden="true"
    >
      {initialsOf(guest && name === "" ? guestName(t, name) : name)}
    </span>
  );
}

/** How somebody is called: a visitor never as a user. @param most of a visitor's name, in characters */
function nameOf(t: TFunction, { name, guest }: Present, most = Infinity): string {
  if (!guest) return name;
  const letters = [...name];
  return guestName(t, letters.length <= most ? name : `${letters.slice(0, most).join("")}…`);
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
  // What stands in brackets is a remark.
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
    if (came) setNews(t("coediting.came", { name: nameOf(t, came) }));
    else if (left) setNews(t("coediting.left", { name: nameOf(t, left) }));
  }, [others.map(({ id }) => id).join()]);
  return news;
}
