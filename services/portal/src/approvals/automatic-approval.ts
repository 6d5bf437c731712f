/** The policy behind an automatic approval. */
export interface AutomaticApproval {
  /** The vendor's code, or `default`. */
  policy: string;
  version: number;
}

/** Format in which the order service writes the comment. */
const COMMENT = /^Approval policy (.+), version (\d+)$/su;

interface Change {
  action: string | null;
  actorRole: string;
  comment: string | null;
}

/** Returns the policy that approved; null for any other change. */
export function automaticApprovalOf({ action, actorRole, comment }: Change): AutomaticApproval | null {
  if (!isAutomaticApproval({ action, actorRole })) return null;
  const [, policy, version] = COMMENT.exec(comment ?? '') ?? [];
  return policy === undefined ? null : { policy, version: Number(version) };
}

/** Whether an approval policy made the change. All other changes by SYSTEM come from the inventory system. */
export const isAutomaticApproval = ({ action, actorRole }: Omit<Change, 'comment'>): boolean =>
  action === 'APPROVE' && actorRole === 'SYSTEM';
