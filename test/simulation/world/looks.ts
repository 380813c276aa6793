import type { Farm } from "../../../coordinator/farm.ts";
import { listNodeFolder } from "../../../coordinator/files/node-files.ts";
import { fenceOf } from "../../../coordinator/store/rows.ts";
import { here } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import { shareAt } from "./places.ts";

/** Somebody looks at the farm; what he is told changes nothing in it. */
type Look = (farm: Farm, random: Random) => Promise<unknown>;

const someNode = ({ registry }: Farm, random: Random): number | undefined => {
  const all = [...registry.offers()].map(({ nodeId }) => nodeId);
  return all.length === 0 ? undefined : random.one(all);
};

const readLog: Look = async ({ values, liveLogs }, random) => {
  const open = values.openAttempts();
  if (open.length === 0) return;
  const attempt = random.one(open);
  await liveLogs.look(attempt.node_id, fenceOf(attempt));
};

const listFolder: Look = async (farm, random) => {
  const node = someNode(farm, random);
  if (node !== undefined) await listNodeFolder(farm, node, random.one([shareAt, `${shareAt}/in`, `${shareAt}/none`]));
};

/** He closes the page before the preview is there. */
const beginPreview: Look = async (farm, random) => {
  const node = someNode(farm, random);
  if (node === undefined) return;
  const gone = new AbortController();
  here().after(random.wait(1000), () => gone.abort());
  const uri = `file://${shareAt}/in/master-${random.integer(0, 4)}.mp4`;
  await farm.nodeRequests.request(node, { do: "preview", uri }, gone.signal);
};

export const looks: readonly Look[] = [readLog, listFolder, beginPreview];
