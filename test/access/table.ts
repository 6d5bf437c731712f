import type { Published } from '../published/document.js';
import { KNOWN, RULES, VERDICTS } from './rules.js';

/** What people read of the rules: the cells of a row for each part of an operation. */
export const rowsOf = (operations: readonly Published[]): string[][] =>
  operations.flatMap(({ id, method, path }) =>
    (RULES[id] ?? []).map(({ part, verdicts }) => [
      ...[`\`${method} ${path}\``, part],
      ...KNOWN.map((caller) => VERDICTS[verdicts[caller]]),
    ]),
  );
