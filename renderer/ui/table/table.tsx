import { useRef } from "react";
import { Grid, usualHeight } from "./grid.tsx";
import { keyAt, type TableProps } from "./table-props.ts";
import { useFixedRows, useMeasuredRows } from "./use-rows.ts";

/** A table of any length: only rows in sight exist. j, k and the arrows go through rows, Enter opens one. */
export const Table = <Row,>(props: TableProps<Row>) =>
  props.isMeasured ? <MeasuredTable {...props} /> : <FixedTable {...props} />;

const FixedTable = <Row,>(props: TableProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useFixedRows({ scroller, count: props.rows.length, rowHeight: props.rowHeight ?? usualHeight });
  return <Grid {...props} scroller={scroller} places={rows} />;
};

const MeasuredTable = <Row,>(props: TableProps<Row>) => {
  const { rows, keyOf, rowHeight = usualHeight } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const itemKey = (index: number) => props.headingAt?.(index)?.key ?? keyAt(rows.at(index), index, keyOf);
  return (
    <Grid
      {...props}
      scroller={scroller}
      places={useMeasuredRows({ scroller, count: rows.length, rowHeight, keyAt: itemKey })}
    />
  );
};
