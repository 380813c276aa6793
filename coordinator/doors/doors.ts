import type { Server, Socket } from "node:net";
import type { Clock } from "../../shared/basics/clock.ts";
import { shareOf } from "../address-share.ts";
import type { CoordinatorConfig } from "../config.ts";
import { forwardedBy, proxiesAmong } from "./address.ts";
import { type Standing, type Visitor, whoLeaves } from "./leaving.ts";
import { createPace } from "./pace.ts";

/** What a socket says of itself; TLS and the TCP socket below it say the same. */
type End = Pick<Socket, "remoteAddress" | "remotePort">;

type Guest = { -readonly [K in keyof Visitor]: Visitor[K] } & { readonly socket: Socket };

/** For so long, whoever sent too much at once is let in one connection after the other … */
const heldBackMs = 10_000;
/** … so many a second, of all such addresses together. */
const heldBackPerSecond = 3;

export type Doors = ReturnType<typeof createDoors>;

/**
 * Knows every connection of the farm's port from its first moment on. Where room is short, strangers leave, and with
 * them the address that has most.
 */
export const createDoors = ({ proxies, doors: limits }: Pick<CoordinatorConfig, "proxies" | "doors">, clock: Clock) => {
  const isProxy = proxiesAmong(proxies);
  const handshakes = createPace({ perSecond: limits.handshakes, atOnce: limits.handshakesAtOnce }, clock);
  const slowly = createPace({ perSecond: heldBackPerSecond, atOnce: 1 }, clock);
  /** Until when addresses are held back, by the monotonic time. */
  const heldBack = new Map<string, number>();
  const guests = new Map<string, Guest>();
  let arrivals = 0;
  let strangers = 0;
  let held = 0;

  const change = (guest: Guest, { standing, more = 0 }: { standing?: Standing; more?: number }): void => {
    strangers += Number((standing ?? guest.standing) === "stranger") - Number(guest.standing === "stranger");
    guest.standing = standing ?? guest.standing;
    guest.held += more;
    held += more;
  };
  const forget = (key: string, guest: Guest): void => {
    if (guests.get(key) !== guest) return;
    guests.delete(key);
    if (guest.standing === "stranger") strangers -= 1;
    held -= guest.held;
  };
  const makeRoom = (): void => {
    const leaving = whoLeaves(guests.values(), { sockets: guests.size, strangers, held }, limits);
    if (!leaving) return;
    forget(keyOf(leaving.socket), leaving);
    leaving.socket.destroy();
  };
  const enter = (socket: Socket, letIn: () => void): void => {
    // Gone before anybody looked.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    if (guests.size > limits.sockets) return void socket.destroy();
    const key = keyOf(socket);
    const standing = isProxy(socket.remoteAddress) ? "proxy" : "stranger";
    arrivals += 1;
    const guest: Guest = { socket, share: shareOf(socket.remoteAddress), standing, since: arrivals, held: 0 };
    guests.set(key, guest);
    if (standing === "stranger") strangers += 1;
    socket.once("close", () => forget(key, guest));
    makeRoom();
    if (!isHeldBack(guest.share)) letIn();
    else slowly(guest.share, () => ifOpen(socket, letIn));
  };
  const isHeldBack = (share: string): boolean => {
    const until = heldBack.get(share);
    if (until !== undefined && until <= clock.monotonic()) heldBack.delete(share);
    return heldBack.has(share);
  };
  const guestAt = (end: End): Guest | undefined => guests.get(keyOf(end));

  return {
    /** Sees each connection of the server before anybody else, and lets it in. */
    watch: (server: Server): void => {
      const listeners = server.listeners("connection") as ((socket: Socket) => void)[]; // Node's own, or those of TLS
      server.removeAllListeners("connection");
      server.on("connection", (socket: Socket) => {
        enter(socket, () => {
          for (const listen of listeners) listen.call(server, socket);
        });
      });
    },
    /** It wants to begin TLS, which costs the loop milliseconds. */
    shakeHands: (end: Socket, begin: () => void): void =>
      handshakes(guestAt(end)?.share ?? "", () => ifOpen(end, begin)),
    /** It has sent more at once than anybody may: its address comes in slowly for a while. */
    holdBack: (end: End): void => {
      const guest = guestAt(end);
      if (guest?.standing !== "stranger") return;
      heldBack.delete(guest.share);
      heldBack.set(guest.share, clock.monotonic() + heldBackMs);
      for (const share of heldBack.keys()) if (isHeldBack(share)) break;
    },
    /** Somebody behind it has shown who they are. */
    know: (end: End, standing: "known" | "node"): void => {
      const guest = guestAt(end);
      if (!guest || guest.standing === "node") return;
      if (guest.standing !== "proxy" || standing === "node") change(guest, { standing });
      change(guest, { more: -guest.held });
    },
    /** It wants to be a node, and has yet to show which one. Behind a proxy, the client counts. */
    greet: (end: End, forwarded: string | undefined): void => {
      const guest = guestAt(end);
      if (!guest) return;
      guest.share = shareOf(forwardedBy(end.remoteAddress ?? "", forwarded, isProxy));
      change(guest, { standing: "stranger" });
      makeRoom();
    },
    /** A stranger has sent so many bytes that must be kept. */
    hold: (end: End, bytes: number): void => {
      const guest = guestAt(end);
      if (guest?.standing !== "stranger") return;
      change(guest, { more: bytes });
      if (held > limits.heldBytes) makeRoom();
    },
    counts: () => ({ sockets: guests.size, strangers, held }),
  };
};

const ifOpen = (socket: Socket, use: () => void): boolean => {
  if (!socket.destroyed) use();
  return !socket.destroyed;
};

const keyOf = ({ remoteAddress, remotePort }: End): string => `${remoteAddress} ${remotePort}`;
