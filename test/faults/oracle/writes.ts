import { type Operation, expectationOf } from '../operation-log.js';
import { type Evidence, type StoredEntry, type Violation } from './evidence.js';
import { type Mark, marksOf } from './marks.js';

/** Checks that acknowledged writes took effect exactly once, refused ones never, and ones with an unknown outcome at most once. */
export function checkWrites(evidence: Evidence): Violation[] {
  const entries = Map.groupBy(evidence.history, ({ comment }) => comment ?? '');
  const marks = Map.groupBy(marksOf(evidence), ({ mark }) => mark);
  const read = new Map(evidence.notifications.map((notification) => [notification.id, notification.read]));
  return evidence.operations.flatMap((operation) => {
    const failed = bugs(operation);
    switch (operation.kind) {
      case 'transition':
        return [...failed, ...checkTransition(operation, entries.get(operation.mark) ?? [])];
      case 'header':
      case 'lines':
        return [...failed, ...checkPatch(operation, marks.get(operation.mark) ?? [])];
      case 'message': {
        const found = evidence.messages.filter(({ body }) => body === operation.mark);
        return [...failed, ...checkCount(operation, found.length, 'among the messages')];
      }
      case 'mark-read':
        return [...failed, ...checkMarkRead(operation, read.get(operation.target))];
      case 'source':
        return checkSource(operation, evidence, marks.get(operation.mark) ?? []);
      case 'read':
        return failed;
      default:
        return operation.kind satisfies never;
    }
  });
}

const labelOf = ({ mark, kind, detail, target, user, attempts, scenario, startedAt }: Operation): string =>
  `operation ${mark} (${kind} ${detail} of ${target} by ${user}, in "${scenario}" at ${startedAt}), answered ${JSON.stringify(attempts)},`;

function bugs(operation: Operation): Violation[] {
  const { attempts } = operation;
  const bug = attempts.some((outcome) => outcome.kind === 'refused' && outcome.status === 500);
  const acknowledged = attempts.filter((outcome) => outcome.kind === 'acknowledged');
  const isWrite = ['transition', 'header', 'lines', 'message'].includes(operation.kind);
  const doneAgain = isWrite && acknowledged.slice(1).some(({ replayed }) => !replayed);
  return [
    ...(bug ? [`${labelOf(operation)} was answered 500`] : []),
    ...(doneAgain ? [`${labelOf(operation)} was retried, and the answer was no replay`] : []),
  ];
}

function checkCount(operation: Operation, found: number, where: string): Violation[] {
  const expectation = expectationOf(operation);
  const good = { once: found === 1, 'at most once': found <= 1, never: found === 0 }[expectation];
  return good ? [] : [`${labelOf(operation)} must have taken effect ${expectation}; found ${found} times ${where}`];
}

function checkTransition(operation: Operation, entries: StoredEntry[]): Violation[] {
  const counted = checkCount(
    operation,
    entries.length,
    `in the history: ${JSON.stringify(entries.map(({ id }) => id))}`,
  );
  const [entry] = entries;
  if (!entry || counted.length > 0) return counted;
  const wrong: string[] = [];
  if (entry.poNumber !== operation.target) wrong.push(`is in the history of ${entry.poNumber}`);
  if (entry.action !== operation.detail) wrong.push(`is ${entry.action} in the history`);
  for (const outcome of operation.attempts) {
    if (outcome.kind !== 'acknowledged') continue;
    if (outcome.historyId !== entry.id)
      wrong.push(`was answered with entry ${outcome.historyId}; the history has ${entry.id}`);
    if (outcome.version !== entry.version + (outcome.autoApproved ? 1 : 0))
      wrong.push(`was answered with version ${outcome.version}; the history has ${entry.version}`);
  }
  return wrong.map((what) => `${labelOf(operation)} ${what}`);
}

function checkPatch(operation: Operation, marks: Mark[]): Violation[] {
  const versions = marks.map(({ version }) => version);
  const counted = checkCount(operation, marks.length, `on po.state.v1, at versions ${JSON.stringify(versions)}`);
  if (counted.length > 0) return counted;
  return operation.attempts.flatMap((outcome) =>
    outcome.kind === 'acknowledged' && outcome.version !== versions[0]
      ? [
          `${labelOf(operation)} was answered with version ${outcome.version}; on po.state.v1 it is version ${versions[0]}`,
        ]
      : [],
  );
}

function checkMarkRead(operation: Operation, read: boolean | undefined): Violation[] {
  if (operation.target === 'all' || expectationOf(operation) !== 'once' || read === true) return [];
  return [
    `${labelOf(operation)} must have marked the notification read; it is ${read === undefined ? 'gone' : 'unread'}`,
  ];
}

function checkSource(operation: Operation, { orders }: Evidence, marks: Mark[]): Violation[] {
  const order = orders.find(({ poNumber }) => poNumber === operation.target);
  const late = marks.length > 1 ? [`${labelOf(operation)} took effect at ${marks.length} versions`] : [];
  if (expectationOf(operation) !== 'once') return late;
  if (!order) return [...late, `${labelOf(operation)} is on the topic; there is no such order`];
  // A cancelled order ignores source messages.
  const ignored = order.statusId === 900 || order.sourceRevision >= Number(operation.detail);
  return ignored
    ? late
    : [...late, `${labelOf(operation)} is on the topic; the order is at revision ${order.sourceRevision}`];
}
