import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createForeignThreads, type ForeignThreads } from "../../../agent/foreign/pool.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { srtOfBytes } from "../../media/foreign-shapes.ts";

const opened: ForeignThreads[] = [];
afterEach(() => {
  for (const threads of opened.splice(0)) threads.stop();
});

/** Time passes only when a test says so: the machine may be busy. */
const aPool = () => {
  const clock = createTestClock();
  const file = new URL("../../helpers/fixtures/misbehaving-reader.ts", import.meta.url);
  const threads = createForeignThreads(clock, { file, megabytes: 48 });
  opened.push(threads);
  const ask = (conduct: string, signal = never): Promise<unknown> =>
    threads
      .read("manifest", { uri: conduct, documents: new Map() }, { size: large, what: "a.m3u8", signal })
      .catch((error) => (error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error)));
  return { clock, ask };
};

const large = 1_000_000;
const never = new AbortController().signal;
const tooLong = "file: a.m3u8 takes more than 120 s to read, which no such file does";
const tooMuch = "file: a.m3u8 cannot be read within the limits for such files: ";

describe("a thread that reads foreign bytes and", () => {
  test("freezes costs its own task; others are read meanwhile, and who waits behind many such is read then", async () => {
    const { clock, ask } = aPool();
    const first = ask("freezes");
    expect(await ask("answers")).toBe("read");
    const frozen = [first, ...[1, 2, 3].map(() => ask("freezes"))];
    const waiting = ask("answers");
    await setTimeout(50);
    await clock.advance(120_000);
    expect(await Promise.all([...frozen, waiting])).toEqual([tooLong, tooLong, tooLong, tooLong, "read"]);
  });

  test.each(["takes all memory", "nests for ever", "ends"])(
    "%s costs its own task, and the next file is read",
    async (conduct) => {
      const { ask } = aPool();
      expect(await ask(conduct)).toContain(tooMuch);
      expect(await ask("answers")).toBe("read");
    },
  );

  test("is no longer wanted is ended at once", async () => {
    const stopped = new AbortController();
    const asked = aPool().ask("freezes", stopped.signal);
    await setTimeout(50);
    stopped.abort(new Error("stopped"));
    expect(await asked).toBe("Error: stopped");
  });
});

describe("large foreign files", () => {
  const reading = async (): Promise<{ turns: number; made: number }> => {
    const threads = createForeignThreads(systemClock);
    opened.push(threads);
    const source = { name: "a.srt", label: "a.srt", bytes: srtOfBytes(3_000_000) };
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 20);
    const conversion = { source, form: "webvtt", stretch: { from: 0 } } as const;
    const { count } = await threads.read("subtitles", conversion, { size: large, what: "a.srt", signal: never });
    clearInterval(timer);
    return { turns, made: count };
  };

  test("are read while the agent goes on answering", async () => {
    const { turns, made } = await reading();
    expect(made).toBeGreaterThan(3000);
    expect(turns).toBeGreaterThan(5);
  });

  test("fail with the reader's own words and cause", async () => {
    const threads = createForeignThreads(systemClock);
    opened.push(threads);
    const documents = new Map([["file:///a", "no manifest"]]);
    const asked = threads.read("manifest", { uri: "file:///a", documents }, { size: large, what: "a", signal: never });
    await expect(asked).rejects.toMatchObject({ failure: { cause: "source" }, message: /is no HLS playlist/ });
  });
});
