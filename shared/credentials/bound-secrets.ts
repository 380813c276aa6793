import { isBelow } from "./prefix.ts";
import { hidden, redact } from "./redact.ts";

/**
 * A secret is for the address beside which it was given. Whoever may use it without knowing it, or stores what they read with
 * `(hidden)` in it, must not turn it to another one.
 */

/** The keys and positions that lead to a part of a JSON value. */
type Place = readonly string[];

/** Where the value differs from what others are shown of it. */
const secretPlaces = (value: unknown): Place[] => differing(value, redact(value), []);

const differing = (value: unknown, shown: unknown, at: Place): Place[] => {
  if (value === shown) return [];
  if (!isParent(value) || !isParent(shown)) return [at];
  return Object.keys(value).flatMap((key) => differing(partOf(value, key), partOf(shown, key), [...at, key]));
};

/**
 * The places of secrets that `made` still has from `given`, though what they were given for changed: another address, or
 * less protection on the way there. What a job put in as a definition is the job's own.
 */
export const secretsSentElsewhere = (given: unknown, made: unknown): string[] =>
  secretPlaces(given).flatMap((place) => {
    const isKept = secretTexts(valueAt(given, place), place.at(-1) ?? "", []).some(
      ([inner, text]) => valueAt(made, [...place, ...inner]) === text,
    );
    return isKept && isMoved(surroundings(given, place), surroundings(made, place)) ? [place.join(".")] : [];
  });

/**
 * What was received, with the stored secret in place of each `(hidden)`; and the places of those that are not known, or
 * were given for another address.
 */
export const withStoredSecrets = (stored: unknown, received: unknown): { made: unknown; refused: string[] } => {
  const shown = redact(stored);
  const refused: string[] = [];
  const fill = (value: unknown, at: Place): unknown => {
    if (typeof value === "string" && value.includes(hidden)) {
      const isSame = valueAt(shown, at) === value;
      if (!isSame || isMoved(surroundings(shown, at), surroundings(received, at))) refused.push(at.join("."));
      return isSame ? valueAt(stored, at) : value;
    }
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...at, String(index)]));
    if (!isParent(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, [...at, key])]));
  };
  return { made: fill(received, []), refused };
};

/** Fields that say where something is sent, and how well it is protected on its way. */
const destination =
  /^(?:url|path|endpoint|queue|topic|auth_url|host|port|tls|ca|host_key|region|path_style|storage_provider|proxy|image_urn|kind|notify_method)$/;
const address = /^(?:url|path|endpoint|queue|topic|image_urn)$/;

type Destinations = ReadonlyMap<string, unknown>;

/** What decides where the secret at the place goes: beside it up to the nearest address; without one, all addresses. */
const surroundings = (root: unknown, place: Place): Destinations => {
  const found = new Map<string, unknown>();
  const secret = valueAt(root, place);
  if (isParent(secret)) collect(secret, place, found);
  for (let depth = place.length - 1; depth >= 0; depth -= 1) {
    const around = valueAt(root, place.slice(0, depth));
    if (!isParent(around)) continue;
    const own = Object.entries(around).filter(([key]) => destination.test(key));
    for (const [key, value] of own) found.set([...place.slice(0, depth), key].join("."), shownAs(value));
    if (own.some(([key]) => address.test(key))) return found;
  }
  collect(root, [], found);
  return found;
};

/** Every destination in a value. */
const collect = (value: unknown, at: Place, found: Map<string, unknown>): void => {
  if (!isParent(value)) return;
  for (const [key, part] of Object.entries(value)) {
    if (destination.test(key) && !isParent(part)) found.set([...at, key].join("."), shownAs(part));
    else collect(part, [...at, key], found);
  }
};

/** Addresses are compared without what is secret in them. */
const shownAs = (value: unknown): unknown => (typeof value === "string" ? redact(value) : value);

const isMoved = (given: Destinations, made: Destinations): boolean =>
  [...new Set([...given.keys(), ...made.keys()])].some((key) => !isSamePlace(given.get(key), made.get(key)));

/** An address that a definition completes stays below what was written of it. */
const isSamePlace = (given: unknown, made: unknown): boolean => {
  if (given === made) return true;
  if (typeof given !== "string" || typeof made !== "string" || !given.includes("{{")) return false;
  const start = given.slice(0, given.indexOf("{{"));
  const folder = start.slice(0, start.lastIndexOf("/"));
  return /^[a-z][\w+.-]*:\/\/[^/?#]+/i.test(folder) && isBelow(made, folder);
};

const plainField = /^(?:user(?:name)?|access_key_id|credentials_key|max_cross_region_mb|name|key_id|account)$/;

/** The texts within a secret part that open something, each with the keys that lead to it. */
const secretTexts = (value: unknown, key: string, at: Place): [Place, string][] => {
  if (typeof value === "string")
    return plainField.test(key) || destination.test(key) || /^\{\{[^{}]*\}\}$/.test(value) ? [] : [[at, value]];
  if (!isParent(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => secretTexts(part, name, [...at, name]));
};

const isParent = (value: unknown): value is object => typeof value === "object" && value !== null;

const partOf = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

const valueAt = (root: unknown, place: Place): unknown =>
  place.reduce<unknown>((at, key) => (isParent(at) ? partOf(at, key) : undefined), root);
