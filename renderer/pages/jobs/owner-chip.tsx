import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { unknownOwner } from "../../data/job-states.ts";
import { ownersQuery } from "../../data/queries.ts";
import { useSession } from "../../data/session.tsx";
import chipCss from "../../ui/controls/chip.module.css";
import { Menu } from "../../ui/controls/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";

/** Whose jobs the list shows: anyone's, or those of one person or API user. */
export const OwnerChip = ({
  owner,
  onChoose,
}: {
  readonly owner: string | undefined;
  readonly onChoose: (owner: string | undefined) => void;
}) => {
  const { data: known = [] } = useQuery(ownersQuery);
  const { name: me } = useSession();
  const owners = [...new Set([me, ...known])].filter((each) => each !== "");
  const item = (key: string | undefined, word: string) => ({
    word,
    run: () => onChoose(key),
    ...(key === owner && { hint: "✓" }),
  });
  return (
    <Menu
      trigger={
        <button type="button" className={chipCss.chip} aria-pressed={owner !== undefined}>
          <bdi>{owner === undefined ? t`Owner` : t`Owner: ${wordOf(owner, me)}`}</bdi>
          <Icon name="down" size={12} />
        </button>
      }
      items={[
        item(undefined, t`Anyone`),
        ...owners.map((each) => item(each, wordOf(each, me))),
        item(unknownOwner, t`Not known`),
      ]}
    />
  );
};

const wordOf = (owner: string, me: string): string => {
  if (owner === unknownOwner) return t`not known`;
  return owner === me ? t`${owner} (you)` : owner;
};
