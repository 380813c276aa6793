import { aConnection, aSource } from "./farm.ts";

/** An enumeration of /media, and two elements for each batch of it. */
export const aLargeJob = {
  name: "large",
  payload: {
    elements: [
      { uid: "all", kind: "folder_enum", payload: { source: { storage_provider: "file", path: "/media" } } },
      aSource({ uid: "first" }),
      aSource({ uid: "second" }),
    ],
    connections: [aConnection("all", ["first"]), aConnection("first", ["second"])],
  },
};
