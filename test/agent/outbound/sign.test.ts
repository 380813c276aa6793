import { expect, test } from "vitest";
import { signed } from "../../../agent/outbound/sign.ts";

const key = {
  ...{ service: "service", region: "us-east-1", accessKeyId: "AKIDEXAMPLE" },
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
const time = Date.UTC(2015, 7, 30, 12, 36, 0);
const credential = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request";

// The expected signatures are those of AWS's published test suite for signature version 4.
test.each([
  ["GET", "https://example.amazonaws.com/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["POST", "https://example.amazonaws.com/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "GET",
    "https://example.amazonaws.com/?Param2=value2&Param1=value1",
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
])("%s %s is signed as AWS does it", (method, url, signature) => {
  expect(signed({ method, url, headers: {}, body: "" }, key, time)).toEqual({
    "x-amz-date": "20150830T123600Z",
    authorization: `${credential}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  });
});
