import type { SectionFileStore } from "../section-files.ts";
import type { Database } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

export const createSectionFileStore = ({ ask }: Database, operation: Operation): SectionFileStore => ({
  some: (most) => ask("SELECT uri, size FROM section_files ORDER BY tries, uri LIMIT $1", most),
  tried: operation(async (within, { removed, left }, most) => {
    await within("DELETE FROM section_files WHERE uri = ANY($1)", removed);
    await within("UPDATE section_files SET tries = tries + 1 WHERE uri = ANY($1)", left);
    const gone = await within<{ uri: string }>("DELETE FROM section_files WHERE tries >= $1 RETURNING uri", most);
    return gone.map(({ uri }) => uri);
  }),
});
