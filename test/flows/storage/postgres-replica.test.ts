import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { aJobRow, inserted, leading } from "../../helpers/farm/batches.ts";
import { postgresLacks } from "../../servers/postgres.ts";
import { startPostgresPair } from "../../servers/postgres-pair.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: reads on a replica: ${lacks}`);

test.skipIf(lacks)(
  "lists and counts come from the replica, show what was just written, and go on without it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "mediafarm-replica-"));
    chmodSync(folder, 0o711);
    const makeFolder = (path: string) => mkdirSync(path, { recursive: true });
    const pair = await startPostgresPair({ folder: join(folder, "postgres"), makeFolder });
    try {
      const address = `postgres://farm@127.0.0.1:${pair.primary.port}/farm?replica=127.0.0.1:${pair.standby.port}`;
      const store = await openPostgres(address, Buffer.alloc(32, 7));
      const { write } = await leading(store);
      const count = () => store.jobs.count({ filters: [] });
      for (let nr = 1; nr <= 50; nr += 1) {
        await write(inserted(aJobRow(nr)));
        expect(await count()).toBe(nr);
      }
      const asked = await pair.ask(
        "SELECT query FROM pg_stat_activity WHERE application_name = 'mediafarm' AND query LIKE '%count%'",
        "standby",
      );
      expect(asked.length).toBeGreaterThan(0);
      await pair.ask("ALTER SYSTEM SET synchronous_standby_names = ''");
      await pair.ask("SELECT pg_reload_conf()");
      const goOn = pair.stallStandby();
      await write(inserted(aJobRow(51)));
      const begun = performance.now();
      expect(await count()).toBe(51);
      console.info(`a replica that stood still cost ${Math.round(performance.now() - begun)} ms once`);
      goOn();
      await store.close();
    } finally {
      await pair.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
