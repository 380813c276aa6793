/** What the file says of its track. */
export type Described = {
  /** ISO 639-2. */
  readonly language: string;
  readonly pageId: number;
  /** `subtitling_type` of ETSI EN 300 468. */
  readonly type: number;
};

/** The unit of a transport stream does not tell a longer length. */
export const mostBytes = 65_000;

/** A Matroska file (RFC 9559) of nothing but DVB subtitles: what stands before the pages. Times are milliseconds. */
export const trackHead = ({ language, pageId, type }: Described): number[] => {
  const page = [pageId >> 8, pageId & 0xff];
  const track = element(0xae, [
    ...element(0xd7, [1]), // TrackNumber
    ...element(0x73c5, [1]), // TrackUID
    ...element(0x83, [0x11]), // TrackType: subtitles
    ...element(0x86, letters("S_DVBSUB")), // CodecID
    ...element(0x63a2, [...page, ...page, type]), // CodecPrivate
    ...element(0x22_b59c, letters(language)), // Language
  ]);
  const kind = [...element(0x4282, letters("matroska")), ...element(0x4287, [4]), ...element(0x4285, [2])];
  return [
    ...element(0x1a45_dfa3, kind),
    ...[0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], // Segment of unknown size
    ...element(0x1549_a966, element(0x2a_d7b1, numbered(1_000_000))), // Info: TimestampScale
    ...element(0x1654_ae6b, track),
  ];
};

/** A display set at its time, in a cluster of its own. */
export const trackCluster = (segments: readonly number[], ms: number): number[] =>
  element(0x1f43_b675, [
    ...element(0xe7, numbered(ms)), // Timestamp
    ...element(0xa3, [0x81, 0, 0, 0x80, ...segments]), // SimpleBlock of track 1, a key frame
  ]);

const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0) & 0x7f);

/** The fewest bytes. */
const numbered = (value: number): number[] => {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes.length > 0 ? bytes : [0];
};

/** Sizes have four bytes. */
const element = (id: number, data: readonly number[]): number[] => [
  ...numbered(id),
  ...[0x10 | (data.length >> 24), (data.length >> 16) & 0xff, (data.length >> 8) & 0xff, data.length & 0xff],
  ...data,
];
