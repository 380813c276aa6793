import { writeFileSync } from "node:fs";

/** A tenth of a second of silence, which every tool reads. */
export const writeWav = (path: string): string => {
  writeFileSync(path, aWav(0));
  return path;
};

/** A tenth of a second in which every sample is this one. */
export const aWav = (sample: number): Buffer => {
  const samples = 4800;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + 2 * samples, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(48_000, 24);
  head.writeUInt32LE(96_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(2 * samples, 40);
  const sound = Buffer.alloc(2 * samples);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(sample, at);
  return Buffer.concat([head, sound]);
};
