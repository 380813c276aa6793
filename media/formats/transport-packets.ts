export const packetBytes = 188;

/** The number of packets that only fill a stream of constant rate. */
export const nullPid = 0x1fff;

/** The number that says what a packet belongs to. */
export const pidOf = (packet: Uint8Array): number => ((packet[1] ?? 0) & 0x1f) * 256 + (packet[2] ?? 0);

/** The position of the payload; the packet's length if it has none. */
export const payloadAt = (packet: Uint8Array): number => {
  const control = (packet[3] ?? 0) & 0x30;
  if (!(control & 0x10)) return packetBytes;
  return control & 0x20 ? Math.min(packetBytes, 5 + (packet[4] ?? 0)) : 4;
};

/** Packets with this number become null packets, which every receiver drops. Tells how many; throws where none begins. */
export const withNullPackets = (bytes: Uint8Array, pid: number): number => {
  let changed = 0;
  for (let at = 0; at + packetBytes <= bytes.length; at += packetBytes) {
    if (bytes[at] !== 0x47) throw new Error(`no packet begins at byte ${at}`);
    if (pidOf(bytes.subarray(at)) !== pid) continue;
    bytes.set([0x1f, 0xff, 0x10], at + 1);
    bytes.fill(0xff, at + 4, at + packetBytes);
    changed += 1;
  }
  return changed;
};
