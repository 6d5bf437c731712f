import { statusOf } from '@po/contracts';
import { workflowRows } from '@po/purchase-orders/dist/domain/workflow.js';
import { readText, withTable } from './tables.js';

const PATH = 'README.md';

/** The README by path from the root, with the table of transitions. */
export function readme(): Record<string, string> {
  const rows = workflowRows().map(({ statusId, action, roles, to }) => {
    const { status, statusZh } = statusOf(statusId);
    return [String(statusId), status, statusZh, action, roles.join(', '), `${to} ${statusOf(to).status}`];
  });
  const head = ['statusId', 'status', '中文', 'action', 'roles', 'to'];
  return { [PATH]: withTable(readText(PATH), 'workflow', [head, ...rows]) };
}
