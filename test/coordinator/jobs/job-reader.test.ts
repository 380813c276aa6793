import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJobReader, type JobReader } from "../../../coordinator/jobs/job-reader.ts";
import { type Asked, readJob } from "../../../coordinator/jobs/read-job.ts";
import { createTestClock } from "../../helpers/clock.ts";

const nobody = { owner_id: "api user 1", owner_group: null };
const source = (uid: string) => ({
  uid,
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: `file:///in/${uid}.mov` } },
});
const sources = (count: number) => Array.from({ length: count }, (_, nr) => source(`e${nr}`));
const jobOf = (elements: readonly object[], more: object = {}) => ({ name: "a job", payload: { elements }, ...more });

const asked = (job: object, presets: Asked["presets"] = new Map()): Asked => ({
  ...{ text: JSON.stringify(job), sender: nobody, presets },
});

let reader: JobReader;
/** Pieces of work that were done in this thread. */
let here = 0;

beforeEach(() => {
  here = 0;
  const timeSlice = async <T>(work: () => T): Promise<T> => {
    here += 1;
    return work();
  };
  reader = createJobReader({ clock: createTestClock(), timeSlice });
});

afterEach(() => reader.stop());

const read = (job: Record<string, unknown>) => reader.read(asked(job), job);

describe("a job is read", () => {
  test("here while it is small, and in a thread when it is large, with the same outcome", async () => {
    expect(await read(jobOf(sources(3)))).toEqual(readJob(asked(jobOf(sources(3)))));
    expect(here).toBe(1);
    const large = jobOf(sources(900));
    expect(await read(large)).toEqual(readJob(asked(large)));
    expect(here).toBe(1);
  });

  test("in a thread as well where definitions or presets make it large", async () => {
    const elements = [{ ...source("a"), name: "{{long}}" }, ...sources(5)];
    const job = jobOf(elements, { definitions: { long: "{{part}}".repeat(20), part: "x".repeat(90) } });
    expect(await read(job)).toMatchObject({ isFilled: true });
    expect(here).toBe(1);
    const longer = jobOf(elements, { definitions: { long: "{{part}}{{part}}", part: "x".repeat(9000) } });
    await expect(read(longer)).rejects.toThrow("payload.elements[0].name: must have at most");
    expect(here).toBe(2);
  });

  test("with the same errors from a thread as from here", async () => {
    const wrong = jobOf([...sources(900), { uid: "x", kind: "sourc" }]);
    const expected = { code: "VALIDATION_FAILED", details: [{ path: "payload.elements[900].kind" }] };
    await expect(read(wrong)).rejects.toMatchObject(expected);
    expect(() => readJob(asked(wrong))).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });

  test("once all presets are there that it names: they are asked for at once", async () => {
    const elements = Array.from({ length: 900 }, (_, nr) => ({
      uid: `e${nr}`,
      kind: "source",
      preset: { key: `p${nr % 3}` },
    }));
    expect(await read(jobOf(elements))).toEqual({ lacks: ["p0", "p1", "p2"] });
  });
});

test("whoever sends many large jobs waits for themselves, and not others for them", async () => {
  const large = jobOf(sources(900));
  const order: string[] = [];
  const send = async (who: string) => {
    await reader.read({ ...asked(large), sender: { ...nobody, owner_id: who } }, large);
    order.push(who);
  };
  await Promise.all(["many", "one"].map(send)); // both threads have started
  order.length = 0;
  await Promise.all([...Array.from({ length: 8 }, () => send("many")), send("one")]);
  expect(order.indexOf("one")).toBeLessThan(3);
});
