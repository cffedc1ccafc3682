import type { ReactNode } from "react";
import { useTranslation } from "../core/use_translation.ts";

interface CardProps {
  /** Names the elements that belong together, once a page. */
  id: string;
  title: string;
  text?: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** Buttons at the end. */
  acts?: ReactNode;
  children: ReactNode;
}

/** A part of the settings under a heading of its own. */
export function Card({ id, title, text, aside, acts, children }: CardProps) {
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className={aside ? "card__head card__head--acts" : "card__head"}>
        <h2 className="card__title" id={`${id}-title`}>{title}</h2>
        {text && <p className="card__text">{text}</p>}
        {aside}
      </div>
      {children}
      {acts && <div className="card__acts">{acts}</div>}
    </section>
  );
}

interface TableCardProps {
  id: string;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** The heads of the columns, but for the last: what can be done with each line. */
  columns: readonly string[];
  /** The lines. */
  children: ReactNode;
}

/** A table in a card of its own. */
export function TableCard({ columns, children, ...card }: TableCardProps) {
  const { t } = useTranslation();
  return (
    <Card {...card}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((words) => <th key={words} scope="col">{words}</th>)}
            <th scope="col">
              <span className="unseen">{t("settings.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  );
}
