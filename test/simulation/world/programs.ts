import { fsPromises } from "../system/fs-promises.ts";
import type { Program } from "../system/programs.ts";

/** The bytes by which a file is known for media, and what the simulated ffprobe finds in it. */
export const mediaStart = "\0\0\0\x18ftypisom";

const video = { index: 0, codec_type: "video", codec_name: "h264", width: 320, height: 180, time_base: "1/25" };
const facts = { streams: [video], format: { format_name: "mov,mp4", duration: "10.0" } };

const ffprobe: Program = async ({ args, stdout, stderr, sleep, random }) => {
  if (args[0] === "-version") return said(stdout, "ffprobe version 7.0-simulated Copyright\nconfiguration: --none\n");
  const path = args.at(-1) ?? "";
  const bytes = (await fsPromises.readFile(path).catch(() => undefined)) as Buffer | undefined; // without an encoding
  await sleep(random.wait(30));
  if (!bytes?.subarray(0, mediaStart.length).equals(Buffer.from(mediaStart))) {
    stderr(`${path}: Invalid data found when processing input\n`);
    return 1;
  }
  return said(stdout, JSON.stringify(facts));
};

const lists: Readonly<Record<string, string>> = {
  "-version": "ffmpeg version 7.0-simulated Copyright\nconfiguration: --none\n",
  "-encoders": "Encoders:\n V..... = Video\n ------\n V....D libx264   H.264\n A....D aac   AAC\n",
  "-filters": "Filters:\n  T.. = Timeline\n ..C scale   V->V   Scale\n",
  "-muxers": "Formats:\n ---\n  E  mov,mp4   QuickTime\n",
};

const ffmpeg: Program = async ({ args, stdout, stderr }) => {
  const list = lists[args.find((each) => each in lists) ?? ""];
  if (list !== undefined) return said(stdout, list);
  stderr("Unrecognized option\n");
  return 8;
};

/** `test -r PATH` */
const test: Program = async ({ args }) =>
  fsPromises.stat(args.at(-1) ?? "").then(
    () => 0,
    () => 1,
  );

const said = (stdout: (text: string) => void, text: string): number => {
  stdout(text);
  return 0;
};

export const programs: ReadonlyMap<string, Program> = new Map([
  ["/usr/bin/ffmpeg", ffmpeg],
  ["/usr/bin/ffprobe", ffprobe],
  ["test", test],
  ["true", async () => 0],
]);
