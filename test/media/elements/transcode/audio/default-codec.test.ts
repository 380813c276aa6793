import { expect, test } from "vitest";
import { defaultCodec } from "../../../../../media/elements/transcode/audio/default-codec.ts";
import { audioTarget } from "../../../../../media/elements/transcode/audio/schema.ts";

const audio = audioTarget.parse({});
const chosen = (source: string, held: RegExp) =>
  defaultCodec({ audio, container: undefined, source, isHeld: (codec) => held.test(codec) })?.names[0];

test("sound without a codec keeps the source's where the container holds it, and else gets the most usual one", () => {
  expect(chosen("ac3", /^(aac|ac3)$/)).toBe("ac3");
  expect(chosen("aac", /^pcm_s24le$/)).toBe("pcm");
  expect(chosen("pcm_s24le", /^(aac|mp3)$/)).toBe("aac");
  expect(chosen("dts", /^(opus|vorbis)$/)).toBe("opus");
  expect(chosen("aac", /^$/)).toBeUndefined();
});
