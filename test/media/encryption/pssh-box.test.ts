import { expect, test } from "vitest";
import { psshBoxOf } from "../../../media/encryption/pssh-box.ts";
import { encryption } from "../../../media/encryption/schema.ts";
import { hexOfBytes } from "../../../shared/basics/hex.ts";

const header =
  '<WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader" version="4.0.0.0"></WRMHEADER>';

/** A PlayReady object around a header, as its packagers write it. */
const playReadyObject = (): Buffer => {
  const text = Buffer.from(header, "utf16le");
  const head = Buffer.alloc(10);
  head.writeUInt32LE(text.length + 10, 0);
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(1, 6);
  head.writeUInt16LE(text.length, 8);
  return Buffer.concat([head, text]);
};

const systemId = "9a04f07998404286ab92e65be0885f95";

test("a PlayReady object becomes a PSSH box, in whatever spelling it comes", () => {
  const object = playReadyObject();
  const head = Buffer.alloc(32);
  head.writeUInt32BE(object.length + 32, 0);
  head.write("pssh", 4);
  head.write(systemId, 12, "hex");
  head.writeUInt32BE(object.length, 28);
  const box = Buffer.concat([head, object]);
  for (const text of [object.toString("base64"), object.toString("hex"), header, box.toString("base64")])
    expect(hexOfBytes(psshBoxOf(text, "playready") ?? new Uint8Array())).toBe(box.toString("hex"));
  expect(psshBoxOf(object.toString("base64"), "widevine")).toBeUndefined();
});

test.each(["AAAA", "no base64!", "0011223344556677", playReadyObject().subarray(0, 40).toString("base64")])(
  "%s is refused when the job is submitted",
  (playready_pssh) => {
    const read = encryption.safeParse({ playready_pssh });
    expect(read.error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [["playready_pssh"], "is no PSSH box and no PlayReady object in hexadecimal or base64"],
    ]);
  },
);
