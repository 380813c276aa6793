import { readFileSync } from "node:fs";
import { completed, type Finding, madeFile } from "./finding.ts";
import { notesIn, textOf } from "./measure.ts";
import { notes } from "./source-texts.ts";

/** As texts that escape write them. */
const written = (text: string): string => unescaped(text.replaceAll(/<\/?(?:i|b|u|c|span)\b[^<>]*>/g, ""));

const unescaped = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");

const lacking = (text: string): string[] => notes.filter((note) => !written(text).includes(note));

export const textFindings: Readonly<Record<string, Finding>> = {
  j10_ttml: completed("angle brackets and chained styles of TTML were lost", async (made, { want }) => {
    const name = (kind: string, end: string) => madeFile(made, `j10_a25_ttml_to_${kind}.${end}`);
    for (const [kind, end] of [
      ["webvtt", "vtt"],
      ["srt", "srt"],
      ["ttml", "ttml"],
      ["imsc1", "ttml"],
      ["ass", "ass"],
    ] as const) {
      const text = textOf(name(kind, end));
      want(
        lacking(text).length === 0,
        `${kind}: ${lacking(text).length === 0 ? "all notes" : `without ${lacking(text)}`}`,
      );
      want(/<i>|italic|\\i1/.test(text), `${kind}: italics ${/<i>|italic|\\i1/.test(text) ? "kept" : "lost"}`);
    }
    const scc = await notesIn(name("scc", "scc"));
    const shown = notes.slice(1).filter((note) => scc.includes(note));
    want(shown.length === 2 && /note/.test(scc), `scc: ${shown.length + 1} of 3 notes by ffmpeg's decoder`);
    const stl = readFileSync(name("stl", "stl")).subarray(1024).toString("latin1");
    want(lacking(stl).length === 0, `stl: ${lacking(stl).length === 0 ? "all notes" : `without ${lacking(stl)}`}`);
  }),
  j11_mcc: completed("MCC and SCC of drop-frame pictures", async (made, { want }) => {
    const mcc = textOf(madeFile(made, "j11_df.mcc"));
    want(/^Time Code Rate=30DF\s*$/m.test(mcc), "Time Code Rate=30DF");
    const rows = [...mcc.matchAll(/^(\d\d):(\d\d):(\d\d)[:;](\d\d)\t/gm)].map((row) => row.slice(1, 5).join(":"));
    want(
      rows.length > 0 && rows.join() === rows.toSorted().join(),
      `${rows.length} rows, ${rows[0]} to ${rows.at(-1)}`,
    );
    const scc = textOf(madeFile(made, "j11_df.scc"));
    const [first] = /^\d\d:\d\d:\d\d[:;]\d\d/m.exec(scc) ?? [];
    want(first?.includes(";") === true, `scc begins ${first}`);
    const heard = await notesIn(madeFile(made, "j11_df.scc"));
    want(
      notes.slice(1).every((note) => heard.includes(note)),
      `scc: ${notes.slice(1).filter((note) => heard.includes(note)).length + 1} of 3 notes by ffmpeg's decoder`,
    );
  }),
  j67_stl10: completed("EBU STL at 10:00:00:00 gave an empty file without a word", async (made, { want }) => {
    const text = textOf(madeFile(made, "j67_stl10.srt"));
    want(lacking(text).length === 0, lacking(text).length === 0 ? "all notes" : `without ${lacking(text)}`);
    want(/00:00:01,000 --> 00:00:02,000/.test(text), `first at ${/\S+ --> \S+/.exec(text)?.[0]}`);
  }),
  stream_si_ass: completed("drawings became text, resets and styles were lost", async (made, { want }) => {
    for (const name of ["o_srt.srt", "o_webvtt.vtt", "o_ttml.ttml"]) {
      const text = textOf(madeFile(made, "si_ass", name));
      want(
        lacking(text).length === 0,
        `${name}: ${lacking(text).length === 0 ? "all notes" : `without ${lacking(text)}`}`,
      );
      want(!/m 0 0|\\p1|l 100/.test(text), `${name}: no drawing`);
      const slanted = name.endsWith(".ttml") ? /italic[^<]*>\s*Second/ : /<i>Second<\/i> note/;
      want(slanted.test(text), `${name}: italics end with the reset`);
    }
  }),
};
