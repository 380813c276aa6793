import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { expect, test } from "vitest";
import { sbomOf } from "../../../cli/package/sbom.ts";

const zod = { name: "zod", version: "4.6.7", licence: "MIT" };
const engine = { name: "@jitl/engine", version: "1.0.0", licence: "SEE LICENSE IN LICENSE" };
const nameless = { name: "odd", version: "1.2.3-rc.1" };

test("a bill of materials is valid CycloneDX and names each library once, by its address", {
  timeout: 60_000,
}, async () => {
  const sbom = sbomOf("0.1.0", [zod, engine, zod, nameless], 1_790_000_000);
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(JSON.stringify(sbom))).toBeNull();
  expect(await validator.validate(JSON.stringify({ ...sbom, serialNumber: "7" }))).not.toBeNull();
  expect(sbom).toMatchObject({
    metadata: { timestamp: "2026-09-21T14:13:20.000Z" },
    components: [
      { purl: "pkg:npm/%40jitl/engine@1.0.0", licenses: [{ license: { name: "SEE LICENSE IN LICENSE" } }] },
      { purl: "pkg:npm/odd@1.2.3-rc.1" },
      { purl: "pkg:npm/zod@4.6.7", licenses: [{ expression: "MIT" }] },
    ],
  });
});

test("the same libraries give the same bill, others another number", () => {
  const text = (parts: Parameters<typeof sbomOf>[1]) => JSON.stringify(sbomOf("0.1.0", parts, 0));
  expect(text([engine, zod])).toBe(text([zod, engine]));
  const numbers = [[zod], [engine], []].map((parts) => JSON.parse(text(parts)).serialNumber);
  expect(new Set(numbers).size).toBe(3);
});
