import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../shared/basics/clock.ts";
import { shareOf } from "../address-share.ts";
import type { DoorLimits } from "../config.ts";
import type { Doors } from "../doors/doors.ts";
import { createPace } from "../doors/pace.ts";
import type { Turns } from "../doors/turns.ts";
import { tellReading } from "../store/reading.ts";
import type { Caller } from "./auth.ts";

/** A caller who was accepted is no stranger any more. */
export const watchDoors = (app: FastifyInstance, doors: Doors): void => {
  doors.watch(app.server);
  app.addHook("preParsing", async (request) => {
    if (isKnown(request)) doors.know(request.raw.socket, "known");
  });
};

/** So long after a request of theirs, somebody who is known is taken to be at work. */
const atWorkMs = 1000;

/**
 * While others are at work, requests of strangers go on at a bounded speed, address by address: even the cheapest takes a
 * part of the loop. Nothing of a body was read by then.
 */
export const holdStrangersBack = (app: FastifyInstance, { strangerRequests }: DoorLimits, clock: Clock): void => {
  const pace = createPace({ perSecond: strangerRequests, atOnce: strangerRequests }, clock);
  let atWork = Number.NEGATIVE_INFINITY;
  app.addHook("preParsing", async (request, { raw }) => {
    if (isKnown(request)) atWork = clock.monotonic();
    else if (clock.monotonic() - atWork < atWorkMs)
      await new Promise<void>((resolve) =>
        pace(shareOf(request.ip), () => {
          resolve();
          return !raw.destroyed;
        }),
      );
  });
};

/**
 * Requests are handled when it is their caller's turn. A caller's body is not read before, as it may be large; those of
 * strangers are small, and may come slowly: their address has its turn when they are there.
 */
export const takeTurns = (app: FastifyInstance, turns: Turns): void => {
  const take = (who: string, request: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    const { headers } = request;
    const turn = turns.take(
      who,
      Number(headers["content-length"] ?? (headers["transfer-encoding"] ? chunkedBytes : 0)),
    );
    request.turn = turn;
    raw.once("close", () => turn.end());
    return turn.begun;
  };
  app.addHook("onClose", async () => turns.stop());
  app.addHook("preParsing", async (request, reply) => {
    if (isKnown(request)) await take(`caller ${request.caller.who}`, request, reply);
  });
  app.addHook("preValidation", async (request, reply) => {
    if (!isKnown(request)) await take(`address ${shareOf(request.ip)}`, request, reply);
  });
  // Whatever its handler has read is the caller's.
  app.addHook("preHandler", ({ turn }, _reply, done) => {
    if (turn) tellReading(turn.reads, done);
    else done();
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const { turn } = request;
    if (turn && isKnown(request)) {
      const { most, left } = turn.room();
      reply.header("ratelimit-policy", `"caller";q=${most};qu="concurrent-requests"`);
      reply.header("ratelimit", `"caller";r=${left}`);
    }
    turn?.end(typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : undefined);
  });
};

const isKnown = (request: FastifyRequest): request is FastifyRequest & { readonly caller: Caller } =>
  request.caller !== undefined && request.caller.who !== "";

/** What a body is taken for whose length nobody says. */
const chunkedBytes = 64 * 1024;
