import { expect, test } from "vitest";
import { signatureHeaders } from "../../../coordinator/outbound/signature.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { webhookSecret } from "../../../shared/outbound/webhook-secret.ts";

test("the signature is the one that the specification's example has", () => {
  const secret = new Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = '{"test": 2432232314}';
  expect(signatureHeaders({ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1614265330_999, body }, [secret])).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test.each([
  ["24 bytes", `whsec_${"A".repeat(32)}`, true],
  ["32 bytes", `whsec_${"A".repeat(43)}=`, true],
  ["64 bytes", `whsec_${"A".repeat(86)}==`, true],
  ["23 bytes", `whsec_${"A".repeat(31)}=`, false],
  ["66 bytes", `whsec_${"A".repeat(88)}`, false],
  ["no prefix", "A".repeat(32), false],
  ["base64 for addresses", `whsec_${"A".repeat(31)}_`, false],
  ["a length that base64 does not have", `whsec_${"A".repeat(33)}`, false],
])("a key of %s: %s is taken: %s", (_, text, isTaken) => {
  expect(webhookSecret.safeParse(text).success).toBe(isTaken);
});
