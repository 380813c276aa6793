import { expect, test } from "vitest";
import { tryKeys } from "../../../agent/files/try.ts";
import type { StorageViewOf } from "../../../agent/paths/storage-view.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { storageViewsOf } from "../../helpers/agent/agent-fixture.ts";
import { readCredential } from "../../helpers/secrets/credentials.ts";

const [uri, password] = ["ftp://host/in", "s3cret-of-the-test"];
const keys = [{ prefix: uri, credential: readCredential({ kind: "ftp", username: "lender", password }) }];

test("a view's words for people contain no secrets of its credentials; one that any text could hold is left", () => {
  const short = { prefix: "http://host", credential: readCredential({ kind: "http", token: "in" }) };
  const view = storageViewsOf("/tmp")({ secrets: [...keys, short] });
  expect(view.named(`PASS ${password} in vain`)).toBe("PASS (hidden) in vain");
});

test("storage that repeats a password does not bring it into the answer of a trial", async () => {
  const viewOf: StorageViewOf = (wish) => {
    const view = storageViewsOf("/tmp")(wish);
    const list = (): never => {
      throw new TaskError("storage", `530 not ${password}`);
    };
    return { ...view, storageOf: (at) => ({ ...view.storageOf(at), list }) };
  };
  const problem = await tryKeys({ do: "try", uri, keys }, viewOf).catch((error: unknown) => error);
  expect(problem).toMatchObject({ failure: { cause: "storage", message: "530 not (hidden)" } });
});
