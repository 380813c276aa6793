import { wordsIn } from "../../shared/basics/words.ts";
/** What a file is by its first bytes, whatever its name. */
export type Sniffed =
  | { readonly kind: "empty" | "text" | "media" | "unknown" }
  /** Text that refers to other files: never passed to ffmpeg, which would open them. */
  | { readonly kind: "reference"; readonly what: string };

/** A few thousand bytes are enough for every pattern here. */
export const sniffBytes = 8192;

const references: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^#EXTM3U/i, "HLS playlist"],
  [/^ffconcat\b/i, "concat list"],
  [/^(?:#[^\n]*\n\s*)*file\s+(?:['"/.\\]|\S+\s*(?:\n|$))/i, "concat list"],
  [/<(?:\w+:)?MPD[\s>]/i, "DASH manifest"],
  [/<(?:\w+:)?(?:CompositionPlaylist|PackingList|AssetMap|OutputProfileList)[\s>]/i, "IMF document"],
  [/<SmoothStreamingMedia[\s>]/i, "Smooth Streaming manifest"],
  [/^v=0\s*$|^c=IN\s+IP/im, "SDP description"],
  [/<smil[\s>]/i, "SMIL document"],
  [/<asx[\s>]/i, "ASX playlist"],
  [/<(?:\w+:)?playlist[\s>]/i, "XSPF playlist"],
  [/^\[(?:playlist|reference)\]/i, "playlist"],
  [/<svg[\s>]/i, "SVG drawing"],
  [/^RTSPtext|^rtsp:\/\//i, "RTSP reference"],
  [/^FILE\s+"/im, "cue sheet"],
];

const boxes = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]);

/** The first bytes of common media, in Latin-1. */
const marks: readonly string[] = [
  ...wordsIn("RIFF RF64 BW64 FORM OggS fLaC ID3 FLV caff .RMF DKIF nut/multimedia GIF8 BM SDPX XPDS"),
  ...["II*\0", "MM\0*", "\x89PNG", "\x76\x2f\x31\x01", "\xff\xd8\xff", "\x1a\x45\xdf\xa3"],
  ...["\x06\x0e\x2b\x34", "\x30\x26\xb2\x75", "\0\0\x01", "\0\0\0\x01", "\x0b\x77"],
];

/** Recognises the head of a file. Subtitles (SubRip, WebVTT, SCC, TTML) are text. */
export const sniff = (head: Uint8Array): Sniffed => {
  if (head.length === 0) return { kind: "empty" };
  const text = (decodeText(upToNul(behindTags(head))).split("\0", 1)[0] ?? "").trimStart();
  const found = references.find(([pattern]) => pattern.test(text));
  if (found) return { kind: "reference", what: found[1] };
  if (!isUtf16(head) && isMedia(String.fromCharCode(...head.subarray(0, 512)))) return { kind: "media" };
  return { kind: isText(decodeText(head)) ? "text" : "unknown" };
};

/**
 * ffmpeg's own probes also stop at a NUL, so nothing after one can make a manifest, and media need not be decoded as
 * text. In UTF-16 every other byte is one.
 */
const upToNul = (head: Uint8Array): Uint8Array => {
  const end = isUtf16(head) ? -1 : head.indexOf(0);
  return end < 0 ? head : head.subarray(0, end);
};

/** ffmpeg detects a file's type after its ID3 tags, so a playlist may hide there. */
const behindTags = (head: Uint8Array): Uint8Array => {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = head;
  if (i !== 0x49 || d !== 0x44 || three !== 0x33 || (a | b | c | e) > 0x7f) return head;
  return behindTags(head.subarray(10 + (((a << 7) | b) << 14) + ((c << 7) | e)));
};

const isMedia = (raw: string): boolean =>
  marks.some((bytes) => raw.startsWith(bytes)) || isBox(raw) || isTransportStream(raw) || isAudioFrame(raw);

// A QuickTime file begins with a box; its length is below 16 MiB, or 1 for "see further on".
const isBox = (raw: string) => raw.startsWith("\0") && boxes.has(raw.slice(4, 8));

const isTransportStream = (raw: string) =>
  (raw[0] === "G" && raw[188] === "G" && raw[376] === "G") || (raw[4] === "G" && raw[196] === "G" && raw[388] === "G");

const isAudioFrame = (raw: string) => raw.startsWith("\xff") && raw.charCodeAt(1) >= 0xe0 && raw.charCodeAt(1) < 0xfe;

/** They remove a byte order mark. Creating one takes longer than decoding a head. */
const decoders = {
  "utf-8": new TextDecoder("utf-8"),
  "utf-16le": new TextDecoder("utf-16le"),
  "utf-16be": new TextDecoder("utf-16be"),
};

/** Bytes as text, by their byte order mark or content. */
export const decodeText = (head: Uint8Array): string => decoders[isUtf16(head) || "utf-8"].decode(head);

const isUtf16 = (head: Uint8Array): "utf-16le" | "utf-16be" | false => {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 && second !== undefined ? "utf-16be" : false;
};

/** Text has almost no control characters except white space, and almost no invalid UTF-8. */
const isText = (text: string): boolean => [...text].filter(isOdd).length <= text.length / 100;

const isOdd = (character: string): boolean =>
  character === "\ufffd" || (character < " " && !["\t", "\n", "\r", "\f", "\v"].includes(character));
