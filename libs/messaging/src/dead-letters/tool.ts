import { GROUPS, type Group, deadLetterTopic } from '@po/contracts';
import { createLogger, readKafkaConfig } from '@po/platform';
import { connectKafka } from '../connect-kafka.js';
import type { KafkaPort } from '../kafka-port.js';
import {
  type DeadLetter,
  newestRecords,
  reasonNotToSend,
  originalOf,
  positionName,
  readDeadLetters,
  surveyOf,
} from './redrive.js';
import { fullText, summaryLine } from './tool-text.js';

const USAGE = `usage: dead-letters list [group]
       dead-letters show <group> <partition>/<offset>
       dead-letters redrive <group> <partition>/<offset> … | --all
a group is one of ${Object.values(GROUPS).join(', ')}`;
const HARMLESS = 'Safe to repeat: consumers drop duplicates by version, revision or id.';

// The dead-letters tool, `node tool.js list | show | redrive`: shows records that no consumer could handle, and redrives them.
async function main(): Promise<void> {
  const [command = '', ...rest] = process.argv.slice(2);
  switch (command) {
    case 'list':
      if (rest.length > 1) throw new Error(USAGE);
      return list(kafka(), rest[0] === undefined ? Object.values(GROUPS) : [groupOf(rest[0])]);
    case 'show':
      if (rest.length !== 2) throw new Error(USAGE);
      return show(kafka(), groupOf(rest[0]), positionOf(rest[1]));
    case 'redrive': {
      const [group, ...positions] = rest;
      if (positions.length === 0) throw new Error(USAGE);
      if (positions.includes('--all') && positions.length > 1)
        throw new Error('--all cannot be combined with positions');
      return positions[0] === '--all'
        ? redriveAll(kafka(), groupOf(group))
        : redrive(kafka(), groupOf(group), positions.map(positionOf));
    }
    default:
      throw new Error(USAGE);
  }
}

const kafka = (): KafkaPort => connectKafka(readKafkaConfig(), 'dead-letters', createLogger('dead-letters', 'silent'));

function groupOf(name = ''): Group {
  const group = Object.values(GROUPS).find((known) => known === name);
  if (!group)
    throw new Error(`"${name}" is not a consumer group; a group is one of ${Object.values(GROUPS).join(', ')}`);
  return group;
}

/** Parses `<partition>/<offset>` and drops leading zeros, so that a position always has the same text. */
function positionOf(text = ''): string {
  if (!/^\d+\/\d+$/.test(text)) throw new Error(`"${text}" must be <partition>/<offset>, such as 2/17`);
  return text.split('/').map(BigInt).join('/');
}

const shortName = ({ position }: DeadLetter): string => `${position.partition}/${position.offset}`;

async function list(port: KafkaPort, groups: readonly Group[]): Promise<void> {
  const found = await Promise.all(
    groups.map(async (group) => {
      const lines: string[] = [];
      await readDeadLetters(port, group, (letter) => void lines.push(summaryLine(letter)));
      return { group, lines };
    }),
  );
  for (const { group, lines } of found) write(`${group.padEnd(26)} ${lines.length}`);
  for (const { lines } of found) lines.forEach(write);
}

async function show(port: KafkaPort, group: Group, position: string): Promise<void> {
  const [letter] = await pick(port, group, [position]);
  if (letter) write(fullText(letter));
}

async function redrive(port: KafkaPort, group: Group, positions: readonly string[]): Promise<void> {
  const letters = await pick(port, group, positions);
  const newest = await newestRecords(port, new Set(letters.flatMap(({ origin }) => origin?.topic ?? [])));
  const reasons = letters.flatMap((letter) => {
    const reason = reasonNotToSend(letter, newest);
    return reason === null ? [] : [`${shortName(letter)}: ${reason}`];
  });
  if (reasons.length > 0) throw new Error(`nothing was sent: ${reasons.join('; ')}`);
  await sending(port, async (send) => {
    for (const letter of letters) await send(letter);
  });
  write(`${letters.length} redriven. ${HARMLESS}`);
}

async function redriveAll(port: KafkaPort, group: Group): Promise<void> {
  const { origins, returned } = await surveyOf(port, group);
  const newest = await newestRecords(port, origins);
  let [sent, older] = [0, 0];
  const reasons: string[] = [];
  await sending(port, (send) =>
    readDeadLetters(port, group, async (letter) => {
      const reason = reasonNotToSend(letter, newest);
      if (reason !== null) reasons.push(reason);
      else if (returned.has(positionName(letter.position))) older += 1;
      else {
        await send(letter);
        sent += 1;
      }
    }),
  );
  if (older > 0) write(`${older} skipped: they were redriven before, and returned as newer letters`);
  for (const [reason, { length }] of Map.groupBy(reasons, (one) => one)) write(`${length} skipped: ${reason}`);
  write(`${sent} redriven. ${HARMLESS}`);
}

/** The letters at these positions, in topic order. Throws an error that lists missing positions. */
async function pick(port: KafkaPort, group: Group, positions: readonly string[]): Promise<DeadLetter[]> {
  const missing = new Set(positions);
  const letters: DeadLetter[] = [];
  await readDeadLetters(port, group, (letter) => {
    if (missing.delete(shortName(letter))) letters.push(letter);
  });
  if (missing.size > 0) {
    throw new Error(`not on ${deadLetterTopic(group)}: ${[...missing].join(', ')}; "list ${group}" shows what is`);
  }
  return letters;
}

/** Sends letters one at a time, so that records of a key keep their order and an error names the refused record. */
async function sending(
  port: KafkaPort,
  work: (send: (letter: DeadLetter) => Promise<void>) => Promise<void>,
): Promise<void> {
  const producer = port.producer({ acks: 'all', idempotent: true });
  await producer.connect();
  try {
    await work(async (letter) => {
      const original = originalOf(letter);
      if (!original) return;
      await producer.send([original]).catch((error: unknown) => {
        throw new Error(`${shortName(letter)} was not sent: ${describe(error)}; the records listed above were sent`, {
          cause: error,
        });
      });
      write(`${shortName(letter)} -> ${original.topic}/${original.partition}`);
    });
  } finally {
    await producer.disconnect();
  }
}

const write = (line: string): boolean => process.stdout.write(`${line}\n`);

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// A reader such as `head` may close the pipe early; the command still completes.
process.stdout.on('error', () => undefined);
try {
  await main();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
}
