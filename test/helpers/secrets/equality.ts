import { expect } from "vitest";
import { Secret } from "../../../shared/basics/secret.ts";

/** Secrets are equal if their texts are: without this, all would be, since nothing looks into them. */
expect.addEqualityTesters([
  (one, other) =>
    one instanceof Secret || other instanceof Secret
      ? one instanceof Secret && other instanceof Secret && one.reveal() === other.reveal()
      : undefined,
]);
