import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../helpers/long.ts";
import { aWav } from "../../helpers/media/a-wav.ts";
import { kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { nginxLacks, startNginx } from "../../servers/nginx.ts";
import { password, username } from "../../servers/server.ts";

const why = isLong ? nginxLacks() : "it takes a minute; npm run long runs it";
if (why) console.warn(`SKIPPED: a watched folder of a server that goes away is not tested: ${why}`);

test.skipIf(why !== undefined)(
  "a watch goes on over a server and an agent that die: each file begins one job, and one that is moved away is named",
  async () => {
    await using farm = await startFarm();
    const server = await startNginx(join(farm.folder, "web"));
    try {
      const [out, files] = [join(farm.folder, "out"), join(farm.folder, "web", "files", "out")];
      await farm.client.changeOutbound({ add: ["127.0.0.1"] });
      const agent = await farm.startAgent();
      const source = { storage_provider: "http", path: server.folder, access: { http: { username, password } } };
      const target = { location: { storage_provider: "file", path: out }, file_pattern: "{source_name}" };
      const id = await farm.submit({
        name: "dailies",
        payload: {
          elements: [
            { uid: "watch", kind: "watchfolder", payload: { source, settings: { interval_sec: 1 } } },
            { uid: "copy", kind: "copy", payload: { target } },
          ],
          connections: [{ from: [{ element: "watch" }], to: { success: [{ element: "copy" }] } }],
        },
      });
      const watch = async () => (await farm.client.listWatches({ job_id: id })).items[0];
      const put = async (...numbers: readonly number[]) => {
        for (const nr of numbers) await server.put(`${nr}.wav`, aWav(nr));
      };
      const childrenOf = async () =>
        (await farm.client.listJobs({ fields: ["name", "status", "error"], take: 100 })).items
          .filter(({ name = "" }) => name.startsWith("dailies: "))
          .map(({ name = "", status, error }) => ({ name: name.replace("dailies: ", ""), status, error }));

      await until("the first look", async () => (await watch())?.last_look !== null);
      await put(0, 1, 2);
      await until("the first files to arrive", async () => {
        const children = await childrenOf();
        return children.length === 3 && children.every(({ status }) => status === "completed");
      });
      await server.kill();
      await put(3, 4);
      await until("a look to find no server", async () => /nothing answers there/.test((await watch())?.summary ?? ""));
      await kill(agent);
      await server.restart();
      await put(5);
      await farm.startAgent();
      const wanted = [0, 1, 2, 3, 4, 5].map((nr) => `${nr}.wav`);
      const patienceMs = 90_000; // after a look that failed the farm waits half a minute
      await until(
        "all children to complete",
        async () => (await childrenOf()).filter(({ status }) => status === "completed").length >= wanted.length,
        patienceMs,
      );
      expect((await childrenOf()).map(({ name }) => name).sort()).toEqual(wanted);
      expect(readdirSync(out).sort()).toEqual(wanted);
      expect(wanted.filter((name, nr) => !readFileSync(join(out, name)).equals(aWav(nr)))).toEqual([]);

      await put(9);
      const moved = async () => (await childrenOf()).find(({ name }) => name === "9.wav");
      await until("the file to be taken", async () => (await moved()) !== undefined, patienceMs);
      await rm(join(files, "9.wav"));
      await until("its job to end", async () => /completed|failed/.test((await moved())?.status ?? ""), patienceMs);
      const { status, error } = (await moved()) ?? {};
      if (status === "failed") expect(error).toMatch(/9\.wav.*(no such file|vanished|not there)/);
      else expect(readFileSync(join(out, "9.wav")).equals(aWav(9))).toBe(true);
      expect(await watch()).toMatchObject({ is_watching: true, counts: { taken: 7, refused: 0, waiting: 0 } });
    } finally {
      await server.stop();
    }
  },
  300_000,
);
