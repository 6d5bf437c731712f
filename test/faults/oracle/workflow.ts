import type { AnyAction } from '@po/contracts';
import { TRANSITIONS } from '../../../services/purchase-orders/src/domain/workflow.js';
import { type Evidence, type StoredEntry, type Violation } from './evidence.js';

const SETTLED = [400, 500, 600];
const OPEN = [100, 150, 200, 300];

/** Checks that every history is a path of the workflow without gaps and ends in the status of its order. */
export function checkWorkflow({ orders, history }: Evidence): Violation[] {
  const entries = Map.groupBy(history, ({ poNumber }) => poNumber);
  return orders.flatMap(({ poNumber, statusId, sequence, version }) => {
    const path = entries.get(poNumber) ?? [];
    const last = path.at(-1);
    return [
      ...path.flatMap((entry, index) => checkEntry(entry, path[index - 1] ?? null, index)),
      ...(last?.toStatusId === statusId
        ? []
        : [`order ${poNumber} is in ${statusId}; its history ends in ${last?.toStatusId}`]),
      ...(path.length === sequence
        ? []
        : [`order ${poNumber} counts ${sequence} entries; its history has ${path.length}`]),
      ...(last && last.version > version
        ? [`order ${poNumber} is version ${version}; its history has ${last.version}`]
        : []),
    ];
  });
}

function checkEntry(entry: StoredEntry, before: StoredEntry | null, index: number): Violation[] {
  const { poNumber, id, action, fromStatusId, toStatusId, sequence, version, actorRole } = entry;
  const violations: Violation[] = [];
  const wrong = (what: string) => violations.push(`order ${poNumber}, history entry ${id}: ${what}`);
  if (sequence !== index + 1) wrong(`has sequence ${sequence}; expected ${index + 1}`);
  if (version <= (before?.version ?? 0)) wrong(`has version ${version} after ${before?.version}`);
  if (fromStatusId !== (before?.toStatusId ?? null))
    wrong(`begins in ${fromStatusId}; the entry before it ends in ${before?.toStatusId}`);
  if (!isLegal(entry)) wrong(`${action} by ${actorRole} from ${fromStatusId} to ${toStatusId} is not in the workflow`);
  return violations;
}

const SYSTEM_ACTIONS: Partial<Record<AnyAction, (from: number | null, to: number) => boolean>> = {
  IMPORT: (from, to) => from === null && to === 100,
  SOURCE_UPDATE: (from, to) => from !== null && OPEN.includes(from) && to === (from < 200 ? from : 150),
  SOURCE_CONFLICT: (from, to) => from !== null && SETTLED.includes(from) && to === from,
  SOURCE_CANCEL: (from, to) => from !== null && [...OPEN, 400].includes(from) && to === 900,
};

function isLegal({ action, actorRole, fromStatusId: from, toStatusId: to }: StoredEntry): boolean {
  if (action === 'APPROVE' && actorRole === 'SYSTEM') return from === 200 && to === 300;
  const bySystem = SYSTEM_ACTIONS[action];
  if (bySystem) return actorRole === 'SYSTEM' && bySystem(from, to);
  return TRANSITIONS.some(
    (transition) =>
      transition.action === action &&
      transition.to === to &&
      (transition.from as readonly (number | null)[]).includes(from) &&
      (transition.roles as readonly string[]).includes(actorRole),
  );
}
