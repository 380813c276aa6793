import type { AccountLink, AccountLinks } from "../../shared/people/identity.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { Session } from "../people/people.ts";
import type { LinkRow } from "../store/people.ts";
import type { IdentityNeeds } from "./needs.ts";
import { readIdentity, requireProvider } from "./settings.ts";

/** The accounts that people have linked to themselves, as they and owners see and end them. */
export const createOwnLinks = ({ farm, people }: IdentityNeeds) => ({
  linksOf: async ({ id, home }: Session): Promise<Pick<AccountLinks, "items" | "others">> => {
    const [{ providers }, links] = [await readIdentity(farm), await people.links(id)];
    const has = new Set([home, ...links.map(({ issuer }) => issuer)]);
    return {
      items: links.map((link) => viewOf(link, providers.find(({ issuer }) => issuer === link.issuer)?.name)),
      others: providers.filter(({ issuer }) => !has.has(issuer)).map(({ name }) => name),
    };
  },
  /** Names of providers by person. */
  linkNames: async (): Promise<(personId: number) => string[]> => {
    const [{ providers }, links] = [await readIdentity(farm), await people.links(null)];
    const nameOf = (link: LinkRow) => providers.find(({ issuer }) => issuer === link.issuer)?.name ?? link.issuer;
    return (personId) => links.filter(({ person_id }) => person_id === personId).map(nameOf);
  },
  /** One's own, unless nothing else lets one in. */
  endOwnLink: async ({ id, home }: Session, name: string): Promise<void> => {
    const settings = await readIdentity(farm);
    const { issuer } = requireProvider(settings, name);
    await people.unlink(id, issuer, { keepsOne: home === null && !settings.passwords });
  },
  /** Somebody's, by an owner, who may as well remove the person; but not their own last way in. */
  endLinkOf: async (person: { readonly id: number; readonly name: string }, provider: string, by: Session) => {
    const settings = await readIdentity(farm);
    const { issuer } = requireProvider(settings, provider);
    const isLast = person.id === by.id && by.home === null && !settings.passwords;
    await people.unlink(person.id, issuer, { keepsOne: isLast });
  },
  /** Whether the password can be asked for once more: people of providers have none, and switched off it may be long forgotten. */
  hasOwnPassword: async ({ home }: Session): Promise<boolean> => home === null && (await readIdentity(farm)).passwords,
});

const viewOf = ({ issuer, name, created, used }: LinkRow, provider = issuer): AccountLink => ({
  ...{ provider, name, created: isoTime(created), last_used: isoOrNull(used) },
});
