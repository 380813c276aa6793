import { writeFileSync } from "node:fs";

/** A tenth of a second of silence, which every tool reads. */
export const writeWav = (path: string): string => {
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
  writeFileSync(path, Buffer.concat([head, Buffer.alloc(2 * samples)]));
  return path;
};
