import { z } from "zod";
import { lendingAction, lendingReport, lendingRules } from "../../shared/lending/lending.ts";

/** What the app tells its coordinator: where and how to serve. */
export const coordinatorStart = z.strictObject({
  type: z.literal("start"),
  dataDir: z.string(),
  /** The folder in which the command line finds the farm's credentials. */
  credentialsKey: z.string(),
  port: z.number().int().min(0).max(65_535),
});

/** The app's first message to its agent. */
export const agentStart = z.strictObject({
  type: z.literal("start"),
  dataDir: z.string(),
  joinToken: z.string(),
  roots: z.array(z.string()),
  slots: z.number().int().min(1).optional(),
  resourcesDir: z.string().optional(),
  lending: lendingRules,
  press: lendingAction.optional(),
});

/** What the desktop knows of its user. */
export const sense = z.strictObject({
  idleMs: z.number().nonnegative().optional(),
  isOnBattery: z.boolean().optional(),
  isAsleep: z.boolean().optional(),
});
export type Sense = z.output<typeof sense>;

/** Later messages from the app to its agent. */
export const agentOrder = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("rules"), lending: lendingRules, press: lendingAction.optional() }),
  z.strictObject({ type: z.literal("sense"), sense }),
]);
export type AgentOrder = z.output<typeof agentOrder>;

export const stop = z.strictObject({ type: z.literal("stop") });

const access = z.strictObject({
  baseUrl: z.string(),
  oapiKey: z.string(),
  oapiSecret: z.string(),
  authKey: z.string(),
  authSecret: z.string(),
});
export type Access = z.output<typeof access>;

/** Messages from both services to the app. A failing service reports why before it ends. */
export const serviceMessage = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("ready"),
    baseUrl: z.string(),
    dashboardUrl: z.string(),
    joinToken: z.string(),
    /** Null if this user's credentials for the farm are lost. */
    access: access.nullable(),
  }),
  z.strictObject({ type: z.literal("connected"), nodeId: z.number().int() }),
  z.strictObject({ type: z.literal("lending"), report: lendingReport }),
  /** The owner's button press is no longer in effect. */
  z.strictObject({ type: z.literal("pressSpent") }),
  z.strictObject({ type: z.literal("failed"), words: z.string() }),
]);
export type ServiceMessage = z.output<typeof serviceMessage>;
export type Ready = Extract<ServiceMessage, { type: "ready" }>;
