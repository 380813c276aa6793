import { readFileSync } from "node:fs";
import { z } from "zod";
import { completed, type Finding, type Made, madeFile } from "./finding.ts";
import { look, loudnessOf, packetTimes, sampleLevels, tonesOf } from "./measure.ts";

const isClose = (value: number | undefined, wanted: number, by: number): boolean =>
  value !== undefined && Math.abs(value - wanted) <= by;

const isTold = (made: Made, words: RegExp): boolean => made.warnings.some((warning) => words.test(warning));

const analysis = z.looseObject({ integrated_loudness_lufs: z.number() });

/** What QuickTime's `chan` box calls each channel. */
const labelsIn = (bytes: Buffer): number[] => {
  const box = bytes.indexOf("chan", bytes.indexOf("stsd", bytes.indexOf("soun")));
  const count = bytes.readUInt32BE(box + 16);
  return Array.from({ length: Math.min(count, 64) }, (_, at) => bytes.readUInt32BE(box + 20 + at * 20));
};

export const soundFindings: Readonly<Record<string, Finding>> = {
  j08_loud_norm: completed(
    "missed by 1.5 to 2 LU where peaks limit; measured before a fade",
    async (made, { want }) => {
      for (const [name, track] of [
        ["j08_pre.mp4", 0],
        ["j08_pre.mp4", 1],
        ["j08_two.wav", 0],
      ] as const) {
        const { integrated, truePeak } = await loudnessOf(madeFile(made, name), track);
        want(isClose(integrated, -23, 0.5), `${name} ${track}: ${integrated} LUFS of -23, true peak ${truePeak}`);
        if (name === "j08_pre.mp4" && track === 0)
          want(truePeak <= -0.8, `${name} ${track}: true peak ${truePeak} of at most -1`);
      }
      const [peak, rms] = [
        await sampleLevels(madeFile(made, "j08_peak.wav")),
        await sampleLevels(madeFile(made, "j08_rms.wav")),
      ];
      want(isClose(peak.peak, -6, 0.1), `peak ${peak.peak} of -6 dBFS`);
      want(isClose(rms.rms, -20, 0.3) || isTold(made, /rms|peak|limit/i), `rms ${rms.rms} of -20 dBFS`);
      want(
        analysis.safeParse(made.result).success || JSON.stringify(made.result).includes("ebur128"),
        "the analysis tells ebur128",
      );
    },
  ),
  stream_ln_lra: completed("missed by 1.5 to 2 LU without a word", async (made, { want }) => {
    const { integrated, truePeak, range } = await loudnessOf(madeFile(made, "ln_lra", "o.mov"));
    want(isClose(integrated, -23, 0.5), `${integrated} LUFS of -23, true peak ${truePeak}`);
    want(
      range <= 8 || isTold(made, /range|LRA|lra/),
      `range ${range} of 7${isTold(made, /range|LRA|lra/) ? ", told" : ""}`,
    );
  }),
  j56_film_mov: completed("channel designators: film order, right before left failed", async (made, { want }) => {
    const path = madeFile(made, "j56_film_mov.mov");
    const heard = await tonesOf(path, 6);
    // L C R Ls Rs LFE was asked of the tones 330 440 550 660 770 60; by Core Audio's labels these are 1 3 2 5 6 4.
    const labels = labelsIn(readFileSync(path));
    want(heard.join() === "330,440,550,660,770,60", `tones ${heard.join(" ")}`);
    want(labels.join() === "1,3,2,5,6,4", `labels ${labels.join(" ")}`);
  }),
  j73_des4_wav: completed("an LFE tone came out of left and right", async (made, { want }) => {
    const path = madeFile(made, "j73_des4.wav");
    const { audio } = await look(path);
    const heard = await tonesOf(path, 4);
    want(heard.join() === "330,440,550,660", `tones ${heard.join(" ")}`);
    const wav = readFileSync(path);
    const mask = wav.readUInt32LE(wav.indexOf("fmt ") + 8 + 20);
    want(mask === 15, `mask ${mask}, ffprobe: ${audio[0]?.channel_layout}`);
  }),
  j36_ddp2: {
    was: "stereo `commentary` failed in the tool's words",
    measure: async (made, { want }) => {
      if (made.ended.kind !== "completed")
        return want(
          made.ended.kind === "refused" && /bitstream_mode/.test(made.ended.words),
          `${made.ended.kind}: ${made.ended.words.slice(0, 200)}`,
        );
      const { audio } = await look(madeFile(made, "j36_ddp2.mov"));
      want(
        audio[0]?.codec_name === "eac3" && audio[0].channels === 2,
        `${audio[0]?.codec_name} ${audio[0]?.channels} channels`,
      );
      want(isClose(audio[0]?.duration, 1, 0.05), `${audio[0]?.duration} s`);
    },
  },
  j54_mkvts: {
    was: "ts_offset_ms in Matroska failed in our own verification",
    measure: async (made, { want }) => {
      if (made.ended.kind !== "completed")
        return want(
          made.ended.kind === "refused" && /ts_offset_ms/.test(made.ended.words),
          `${made.ended.kind}: ${made.ended.words.slice(0, 200)}`,
        );
      const path = madeFile(made, "j54_mkvts.mkv");
      const [first] = await packetTimes(path, "v:0");
      const { video } = await look(path);
      want(isClose(first, 1.5, 0.06), `first picture at ${first} s`);
      want(video?.nb_read_frames === 250, `${video?.nb_read_frames} of 250 frames`);
    },
  },
  stream_pce_mp4: completed("5.1(side) became AAC with a PCE that browsers refuse", async (made, { want }) => {
    const path = madeFile(made, "pce_mp4", "o.mp4");
    const bytes = readFileSync(path);
    // ES_Descriptor's DecoderSpecificInfo: tag 5, a length of up to four bytes, then five bits of type, four of rate, four of channels.
    const entry = bytes.indexOf("esds");
    const tag = bytes.subarray(entry).indexOf(Buffer.from([5, 0x80, 0x80, 0x80]));
    const at = entry + tag + (tag < 0 ? 0 : 5);
    const channels = (bytes.readUInt16BE(at) >> 3) & 15;
    want(tag > 0 && channels === 6, `AudioSpecificConfig says ${channels}`);
    const heard = await tonesOf(path, 6);
    want(heard.join() === "330,440,550,60,770,880", `tones ${heard.join(" ")}`);
  }),
  stream_x_opus_50: completed("5.1(side) failed in Opus", async (made, { want }) => {
    const path = madeFile(made, "x_opus_50", "o.webm");
    const { audio, video } = await look(path);
    const heard = await tonesOf(path, 6);
    want(audio[0]?.channels === 6, `${audio[0]?.channels} channels ${audio[0]?.channel_layout}`);
    want(heard.join() === "330,440,550,60,770,880", `tones ${heard.join(" ")}`);
    want(video?.nb_read_frames === 125, `${video?.nb_read_frames} of 125 frames`);
  }),
};
