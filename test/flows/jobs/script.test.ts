import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { writeWav } from "../../helpers/media/a-wav.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

test("a script looks at its source, sends what follows elsewhere, and chooses a branch", async () => {
  await using farm = await startFarm();
  await farm.startAgent();
  const code = `
    const [{ media }] = input.source;
    if (media.audio[0].channels > 1) fail("one channel is wanted");
    setVariable("folder", "mono");
    log("channels", media.audio[0].channels);
  `;
  const handler = 'if (!/^(timeout|resources)$/.test(input.failures[0].cause)) fail("not this one")';
  const decide = {
    uid: "decide",
    kind: "script",
    payload: { kind: "javascript", payload: { code, variables: ["folder"] } },
  };
  const job = (script: object) => ({
    name: "a scripted job",
    definitions: { folder: "any" },
    payload: {
      elements: [
        aFileSource(writeWav(join(farm.media, "one.wav"))),
        script,
        aCopyTo(join(farm.folder, "out-{{folder}}")),
        { uid: "instead", kind: "script", payload: { kind: "javascript", payload: { code: handler } } },
      ],
      connections: [
        { from: [{ element: "source" }], to: { success: [{ element: "decide" }] } },
        { from: [{ element: "decide" }], to: { success: [{ element: "copy" }], error: [{ element: "instead" }] } },
      ],
    },
  });
  expect((await farm.untilEnded(await farm.submit(job(decide)))).status).toBe("completed");
  expect(existsSync(join(farm.folder, "out-mono/one.wav"))).toBe(true);
  const hostile = ["for (;;);", "const all = []; for (;;) all.push(new Uint8Array(1e6))"];
  const ids = await Promise.all(
    hostile.map((bad) =>
      farm.submit(job({ ...decide, payload: { kind: "javascript", payload: { code: bad, timeout_sec: 1 } } })),
    ),
  );
  for (const id of ids) {
    const info = await farm.untilEnded(id);
    expect([info.status, info.substatus]).toEqual(["completed", "handled_errors"]);
  }
  // The agent that ran them is unharmed: there is no other.
  rmSync(join(farm.folder, "out-mono"), { recursive: true });
  expect((await farm.untilEnded(await farm.submit(job(decide)))).status).toBe("completed");
});
