import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { aJobRow, inserted, leading } from "../../helpers/farm/batches.ts";
import { aFolder, aSmallJob, openTestFarm, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { type HeldLine, startHeldLine } from "../../servers/held-line.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: batches that reach PostgreSQL late: ${lacks}`);

const key = Buffer.alloc(32, 7);

describe.skipIf(lacks)("a batch that PostgreSQL reads only after its connection broke", () => {
  let server: PostgresServer;
  let line: HeldLine;
  beforeAll(async () => {
    server = await startPostgresServer();
    line = await startHeldLine(server);
  }, 120_000);
  afterAll(async () => {
    line?.stop();
    await server?.remove();
  });
  const open = async () => openPostgres((await server.database()).replace(`:${server.port}/`, `:${line.port}/`), key);

  /** The batch that comes of `send` is lost to who sent it, and still arrives once `act` is done. */
  const late = async <T>(send: () => Promise<unknown>, act: (sent: Promise<unknown>) => Promise<T>): Promise<T> => {
    const held = line.hold("write_batch");
    const sent = send();
    sent.catch(() => undefined);
    await held;
    line.cut();
    const found = await act(sent);
    await line.release();
    return found;
  };

  test("is refused once somebody has asked what became of it, however often they asked", async () => {
    const store = await open();
    const { epoch } = await leading(store);
    const counters = { jobs: 1, tasks: 0, attempts: 0, nodes: 0 };
    const batch = { epoch, nr: 1, changes: inserted(aJobRow(1)), counters };
    const settled = await late(
      () => store.write(batch),
      async (sent) => {
        await expect(sent).rejects.toMatchObject({ kind: "unknown" });
        await store.settle(batch);
        return store.settle(batch);
      },
    );
    expect([settled, await store.leading()]).toEqual([
      { epoch, batch: 2 },
      { epoch, batch: 2 },
    ]);
    expect(await store.load.job(1)).toBe(undefined);
    await store.write({ ...batch, nr: settled.batch + 1 });
    expect((await store.load.job(1))?.row).toEqual(aJobRow(1));
    await store.close();
  });

  test("leaves nothing of a job whose caller was told that it is not stored, and the coordinator goes on", async () => {
    const store = await open();
    const folder = aFolder();
    const wrap = () => store;
    const { farm, close } = await openTestFarm(folder, { wrap, isAudited: false });
    await submitJob(farm, aSmallJob({ name: "before" }));
    await farm.settle(); // no batch of its own accord comes between
    await late(
      () => submitJob(farm, aSmallJob({ name: "lost" })),
      (sent) => expect(sent).rejects.toMatchObject({ code: "UNAVAILABLE" }),
    );
    await submitJob(farm, aSmallJob({ name: "after" }));
    const names = [1, 2, 3, 4].map(async (id) => (await store.load.job(id))?.row.name);
    expect((await Promise.all(names)).filter((name) => name !== undefined)).toEqual(["before", "after"]);
    await close();
    removeFolder(folder);
  });
});
