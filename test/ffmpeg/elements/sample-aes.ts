import { createDecipheriv } from "node:crypto";

/**
 * Reads transport streams whose samples are encrypted (Apple, "MPEG-2 Stream Encryption Format for HTTP Live
 * Streaming"), apart from every tool that the project uses. Gives the clear elementary stream of the first programme's
 * one stream.
 */
export const decryptSamples = (stream: Buffer, key: Buffer, iv: Buffer): Buffer => {
  const { type, packets } = packetsIn(stream);
  const decipher = (bytes: Buffer): Buffer => {
    const cipher = createDecipheriv("aes-128-cbc", key, iv).setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
  if (type === 0xdb)
    return Buffer.concat(packets.flatMap((packet) => nalUnits(packet).map((nal) => clearNal(nal, decipher))));
  if (type === 0xcf)
    return Buffer.concat(packets.flatMap((packet) => adtsFrames(packet).map((frame) => clearFrame(frame, decipher))));
  throw new Error(`stream type ${type} is none of encrypted samples`);
};

type Decipher = (bytes: Buffer) => Buffer;

/** The payloads of PES packets of the one stream that the programme's map names. */
const packetsIn = (stream: Buffer): { type: number; packets: Buffer[] } => {
  let [mapPid, type, pid] = [-1, -1, -1];
  const packets: Buffer[][] = [];
  for (let at = 0; at + 188 <= stream.length; at += 188) {
    const packet = stream.subarray(at, at + 188);
    const found = packet.readUInt16BE(1) & 0x1fff;
    const isStart = (packet.readUInt8(1) & 0x40) !== 0;
    const control = (packet.readUInt8(3) >> 4) & 3;
    const from = 4 + (control & 2 ? 1 + packet.readUInt8(4) : 0);
    if ((control & 1) === 0 || from >= 188) continue;
    const payload = packet.subarray(from);
    if (found === 0) mapPid = payload.readUInt16BE(1 + payload.readUInt8(0) + 10) & 0x1fff;
    else if (found === mapPid) {
      const table = payload.subarray(1 + payload.readUInt8(0));
      const first = 12 + (table.readUInt16BE(10) & 0xfff);
      type = table.readUInt8(first);
      pid = table.readUInt16BE(first + 1) & 0x1fff;
    } else if (found === pid) {
      if (isStart) packets.push([payload.subarray(9 + payload.readUInt8(8))]);
      else packets.at(-1)?.push(payload);
    }
  }
  return { type, packets: packets.map((parts) => Buffer.concat(parts)) };
};

const nalUnits = (packet: Buffer): Buffer[] => {
  const starts: number[] = [];
  for (
    let at = packet.indexOf("\0\0\u0001", 0, "latin1");
    at !== -1;
    at = packet.indexOf("\0\0\u0001", at + 3, "latin1")
  )
    starts.push(at + 3);
  return starts.map((from, n) => {
    const next = starts[n + 1];
    const to = next === undefined ? packet.length : packet[next - 4] === 0 ? next - 4 : next - 3;
    return packet.subarray(from, to);
  });
};

/** Slices of more than 48 bytes: after 32 clear ones, every tenth block of 16 is encrypted, but not the last bytes. */
const clearNal = (nal: Buffer, decipher: Decipher): Buffer => {
  const kind = (nal[0] ?? 0) & 0x1f;
  const start = Buffer.from([0, 0, 0, 1]);
  if ((kind !== 1 && kind !== 5) || nal.length <= 48) return Buffer.concat([start, nal]);
  const bytes = withoutEscapes(nal);
  const blocks: number[] = [];
  for (let at = 32; bytes.length - at > 16; at += 160) blocks.push(at);
  const clear = decipher(Buffer.concat(blocks.map((at) => bytes.subarray(at, at + 16))));
  for (const [n, at] of blocks.entries()) clear.copy(bytes, at, 16 * n, 16 * n + 16);
  return Buffer.concat([start, bytes]);
};

/** The second layer of escapes, over the encrypted bytes: the first one is encrypted with the slice. */
const withoutEscapes = (nal: Buffer): Buffer => {
  const kept: number[] = [];
  for (const byte of nal) {
    const [a, b] = kept.slice(-2);
    if (byte === 3 && a === 0 && b === 0) kept.push(-1);
    else kept.push(byte);
  }
  return Buffer.from(kept.filter((byte) => byte !== -1));
};

const adtsFrames = (packet: Buffer): Buffer[] => {
  const frames: Buffer[] = [];
  for (let at = 0; at + 7 <= packet.length; ) {
    const length = (packet.readUInt32BE(at + 2) >> 5) & 0x1fff || packet.length;
    frames.push(packet.subarray(at, at + length));
    at += length;
  }
  return frames;
};

/** After the header and 16 clear bytes, all whole blocks are encrypted. */
const clearFrame = (frame: Buffer, decipher: Decipher): Buffer => {
  const head = (((frame[1] ?? 0) & 1) === 1 ? 7 : 9) + 16;
  const blocks = Math.max(0, Math.floor((frame.length - head) / 16));
  const end = head + 16 * blocks;
  return Buffer.concat([frame.subarray(0, head), decipher(frame.subarray(head, end)), frame.subarray(end)]);
};
