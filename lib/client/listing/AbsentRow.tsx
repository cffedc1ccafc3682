interface AbsentRowProps {
  /** The position in the sorted folder, from 0. */
  index: number;
}

/** The place of an entry that is still being read. */
export function AbsentRow({ index }: AbsentRowProps) {
  return (
    <div role="row" className="row" data-absent aria-rowindex={index + 2} aria-busy="true">
      <div role="gridcell" className="cell cell--tick" />
      <div role="gridcell" className="cell cell--name">
        <span className="entry-icon bone" />
        <span className="bone bone--name" />
      </div>
      <div role="gridcell" className="cell cell--size" />
      <div role="gridcell" className="cell cell--modified">
        <div className="bone" />
      </div>
    </div>
  );
}
