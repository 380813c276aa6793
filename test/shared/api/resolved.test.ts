import { expect, test } from "vitest";
import { valuesOf } from "../../../shared/api/resolved.ts";

test("each value of a payload tells whether it was sent, filled in or is a default", () => {
  const sent = { codec: "h264", height: "{{height}}", tags: [] };
  const filled = { codec: "h264", height: 360, tags: [], "preset.only": true };
  const whole = { ...filled, modulus: 2, list: [{ a: null }] };
  expect(valuesOf({ sent, filled, whole })).toEqual({
    values: [
      { path: "codec", value: '"h264"', sent: null, origin: "sent" },
      { path: "height", value: "360", sent: '"{{height}}"', origin: "filled" },
      { path: "tags", value: "[]", sent: null, origin: "sent" },
      { path: "preset.only", value: "true", sent: null, origin: "filled" },
      { path: "modulus", value: "2", sent: null, origin: "default" },
      { path: "list[0].a", value: "null", sent: null, origin: "default" },
    ],
    left_out: 0,
  });
});

test("of a payload with thousands of values the first thousand are told", () => {
  const whole = { list: Array.from({ length: 3000 }, (_, at) => at) };
  const { values, left_out } = valuesOf({ sent: {}, filled: {}, whole });
  expect([values.length, left_out]).toEqual([1000, 2000]);
});
