import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { elements } from "../../media/elements/index.ts";
import { refusedFields } from "../../media/elements/transcode/conflicts/unsupported-fields.ts";

/** What is refused, read from the program: its table of fields, its kinds of elements, and its sentences. */

const root = join(import.meta.dirname, "../..");

/** Fields of a transcode by the object that holds them. */
export const fieldRows = (): string[][] =>
  Object.entries(refusedFields).flatMap(([level, fields]) =>
    Object.entries(fields).map(([field, why]) => [`\`${level}.${field}\``, why]),
  );

/** Kinds of elements whose jobs are taken with a warning, and fail. */
export const elementRows = (): string[][] =>
  elements.flatMap(({ kind, caution }) => (caution === undefined ? [] : [[`\`${kind}\``, caution]]));

/** What tasks say where a value, or what a source holds, cannot be done: the sentences of `capabilityError`. */
export const sentenceRows = (): string[][] => {
  const found = filesIn(join(root, "media")).flatMap((path) =>
    sentencesIn(readFileSync(path, "utf8")).map((sentence) => [roomOf(path), sentence] as const),
  );
  const unique = new Map(found.map(([room, sentence]) => [`${room} ${sentence}`, [room, sentence]]));
  return [...unique.values()].sort((a, b) => a.join().localeCompare(b.join(), "en"));
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => join(parentPath, name));

const roomOf = (path: string): string => {
  const [, ...rooms] = path.slice(root.length + 1).split("/");
  const [first = "", second = ""] = rooms[0] === "elements" ? rooms.slice(1) : rooms;
  return first === "transcode" ? (second.endsWith(".ts") ? first : `${first}, ${second}`) : first.replace(/\.ts$/, "");
};

/** The texts of a file that say that something is not implemented, with … where names and numbers are filled in. */
const sentencesIn = (source: string): string[] =>
  [...source.matchAll(/`([^`\n]*(?:is|are) not (?:implemented|supported)[^`\n]*)`/g)].flatMap(([, text = ""]) => {
    const words = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replaceAll(/…(?:\.…)+/g, "…");
    const isBare = /^… (?:"…" )?is not implemented yet(?:: …)?$/.test(words);
    return isBare
      ? []
      : [
          words
            .replace(/^…[.:] /, "")
            .replace(/^}/, "…")
            .replaceAll("|", "\\|"),
        ];
  });
