/** An approval that no person gave, and the policy that gave it. */
export interface AutomaticApproval {
  /** The vendor's code, or `default`. */
  policy: string;
  version: number;
}

/** As the order service writes it into the comment. */
const COMMENT = /^Approval policy (.+), version (\d+)$/su;

interface Act {
  action: string | null;
  actorRole: string;
  comment: string | null;
}

/** By which policy that was done; null for everything that somebody did. */
export function automaticApprovalOf({ action, actorRole, comment }: Act): AutomaticApproval | null {
  if (!isAutomaticApproval({ action, actorRole })) return null;
  const [, policy, version] = COMMENT.exec(comment ?? '') ?? [];
  return policy === undefined ? null : { policy, version: Number(version) };
}

/** Whether an approval policy did that. All else that SYSTEM does is the inventory system's. */
export const isAutomaticApproval = ({ action, actorRole }: Omit<Act, 'comment'>): boolean =>
  action === 'APPROVE' && actorRole === 'SYSTEM';
