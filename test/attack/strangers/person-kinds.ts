import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { ask, askAndNotRead, wire } from "./means.ts";
import { json, type Kinds, look } from "./ways.ts";

/** What people who may look do at their worst. */
export const personKinds = {
  "searches of 2,000 letters": {
    who: "person",
    does: (world) => look(world, 16, `/jobs?text=${"ab".repeat(1000)}&sort=name&flat=true&take=1000`),
  },
  "a page of a large job": { who: "person", does: (world) => look(world, 8, `/jobs/${world.largeJob}?take=1000`) },
  overviews: { who: "person", does: (world) => look(world, 16, "/overview") },
  "event streams of a viewer that nobody reads": {
    who: "person",
    does: (world) => askAndNotRead(world, 300, wire(`${uiBase}/events`, world.person)),
  },
  "wrong passwords for a new one": {
    who: "person",
    does: (world) =>
      ask(world, 32, (nr) => ({
        ...{ method: "PUT", path: `${uiBase}/session/password`, headers: { ...world.person, ...json } },
        body: JSON.stringify({ password: `wrong ${nr}`, new_password: "another long password" }),
      })),
  },
  "the farm's whole history": { who: "person", does: (world) => look(world, 16, "/history?take=500") },
  "timelines, and folders that nobody has": {
    who: "person",
    does: (world) =>
      ask(world, 16, (nr) => ({
        ...{ path: uiBase + (nr % 2 === 0 ? "/timeline?hours=24" : "/folder?path=/nowhere"), headers: world.person },
      })),
  },
} as const satisfies Kinds;
