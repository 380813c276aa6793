import { definitionError } from "../../../../../shared/model/failure.ts";

/** The row that a field names; undefined where the job leaves it out. Throws TaskError where there is no such row. */
export const rowNamed = <Row>(
  rows: Readonly<Record<string, Row>>,
  name: string | undefined,
  path: string,
  what: string,
): Row | undefined => {
  if (name === undefined) return undefined;
  const found = rows[name];
  if (found !== undefined) return found;
  throw definitionError(`${path} "${name}" is no ${what}`);
};
