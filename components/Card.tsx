import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface CardProps {
  /** The id, which links lead to, and prefix of further ones: unique on the page. */
  id: string;
  title: string;
  text?: string;
  /** Shown beside the title. */
  aside?: ReactNode;
  /** Buttons at the end. */
  acts?: ReactNode;
  children: ReactNode;
}

/** A section of the settings with a heading. */
export function Card({ id, title, text, aside, acts, children }: CardProps) {
  return (
    <section className="card" id={id} aria-labelledby={`${id}-title`}>
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

/** The parts of a table in a card. */
export interface TableCardProps {
  id: string;
  title: string;
  text?: string;
  /** Shown beside the title. */
  aside?: ReactNode;
  /** The column heads; the last column, of actions, has none. */
  columns: readonly string[];
  /** There is no column of actions. */
  plain?: boolean;
  /** Buttons at the end. */
  acts?: ReactNode;
  /** What the rows are searched by. */
  filter?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

/** A table in a card of its own. */
export function TableCard({ columns, plain = false, filter, children, ...card }: TableCardProps) {
  const { t } = useTranslation();
  return (
    <Card {...card}>
      {filter}
      <table className="table">
        <thead>
          <tr>
            {columns.map((words) => <th key={words} scope="col">{words}</th>)}
            {!plain && (
              <th scope="col">
                <span className="unseen">{t("settings.actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  );
}
