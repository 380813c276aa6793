import type { LinkRefusal, LinkRow, NewLink, VouchedPerson, VouchedSessions } from "../people.ts";
import type { Connections } from "./connections.ts";

const columns = "issuer, subject, person_id, name, created, used";

/** Rows of links, and the sessions that were begun by providers, as the open transaction sees them. */
export const createLinks = ({ writer, point }: Pick<Connections, "writer" | "point">) => {
  const read = point.prepare<[number | null], LinkRow>(
    `SELECT ${columns} FROM links WHERE person_id = coalesce(?, person_id) ORDER BY issuer, subject`,
  );
  const use = writer.prepare<[string, number, string, string], { readonly person_id: number }>(
    "UPDATE links SET name = ?, used = ? WHERE issuer = ? AND subject = ? RETURNING person_id",
  );
  const isTaken = writer.prepare<{ issuer: string; subject: string }>(
    `SELECT 1 FROM links WHERE issuer = @issuer AND subject = @subject
     UNION ALL SELECT 1 FROM people WHERE issuer = @issuer AND subject = @subject`,
  );
  const hasOne = writer.prepare<{ issuer: string; person_id: number }>(
    `SELECT 1 FROM links WHERE issuer = @issuer AND person_id = @person_id
     UNION ALL SELECT 1 FROM people WHERE issuer = @issuer AND id = @person_id`,
  );
  const insert = writer.prepare<NewLink, LinkRow>(
    `INSERT INTO links (issuer, subject, person_id, name, created)
     VALUES (@issuer, @subject, @person_id, @name, @created) RETURNING ${columns}`,
  );
  const count = writer.prepare<[number], number>("SELECT count(*) FROM links WHERE person_id = ?").pluck();
  const find = writer.prepare<[number, string]>("SELECT 1 FROM links WHERE person_id = ? AND issuer = ?");
  const remove = writer.prepare<[number, string], LinkRow>(
    `DELETE FROM links WHERE person_id = ? AND issuer = ? RETURNING ${columns}`,
  );
  const removeOf = writer.prepare<[string]>("DELETE FROM links WHERE issuer = ?");
  const hasSession = writer.prepare<[string, number, number]>(
    "SELECT 1 FROM sessions WHERE hash = ? AND person_id = ? AND expires > ?",
  );
  const endOf = writer.prepare<[number, string]>("DELETE FROM sessions WHERE person_id = ? AND issuer = ?");
  const endSessions = writer.prepare<[string | null, string]>("DELETE FROM sessions WHERE issuer IS ? AND hash <> ?");
  const endVouched = writer.prepare<{ issuer: string } & VouchedSessions>(
    `DELETE FROM sessions WHERE issuer = @issuer AND (@sid IS NULL OR provider_session = @sid OR (provider_session IS NULL AND @subject IS NOT NULL))
       AND (@subject IS NULL OR person_id IN (
         SELECT id FROM people WHERE issuer = @issuer AND subject = @subject
         UNION ALL SELECT person_id FROM links WHERE issuer = @issuer AND subject = @subject))`,
  );
  return {
    read: (personId: number | null): LinkRow[] => read.all(personId),
    /** Whose account it is; notes that it was used. */
    use: ({ issuer, subject, names, created }: VouchedPerson): number | undefined =>
      use.get(names[0] ?? "", created, issuer, subject)?.person_id,
    hasSession: (personId: number, { hash, now }: { readonly hash: string; readonly now: number }): boolean =>
      hasSession.get(hash, personId, now) !== undefined,
    add: ({ issuer, subject, person_id, name, created }: NewLink): LinkRow | LinkRefusal => {
      if (isTaken.get({ issuer, subject })) return "taken";
      if (hasOne.get({ issuer, person_id })) return "has one";
      return insert.get({ issuer, subject, person_id, name, created }) as LinkRow; // RETURNING gives the one row
    },
    remove: (personId: number, issuer: string, { keepsOne }: { readonly keepsOne: boolean }) => {
      if (!find.get(personId, issuer)) return "nothing";
      if (keepsOne && (count.get(personId) ?? 0) === 1) return "last way";
      endOf.run(personId, issuer);
      return remove.get(personId, issuer) ?? "nothing";
    },
    /** All of a provider. */
    removeOf: (issuer: string): void => void removeOf.run(issuer),
    endSessions: (issuer: string | null, keptHash: string): void => void endSessions.run(issuer, keptHash),
    endVouched: (issuer: string, { subject, sid }: VouchedSessions): number =>
      endVouched.run({ issuer, subject, sid }).changes,
  };
};
