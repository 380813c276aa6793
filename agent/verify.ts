import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { MediaFacts } from "../shared/asset.ts";
import { TaskError } from "../shared/causes.ts";
import { unmetExpectations } from "../shared/ffmpeg/verify.ts";
import { joinUri } from "../shared/location.ts";
import type { Intent, IntentFile, Work } from "../shared/work.ts";
import { lstatIfThere, syncFolder } from "./disk.ts";
import { flushedIdentityOf } from "./file-identity.ts";
import { firstFree } from "./free-name.ts";
import type { MediaTools } from "./media-tools.ts";
import type { OutputPlace, Places } from "./places.ts";
import { renamed } from "./publish.ts";
import { namesIn } from "./sequence.ts";

export type VerifyNeeds = {
  readonly work: Work;
  readonly places: Places;
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
};

/** One made file, where it lies and where it goes. */
type MadeFile = { readonly path: string; readonly temp: string; readonly final: string; readonly finalPath: string };

/** Checks what was made against what was asked for, flushes it, and describes it so that any node can publish it. */
export const verifyOutputs = async ({ work, places, tools, signal }: VerifyNeeds): Promise<Intent> => {
  const files: IntentFile[] = [];
  const copied = new Set(work.steps.flatMap((step) => (step.do === "copy" ? [step.to] : [])));
  const taken = new Set<string>();
  for (const place of places.outputs.values()) {
    signal.throwIfAborted();
    const made = await filesOf(place);
    const facts = await factsOf({ place, first: made[0]?.path, tools, signal });
    for (const [index, file] of made.entries()) {
      const { size, identity } = await flushed(file.path, file.finalPath);
      if (size === 0 && !copied.has(place.id)) throw new TaskError("media", `${place.output.name} came out empty`);
      const final = await freeFinal(place, file, taken);
      const of = index === 0 ? facts : undefined;
      files.push({
        output: place.id,
        temp: file.temp,
        final,
        size,
        identity,
        existing: place.output.existing,
        facts: of,
      });
    }
    await syncFolder(place.output.isSequence ? place.temp : place.folder);
  }
  return { files };
};

const filesOf = async (place: OutputPlace): Promise<MadeFile[]> => {
  const { output, temp, tempUri, final, finalUri, folder } = place;
  if (!output.isSequence) {
    if (await lstatIfThere(temp)) return [{ path: temp, temp: tempUri, final: finalUri, finalPath: final }];
    throw new TaskError("media", `${output.name}: the tool ended well, but made no file`);
  }
  const names = (await namesIn(temp)).sort(leavesFirst);
  const least = Math.max(1, output.expect?.files ?? 1);
  if (names.length < least) {
    throw new TaskError("media", `${output.name}: ${names.length} files were made, at least ${least} were expected`);
  }
  return names.map((name) => ({
    path: join(temp, name),
    temp: joinUri(tempUri, name),
    final: joinUri(output.folder, name),
    finalPath: join(folder, name),
  }));
};

const playlists = new Set([".m3u8", ".mpd"]);

/** Playlists last: whoever reads one finds all that it names. */
const leavesFirst = (a: string, b: string): number =>
  Number(playlists.has(extname(a))) - Number(playlists.has(extname(b))) || a.localeCompare(b, "en", { numeric: true });

type FactNeeds = Pick<VerifyNeeds, "tools" | "signal"> & {
  readonly place: OutputPlace;
  readonly first: string | undefined;
};

const factsOf = async ({ place, first, tools, signal }: FactNeeds): Promise<MediaFacts | undefined> => {
  const { name, expect } = place.output;
  if (expect === undefined || first === undefined) return undefined;
  const { size } = await stat(first);
  const facts = await tools.probe({ path: first, size, name, signal });
  const unmet = unmetExpectations(expect, facts);
  if (unmet.length === 0) return facts;
  throw new TaskError("media", `${name} is not what was asked for: ${unmet.join("; ")}`);
};

const flushed = async (path: string, name: string) => {
  const identity = await flushedIdentityOf(path);
  if (identity) return identity;
  throw new TaskError("media", `${name}: what the tool made is gone`);
};

/** `rename_new` decides on a name now, so that a crash later finds it in the intent. */
const freeFinal = async (place: OutputPlace, { final, finalPath }: MadeFile, taken: Set<string>): Promise<string> => {
  if (place.output.existing !== "rename_new") return final;
  const path = await firstFree(finalPath, async (each) => taken.has(each) || (await lstatIfThere(each)) !== undefined);
  taken.add(path);
  return path === finalPath ? final : renamed(final, path);
};
