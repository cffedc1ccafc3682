import type { ReactNode } from "react";

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
