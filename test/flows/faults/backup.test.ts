import { join } from "node:path";
import { expect, test } from "vitest";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import type { Job } from "../../helpers/farm/job-builders.ts";
import { times } from "../../helpers/long.ts";
import { exitOf, startFarm, startProgram, stop } from "../../helpers/processes/farm-processes.ts";

const clients = 8;
/** How many backups are taken while jobs come in. */
const backups = times(2, 3, 20);

const main = join(import.meta.dirname, "../../../cli/main.ts");

test("a backup that is taken while jobs come in, restored elsewhere, has every job that was acknowledged before it", async () => {
  await using farm = await startFarm();
  const acknowledged: string[] = [];
  let isOver = false;
  const storm = Array.from({ length: clients }, async () => {
    while (!isOver) acknowledged.push(await farm.submit(aSmallJob() as Job));
  });
  const taken: { readonly file: string; readonly before: readonly string[] }[] = [];
  for (let nr = 0; nr < backups; nr++) {
    const before = [...acknowledged];
    const file = join(farm.folder, `${nr}.backup`);
    expect(await farm.run(["backup", file, "--json", "--data", join(farm.folder, "farm")])).toMatchObject({
      status: 0,
    });
    taken.push({ file, before });
  }
  isOver = true;
  await Promise.all(storm);
  await stop(farm.coordinator());

  for (const [nr, { file, before }] of taken.entries()) {
    const data = join(farm.folder, `restored-${nr}`);
    expect(await farm.run(["restore", file, "--json", "--data", data])).toMatchObject({ status: 0 });
    const env = { ...farm.env, XDG_CONFIG_HOME: join(data, "config") };
    const restored = startProgram(
      main,
      ["up", "--no-agent", "--json", "--port", String(farm.port), "--data", data],
      env,
    );
    await restored.firstLine;
    const missing = await Promise.all(
      before.map((id) =>
        farm.client.getJobInfo({ job_id: id }).then(
          () => [],
          () => [id],
        ),
      ),
    );
    expect({ nr, missing: missing.flat() }).toEqual({ nr, missing: [] });
    restored.child.kill("SIGTERM");
    expect(await exitOf(restored.child)).toBe(0);
  }
  console.log(`${backups} backups while ${acknowledged.length} jobs were acknowledged: 0 missing`);
});
