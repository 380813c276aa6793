import type { Stats } from "node:fs";
import { messageOf } from "../../shared/basics/errors.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { sourceError, type TaskError } from "../../shared/model/failure.ts";
import { withEditLists } from "../formats/edit-lists.ts";
import { refuseUnsafe } from "../paths/input-guard.ts";
import { openChecked } from "../roots/checked-file.ts";
import type { OpenFilesFactory } from "../roots/open-files.ts";
import type { MediaTools } from "../tools/media-tools.ts";

export type OpenMediaNeeds = { readonly holder: OpenFilesFactory; readonly tools: Pick<MediaTools, "probe"> };

/** A media file that stays open while it is used. */
export type OpenMedia = AsyncDisposable & {
  /** The path under which programs open it. */
  readonly path: string;
  /** Identifies the file and its state: another file, or a changed one, has another value. */
  readonly state: string;
  readonly size: number;
  readonly facts: (signal: AbortSignal) => Promise<MediaFacts>;
  /** Throws TaskError `source` if it was written to since it was opened. */
  readonly refuseChanged: () => Promise<void>;
  /** The error, with names that people know and without passwords. */
  readonly named: (error: unknown) => string;
};

const mostFacts = 50;

/** Opens media files by checked paths; the facts of the last ones are kept. Throws TaskError in words. */
export const createMediaOpener = ({ holder, tools }: OpenMediaNeeds) => {
  const known = new Map<string, MediaFacts>();

  const probe = async (path: string, name: string, stats: Stats, signal: AbortSignal): Promise<MediaFacts> => {
    await refuseUnsafe(path, undefined);
    return withEditLists(await tools.probe({ path, peek: true, size: stats.size, name, signal }), path);
  };

  return async (real: string): Promise<OpenMedia> => {
    const handle = await openChecked(real);
    const holds = holder.begin();
    const stats = await handle.stat();
    const held = stats.isFile() ? holds.keep(handle, real) : undefined;
    const close = async () => {
      if (held === undefined) await handle.close();
      await holds.release();
    };
    if (!stats.isFile()) {
      await close();
      throw sourceError(`${real} is not a regular file`);
    }
    const path = held ?? real;
    const state = stateOf(stats);
    return {
      path,
      state,
      size: stats.size,
      facts: async (signal) => {
        const facts = known.get(state) ?? (await probe(path, real, stats, signal));
        known.delete(state);
        known.set(state, facts);
        for (const oldest of known.keys()) if (known.size > mostFacts) known.delete(oldest);
        return facts;
      },
      refuseChanged: async () => {
        if (stateOf(await handle.stat()) !== state) throw changed(real);
      },
      named: (error) => redactText(holds.named(messageOf(error))),
      [Symbol.asyncDispose]: close,
    };
  };
};

export const changed = (real: string): TaskError =>
  sourceError(`${real} has changed since its preview was opened: open it again`);

const stateOf = ({ dev, ino, size, mtimeMs }: Stats): string => [dev, ino, size, Math.floor(mtimeMs)].join(".");
