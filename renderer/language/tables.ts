import { causes } from "../../shared/causes.ts";
import * as kinds from "../../shared/elements/kinds.ts";
import { roles } from "../../shared/person.ts";
import { recipes } from "../../shared/recipes/index.ts";
import { attemptMachine } from "../../shared/state/attempt.ts";
import { states } from "../../shared/state/labels.ts";

/** The texts of tables in `shared/` that pages show, for the catalogue; no page imports this file. */
export const tableTexts = (): readonly string[] => [
  ...Object.values(states).flatMap(({ word, means }) => [word, word.toLowerCase(), means]),
  ...Object.values(causes).map(({ advice }) => advice),
  ...Object.keys(causes),
  ...Object.values(kinds).map(({ title }) => title),
  ...Object.keys(attemptMachine),
  ...roles,
  ...recipes.flatMap(({ title, says, fields }) => [
    ...[title, says],
    ...fields.flatMap(({ label }) => label),
    ...fields.flatMap((field) => (field.kind === "choice" ? field.choices.map(([, word]) => word) : [])),
  ]),
];
