import * as kinds from "../../media/elements/kinds.ts";
import { jobTemplates } from "../../media/job-templates/index.ts";
import { causes } from "../../shared/model/failure.ts";
import { states } from "../../shared/model/state-labels.ts";
import { roles } from "../../shared/people/person.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import { attemptMachine } from "../../shared/state/attempt.ts";
import { quarantineReasons } from "../../shared/state/node.ts";

/** The texts of tables in `shared/` that pages show, for the catalogue; no page imports this file. */
export const tableTexts = (): readonly string[] => [
  ...Object.values(states).flatMap(({ word, means }) => [word, word.toLowerCase(), means]),
  ...Object.values(causes).map(({ advice }) => advice),
  ...Object.keys(causes),
  ...Object.values(kinds).map(({ title }) => title),
  ...Object.keys(attemptMachine),
  ...roles,
  ...Object.values(signInRefusals),
  ...Object.values(quarantineReasons),
  ...jobTemplates.flatMap(({ title, says, fields }) => [
    ...[title, says],
    ...fields.flatMap(({ label }) => label),
    ...fields.flatMap((field) => (field.kind === "choice" ? field.choices.map(([, word]) => word) : [])),
  ]),
];
