import { expect, test } from "vitest";
import { elementKinds, elementOf } from "../../../media/elements/index.ts";
import { holdsSecrets, redact } from "../../../shared/credentials/redact.ts";
import { type Path, textsIn } from "../../helpers/secrets/schema-texts.ts";

/** Names that sound as if others should not read what the field holds. */
const sounding =
  /pass|secret|token|key|auth|cred|sign|cookie|^env$|args|shell|command|body|payload|header|attributes|access|private|query|comment/i;

/** Fields that sound so and hold nothing secret, by their last keys, each with its reason. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/\.options\.header_mask$/, "which lines a report has"],
  [/_comments$/, "remarks about a programme, for those who watch it"],
  [/\.author$/, "a person's name, written into the file"],
  [/\.key_file_pattern$/, "a file's name"],
  [/\.key_id$/, "players read it in the clear"],
  [/\.message_pass$/, "what is said of a passed check"],
  [/\.(?:extenc|boxtool|service_encoder|ffmpeg_source)_args(?:\.\[\])?$/, "arguments of encoders, which results list"],
  [/\.nr_of_passes$/, "a number"],
  [/\.forced_keyframes\.\[\]$/, "moments"],
  [/^watchfolder\.settings\.key$/, "a name for a memory, and its owner's own"],
];

test("every field of a payload that may hold a secret is hidden from others, and sealed; a new one is found by itself", () => {
  const all = elementKinds.flatMap((kind) => {
    const schema = elementOf(kind)?.payload;
    const paths = schema ? [...textsIn(schema)].filter(soundsSecret) : [];
    return paths.map((path) => ({ name: `${kind}.${path.join(".")}`, path }));
  });
  const secret = all.filter(({ name }) => !plain.some(([what]) => what.test(name)));
  expect(secret.filter(({ path }) => !isKept(path)).map(({ name }) => name)).toEqual([]);
  expect(secret.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["notify.rest.password", "script.payload.commands.[].env.*", "notify.rest.headers.*"]),
  );
  for (const [what] of plain)
    expect([what.source, all.some(({ name }) => what.test(name))]).toEqual([what.source, true]);
});

/** By its own name; a header by its list's. */
const soundsSecret = (path: Path): boolean => {
  const [list = "", last = ""] = path.filter((part) => part !== "[]" && part !== "*").slice(-2);
  return sounding.test(path.includes("headers") && last === "value" ? list : last || list);
};

/** Hidden from others, and sealed on the disk. */
const isKept = (path: Path): boolean => {
  const payload = withMark(path);
  return !JSON.stringify(redact(payload)).includes(mark) && holdsSecrets(JSON.stringify(payload));
};

const mark = "zq7Mark";

/** The smallest payload that has the mark there. */
const withMark = (path: Path): unknown =>
  path.reduceRight<unknown>((inner, part) => (part === "[]" ? [inner] : { [part === "*" ? "x" : part]: inner }), mark);
