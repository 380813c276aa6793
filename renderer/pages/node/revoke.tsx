import { Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Node } from "../../../shared/model/node.ts";
import { useActions } from "../../data/actions.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** Confirmed: the key cannot be restored. */
export const Revoke = ({ node }: { readonly node: Node }) => {
  const isOwner = useMay("owner");
  const { revokeNode } = useActions();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  if (!isOwner) return null;
  if (!isAsked)
    return (
      <Button onClick={() => setAsked(true)}>
        <Trans>Revoke…</Trans>
      </Button>
    );
  const revoke = async () => {
    if (await revokeNode(node)) await navigate({ to: "/nodes" });
  };
  return (
    <Notice
      tone="failed"
      action={
        <Button onClick={() => void revoke()}>
          <Trans>Revoke for good</Trans>
        </Button>
      }
    >
      <Trans>It can no longer connect, and its tasks go to other nodes. It may join again as a new node.</Trans>
    </Notice>
  );
};
