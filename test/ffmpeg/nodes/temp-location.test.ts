import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { pathToUri } from "../../../shared/files/location.ts";
import type { Outcome } from "../../../shared/protocol/messages.ts";
import { aFarm, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";
import { ffmpegPath, ffprobePath, probe } from "../../helpers/media/media-tools.ts";
import { canMount, mountSmallDisk, unmountDisk } from "../../helpers/processes/small-disk.ts";

const memory = "/dev/shm";
const isOtherDisk = (): boolean => {
  try {
    return statSync(memory).dev !== statSync(tmpdir()).dev;
  } catch {
    return false; // there is no such folder on this system
  }
};

const endings: (() => void)[] = [];
let farm: Farm | undefined;
afterEach(async () => {
  await farm?.end();
  farm = undefined;
  for (const end of endings.splice(0).reverse()) end();
});

const aDisk = (megabytes: number): string => {
  const path = mkdtempSync(join(tmpdir(), "mediafarm-disk-"));
  mountSmallDisk(path, megabytes);
  endings.push(() => {
    unmountDisk(path);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
};

/** Two seconds of noise, some megabytes, made in one folder and published to another by real programs. */
const transcodeFrom = async (temp: string, target: string): Promise<Outcome> => {
  farm = await aFarm();
  const { config, coordinator, root } = farm;
  const roots = [root, temp, target];
  const lending = { ...config.lending, minDisk: 0 }; // else the work is suspended where a full disk is seen in time
  await farm.start({ config: { ...config, roots, lending, ffmpegPath, ffprobePath } });
  await coordinator.receive("hello");
  const source = ["-f", "lavfi", "-i", "nullsrc=s=640x360:r=25:d=2,noise=alls=100:allf=t"];
  const argv = ["-v", "error", "-nostdin", ...source, "-c:v", "libx264", "-qp", "20", "-pix_fmt", "yuv420p"];
  const output = {
    ...{ folder: pathToUri(target, "posix"), temp: { folder: pathToUri(temp, "posix") } },
    expect: { video: { codec: "h264", width: 640, height: 360 }, duration: { seconds: 2, tolerance: 0.1 } },
  };
  coordinator.assign(anAssignment({ root, argv: [...argv, "-f", "mp4"], output }));
  return (await coordinator.reportOf(fenceOf(1))).outcome;
};

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;

describe.skipIf(!hasTools || !isOtherDisk())(`temporary files on another disk (skipped without ${memory})`, () => {
  test("a film that is made on one disk is published on another, whole, and leaves nothing where it was made", async () => {
    const temp = mkdtempSync(join(memory, "mediafarm-temp-"));
    const target = mkdtempSync(join(tmpdir(), "mediafarm-target-"));
    for (const path of [temp, target]) endings.push(() => rmSync(path, { recursive: true, force: true }));
    expect(await transcodeFrom(temp, target)).toMatchObject({ outcome: "published" });
    expect([readdirSync(temp), readdirSync(target)]).toEqual([[], ["result.mp4"]]);
    expect((await probe(join(target, "result.mp4"))).video[0]?.frames).toBe(50);
  });
});

describe.skipIf(!hasTools || !canMount())("a disk that is full (skipped where no small disk can be mounted)", () => {
  test.each([
    ["where temporary files are made", 1, 64],
    ["where the target goes", 64, 1],
  ])("%s fails the attempt with its cause and leaves nothing on either side", async (_, ofTemp, ofTarget) => {
    const [temp, target] = [aDisk(ofTemp), aDisk(ofTarget)];
    expect(await transcodeFrom(temp, target)).toMatchObject({ outcome: "failed", failure: { cause: "resources" } });
    expect([readdirSync(temp), readdirSync(target)]).toEqual([[], []]);
  });
});
