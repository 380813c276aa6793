import { appendFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { createPace } from "../../../agent/storage/byte-throttle.ts";
import { pipedFile } from "../../../agent/storage/paced-file.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";

const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 251));
/** Pieces of 1024 bytes. */
const slow = createPace(1, async () => undefined);

const aFile = async (): Promise<string> => {
  const folder = await aFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "made.mov");
  await writeFile(path, bytes);
  return path;
};

/** Keeps what it gets, but takes its time: memory that is used again too early would show. */
const aSlowReader = () => {
  const parts: Buffer[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write: (part, _, done) => setImmediate(() => done(void parts.push(Buffer.from(part)))),
  });
  return { stream, all: () => Buffer.concat(parts) };
};

test("a file is piped from an offset on, byte for byte", async () => {
  const [path, reader] = [await aFile(), aSlowReader()];
  const told: number[] = [];
  const file = { path, from: 1000, length: 15_000, pace: slow, onBytes: (sent: number) => void told.push(sent) };
  await pipeline(pipedFile(file), reader.stream);
  expect(reader.all().equals(bytes.subarray(1000, 16_000))).toBe(true);
  expect([told[1], told.at(-1)]).toEqual([1024, 15_000]);
});

test("what is appended while a file is sent is left out", async () => {
  const [path, reader] = [await aFile(), aSlowReader()];
  const onBytes = (sent: number) => void (sent === 1024 && appendFile(path, "more"));
  await pipeline(pipedFile({ path, from: 0, length: bytes.length, pace: slow, onBytes }), reader.stream);
  expect(reader.all().equals(bytes)).toBe(true);
});

test("a file that becomes shorter while it is sent fails, with its name", async () => {
  const [path, reader] = [await aFile(), aSlowReader()];
  const take = async () => void (await truncate(path, 3000));
  const file = { path, from: 0, length: bytes.length, pace: { ...slow, take }, onBytes: () => undefined };
  await expect(pipeline(pipedFile(file), reader.stream)).rejects.toThrow(`${path} became shorter while it was sent`);
});

test("an empty file is piped too", async () => {
  const [path, reader] = [await aFile(), aSlowReader()];
  await pipeline(pipedFile({ path, from: 0, length: 0, pace: slow, onBytes: () => undefined }), reader.stream);
  expect(reader.all().length).toBe(0);
});
