import { expect, test } from "vitest";
import { withDurations } from "../../../media/manifests/dash-durations.ts";

const manifest = (whole: string, longest: string, type = "static") => `<MPD
	type="${type}"
	mediaPresentationDuration="${whole}"
	maxSegmentDuration="${longest}">
<SegmentTemplate timescale="30000" media="v$Number$.m4s"><SegmentTimeline><S t="0" d="30030" r="2" /></SegmentTimeline></SegmentTemplate>
<SegmentTemplate timescale="48000" media="a$Number$.m4s"><SegmentTimeline><S t="0" d="47688" /><S d="48000" /><S d="9912" /></SegmentTimeline></SegmentTemplate>
</MPD>`;

test("a manifest lasts as long as its longest timeline, to the millisecond, and names its longest segment", () => {
  expect(withDurations(manifest("PT3.0S", "PT1.0S"))).toBe(manifest("PT3.003S", "PT1.001S"));
});

test("what grows, and what is told to the millisecond, stays", () => {
  for (const each of [manifest("PT3.0S", "PT1.0S", "dynamic"), manifest("PT3.003S", "PT1.001S"), "<MPD></MPD>"])
    expect(withDurations(each)).toBe(each);
});

test("hours and minutes are counted, and times that begin later", () => {
  const long = manifest("PT1H0M3.0S", "PT2.0S").replace('t="0" d="30030" r="2"', 't="108000000" d="60060"');
  expect(withDurations(long)).toContain('mediaPresentationDuration="PT1H0M2.002S"');
  const offset = manifest("PT3.0S", "PT2.0S").replace(
    'timescale="30000"',
    'timescale="30000" presentationTimeOffset="30000"',
  );
  expect(withDurations(offset)).toContain('mediaPresentationDuration="PT2.200S"');
});
