import { type AgentMessage, type Assignment, agentMessage, type Fence } from "../../../shared/protocol/messages.ts";
import type { Random } from "../attack.ts";
import { type Field, fieldsOf, valuesFor } from "./fields.ts";
import { type Making, makeValue } from "./values.ts";

/** What a liar knows of the farm, and has been asked. */
export type Knowledge = {
  readonly random: Random;
  /** Addresses of other people's files. */
  readonly uris: readonly string[];
  readonly names: readonly string[];
  /** Its own assignments, the latest last. */
  readonly own: readonly Assignment[];
  /** Assignments that an honest node holds: whoever attacks may know all of them. */
  readonly others: readonly Assignment[];
  /** Numbers of questions that were put to it. */
  readonly asked: readonly number[];
  /** Numbers of questions that an honest node is about to answer. */
  readonly othersAsked: readonly number[];
  /** The coordinator's epoch. */
  readonly epoch: number;
};

export type AgentType = AgentMessage["type"];

/** The schema of each message that a node sends. */
const schemas = new Map(
  agentMessage.options.map((schema) => [[...schema.shape.type._zod.values][0] as AgentType, schema]),
);

export const agentTypes: readonly AgentType[] = [...schemas.keys()];

/** A message of its schema, whose every field may lie. */
export const lieOf = (type: AgentType, knowledge: Knowledge, badness: number, isSound = false): unknown => {
  const schema = schemas.get(type);
  if (!schema) throw new Error(`${type} is no message of a node`);
  const value = makeValue(schema, { ...makingOf(knowledge, badness), isSound });
  return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value, type } : value;
};

const makingOf = (knowledge: Knowledge, badness = 0): Making => ({
  random: knowledge.random,
  known: (field) => knownAs(field, knowledge),
  badness,
});

/** One field of a message, and one thing that is put there. */
export type FieldLie = Pick<Field, "path"> & {
  readonly type: AgentType;
  readonly make: (knowledge: Knowledge) => unknown;
};

/** Every field of every message with everything that is wrong in it, the rest of the message being sound. */
export const fieldLies: readonly FieldLie[] = [...schemas].flatMap(([type, schema]) =>
  fieldsOf(schema, type).flatMap(({ path, schema: inner, around }) =>
    valuesFor(inner).map((value) => ({
      ...{ type, path },
      make: (knowledge: Knowledge) => around(value(knowledge.random), { ...makingOf(knowledge), isSound: true }),
    })),
  ),
);

/** Fields that mean something: attempts of its own and of others, other people's files and names. */
const knownAs = (field: string, knowledge: Knowledge): unknown => {
  const { random, uris, names, own, asked } = knowledge;
  if (field === "fence") return fenceOf(knowledge);
  if (field === "taskId" || field === "nodeId") return random.integer(1, 400);
  if (field === "uri" || field === "final" || field === "temp" || field === "paths" || field === "folder")
    return random.one(uris);
  if (field === "name") return random.one(names);
  // Questions are numbered one after the other, whoever is asked.
  if (field === "id")
    return (random.chance(0.7) ? (asked.at(-1) ?? 0) : random.integer(0, 2000)) + random.integer(-2, 4);
  if (field === "output" || field === "key")
    return own.length > 0 ? (Object.keys(random.one(own).work.outputs)[0] ?? "main") : undefined;
  return undefined;
};

/** Of its own attempt as often as not, else of somebody's before or after it, or of another time. */
const fenceOf = ({ random, own, others, epoch }: Knowledge): Fence => {
  if (others.length > 0 && random.chance(0.3)) return random.one(others).fence;
  const latest = own.at(-1)?.fence ?? { epoch, counter: random.integer(1, 200) };
  const roll = random.integer(0, 9);
  if (roll < 4 && own.length > 0) return random.one(own).fence;
  if (roll < 9) return { ...latest, counter: Math.max(0, latest.counter + random.integer(-20, 5)) };
  return { epoch: latest.epoch + random.integer(-2, 2), counter: random.one([0, -1, latest.counter, 2 ** 53 - 1]) };
};
