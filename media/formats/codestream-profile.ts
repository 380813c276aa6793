/** The profile that codestreams of JPEG 2000 name, and the size by which they are known. */
export type CodestreamProfile = { readonly rsiz: number; readonly width: number; readonly height: number };

/** Bytes of the longest pattern: pieces that are searched one after the other overlap by so many. */
export const patternBytes = 16;

/**
 * Writes the profile's number into every codestream that begins in these bytes (marker SIZ of ISO/IEC 15444-1, A.5.1), and
 * into descriptions of one in MXF (SMPTE ST 422, local tag 8401). Tells how many codestreams there were.
 */
export const nameProfile = (bytes: Uint8Array, { rsiz, width, height }: CodestreamProfile): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let found = 0;
  for (let at = 0; at + patternBytes <= bytes.length; at += 1) {
    if (bytes[at] === 0xff && isCodestream(view, at, width, height)) {
      view.setUint16(at + 6, rsiz);
      found += 1;
    } else if (bytes[at] === 0x84 && isDescription(view, at, width)) view.setUint16(at + 4, rsiz);
  }
  return found;
};

/** SOC, SIZ, its length, the profile, width and height. */
const isCodestream = (view: DataView, at: number, width: number, height: number): boolean =>
  view.getUint32(at) === 0xff4f_ff51 && view.getUint32(at + 8) === width && view.getUint32(at + 12) === height;

/** Tag 8401 of two bytes, and tag 8402 of four with the width. */
const isDescription = (view: DataView, at: number, width: number): boolean =>
  view.getUint32(at) === 0x8401_0002 && view.getUint32(at + 6) === 0x8402_0004 && view.getUint32(at + 10) === width;
