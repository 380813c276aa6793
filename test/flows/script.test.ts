import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeWav } from "../helpers/a-wav.ts";
import { startFarm } from "../helpers/farm-processes.ts";
import { aCopyTo, aFileSource } from "../helpers/job-builders.ts";

test("a script looks at its source, sends what follows elsewhere, and chooses a branch", async () => {
  await using farm = await startFarm();
  await farm.startAgent();
  const code = `
    const [{ media }] = input.source;
    if (media.audio[0].channels > 1) fail("one channel is wanted");
    setVariable("folder", "mono");
    log("channels", media.audio[0].channels);
  `;
  const handler = 'if (input.failures[0].cause !== "timeout") fail("not this one")';
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
  const endless = { ...decide, payload: { kind: "javascript", payload: { code: "for (;;);", timeout_sec: 0.5 } } };
  const info = await farm.untilEnded(await farm.submit(job(endless)));
  expect([info.status, info.substatus]).toEqual(["completed", "handled_errors"]);
});
