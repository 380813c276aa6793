import { abilities } from "../../../shared/files/storage.ts";
import { storageOfServer } from "../hidden-names.ts";
import type { Provider } from "../storage.ts";
import { readFrom, statUrl } from "./reading.ts";
import { createRequest } from "./request.ts";
import { createWebdav } from "./webdav.ts";

// The server may show a gap when MOVE replaces a file: the protocol deletes it first.
const has = abilities("createOnly", "showsWhole", "rename", "ranges", "listing", "writing");

/** Web servers: read with ranges, written and listed if they support WebDAV. */
export const http: Provider = {
  abilities: has,
  open: ({ keys, guard, clock, patience, read }) => {
    const request = createRequest({ credentialOf: (uri) => keys.of(uri, "http"), guard });
    const server = {
      stat: (uri: string) => statUrl(request, uri),
      read: (uri: string, range: Parameters<typeof readFrom>[2], signal: AbortSignal) =>
        readFrom(request, uri, range, signal),
      ...createWebdav(request, read),
    };
    return storageOfServer({ server, abilities: has, clock, patience });
  },
};
