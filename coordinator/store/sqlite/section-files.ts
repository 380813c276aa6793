import type { SectionFile } from "../../../shared/files/section-files.ts";
import type { SectionFileStore } from "../section-files.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

export const createSectionFileStore = ({ writer }: Connections): SectionFileStore => {
  const operation = createOperation(writer);
  const some = writer.prepare<[number], SectionFile>("SELECT uri, size FROM section_files ORDER BY tries, uri LIMIT ?");
  const forget = writer.prepare("DELETE FROM section_files WHERE uri IN (SELECT value FROM json_each(?))");
  const count = writer.prepare(
    "UPDATE section_files SET tries = tries + 1 WHERE uri IN (SELECT value FROM json_each(?))",
  );
  const giveUp = writer.prepare<[number], string>("DELETE FROM section_files WHERE tries >= ? RETURNING uri").pluck();
  return {
    some: async (most) => some.all(most),
    tried: operation(({ removed, left }, most) => {
      forget.run(JSON.stringify(removed));
      count.run(JSON.stringify(left));
      return giveUp.all(most);
    }),
  };
};
