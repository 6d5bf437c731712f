import { openApi } from '../openapi.js';
import { readText, withTable } from '../tables.js';
import { RULES } from './all.js';
import { AUTHENTICATED_CALLERS, REJECTED_CALLERS, VERDICTS } from './rule.js';

const PATH = 'deploy/ACCESS.md';

/** The access document by path from the root, with a row for each part of an operation and for each rejected caller. */
export function accessDocument(): Record<string, string> {
  const operations = Object.entries(openApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ id: operationId, path, method })),
  );
  const rows = operations.flatMap(({ id, path, method }) =>
    (RULES[id] ?? []).map(({ part, verdicts }) => [
      `\`${method.toUpperCase()} ${path}\``,
      part,
      ...AUTHENTICATED_CALLERS.map((caller) => VERDICTS[verdicts[caller]]),
    ]),
  );
  const rejected = Object.entries(REJECTED_CALLERS).map(([caller, { status, code }]) => [
    caller,
    `${status} \`${code}\``,
  ]);
  const access = withTable(readText(PATH), 'access', [['operation', 'part', ...AUTHENTICATED_CALLERS], ...rows]);
  return { [PATH]: withTable(access, 'rejected', [['caller', 'answer'], ...rejected]) };
}
