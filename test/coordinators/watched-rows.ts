type Ask = (sql: string) => Promise<Record<string, unknown>[]>;

/** A change of hands, by the database's clock. */
export type Takeover = {
  readonly epoch: number;
  /** From the end of the lease before, or from when it was given away, to the first batch of the new leader. */
  readonly afterLeaseMs: number;
};

/**
 * Triggers write down every move of the lead and every turn of the lease, in the transaction that makes it: what was not
 * committed is not there, and the order is that of the commits, because each of them holds the row.
 */
const watchSql = `
  CREATE TABLE IF NOT EXISTS seen_leads (nr BIGINT GENERATED ALWAYS AS IDENTITY, epoch BIGINT, batch BIGINT, at TIMESTAMPTZ);
  CREATE TABLE IF NOT EXISTS seen_leases (nr BIGINT GENERATED ALWAYS AS IDENTITY, holder TEXT, term BIGINT,
    until TIMESTAMPTZ, at TIMESTAMPTZ);
  CREATE OR REPLACE FUNCTION see_lead() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen_leads (epoch, batch, at) VALUES (NEW.epoch, NEW.batch, clock_timestamp()); RETURN NULL; END';
  CREATE OR REPLACE FUNCTION see_lease() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen_leases (holder, term, until, at)
       VALUES (NEW.holder, NEW.term, NEW.until, clock_timestamp()); RETURN NULL; END';
  CREATE OR REPLACE TRIGGER seen AFTER UPDATE ON lead FOR EACH ROW EXECUTE FUNCTION see_lead();
  CREATE OR REPLACE TRIGGER seen AFTER UPDATE ON lease FOR EACH ROW EXECUTE FUNCTION see_lease()`;

export const watchRows = async (ask: Ask) => {
  await ask(watchSql);
  return {
    /**
     * Moves of the lead that do not follow the one before: an epoch that went back, a batch that was left out or came twice.
     * A coordinator that asks what became of a batch moves the lead by two if it was not written.
     */
    interleaved: async (): Promise<string[]> => {
      const rows = await ask(`SELECT epoch, batch, epoch_before, batch_before FROM (
          SELECT nr, epoch, batch, lag(epoch) OVER (ORDER BY nr) AS epoch_before, lag(batch) OVER (ORDER BY nr) AS batch_before
          FROM seen_leads) AS moves
        WHERE epoch_before IS NOT NULL AND NOT (epoch > epoch_before AND batch = 0)
          AND NOT (epoch = epoch_before AND batch - batch_before IN (1, 2))`);
      return rows.map(
        (row) => `batch ${row.batch} of epoch ${row.epoch} came after ${row.batch_before} of ${row.epoch_before}`,
      );
    },
    batches: async (): Promise<number> =>
      Number((await ask("SELECT count(*) AS n FROM seen_leads WHERE batch > 0"))[0]?.n),
    /** Each epoch that wrote a batch and was not the first; the lease that ended before it, and by how long. */
    takeovers: async (): Promise<Takeover[]> => {
      const rows = await ask(`
        WITH firsts AS (SELECT epoch, min(at) FILTER (WHERE batch = 0) AS led, min(at) FILTER (WHERE batch > 0) AS at
            FROM seen_leads GROUP BY epoch),
          terms AS (SELECT term, holder, min(at) AS taken FROM seen_leases WHERE holder IS NOT NULL GROUP BY term, holder),
          ends AS (SELECT terms.term, terms.taken,
              (SELECT CASE WHEN last.holder IS NULL THEN last.at ELSE last.until END FROM seen_leases AS last
               WHERE last.at < terms.taken ORDER BY last.nr DESC LIMIT 1) AS ended FROM terms)
        SELECT epoch, extract(epoch FROM firsts.at - ends.ended) * 1000 AS ms FROM firsts
          JOIN ends ON ends.taken = (SELECT max(taken) FROM ends AS e WHERE e.taken <= firsts.led)
        WHERE firsts.at IS NOT NULL AND ends.ended IS NOT NULL ORDER BY epoch`);
      return rows.map(({ epoch, ms }) => ({ epoch: Number(epoch), afterLeaseMs: Number(ms) }));
    },
  };
};
