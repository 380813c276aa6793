import type { LinkRefusal, LinkRow, NewLink, VouchedPerson } from "../people.ts";
import type { Ask } from "./connection/database.ts";

export const linkColumns = "issuer, subject, person_id, name, created, used";

/** Whose account it is; notes that it was used. */
export const useLink = async (
  ask: Ask,
  { issuer, subject, names, created }: VouchedPerson,
): Promise<number | undefined> => {
  const sql = "UPDATE links SET name = $1, used = $2 WHERE issuer = $3 AND subject = $4 RETURNING person_id";
  return (await ask<{ readonly person_id: number }>(sql, names[0] ?? "", created, issuer, subject))[0]?.person_id;
};

export const addLink = async (ask: Ask, link: NewLink): Promise<LinkRow | LinkRefusal> => {
  const { issuer, subject, person_id, name, created } = link;
  if ((await ask(isTakenSql, issuer, subject)).length > 0) return "taken";
  if ((await ask(hasOneSql, issuer, person_id)).length > 0) return "has one";
  const sql = `INSERT INTO links (issuer, subject, person_id, name, created) VALUES ($1, $2, $3, $4, $5)
    RETURNING ${linkColumns}`;
  return (await ask<LinkRow>(sql, issuer, subject, person_id, name, created))[0] as LinkRow; // RETURNING gives the one row
};

const isTakenSql = `SELECT 1 FROM links WHERE issuer = $1 AND subject = $2
  UNION ALL SELECT 1 FROM people WHERE issuer = $1 AND subject = $2`;
const hasOneSql = `SELECT 1 FROM links WHERE issuer = $1 AND person_id = $2
  UNION ALL SELECT 1 FROM people WHERE issuer = $1 AND id = $2`;

export const removeLink = async (
  ask: Ask,
  personId: number,
  issuer: string,
  { keepsOne }: { readonly keepsOne: boolean },
): Promise<LinkRow | "nothing" | "last way"> => {
  const all = await ask<LinkRow>(`SELECT ${linkColumns} FROM links WHERE person_id = $1`, personId);
  const found = all.find((each) => each.issuer === issuer);
  if (!found) return "nothing";
  if (keepsOne && all.length === 1) return "last way";
  await ask("DELETE FROM sessions WHERE person_id = $1 AND issuer = $2", personId, issuer);
  await ask("DELETE FROM links WHERE person_id = $1 AND issuer = $2", personId, issuer);
  return found;
};

export const endVouchedSql = `DELETE FROM sessions
  WHERE issuer = $1 AND ($2::text IS NULL OR provider_session = $2 OR (provider_session IS NULL AND $3::text IS NOT NULL))
    AND ($3::text IS NULL OR person_id IN (
      SELECT id FROM people WHERE issuer = $1 AND subject = $3
      UNION ALL SELECT person_id FROM links WHERE issuer = $1 AND subject = $3))
  RETURNING hash`;
