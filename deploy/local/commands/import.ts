import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callersFolder } from '../config.js';
import { parseNdjson, sendToInventory } from '../inventory-feed.js';
import { runCommand } from './lifecycle.js';
import { runningBrokers } from '../stack/running-stack.js';

/** `npm run import -- orders.ndjson`: sends what is good, names every line that is not, and fails if there was one. */
async function main(): Promise<number> {
  const [name, ...more] = process.argv.slice(2);
  if (!name || more.length > 0) throw new Error('usage: npm run import -- <file>, one JSON object a line');
  const file = resolve(callersFolder(), name);
  const { messages, bad } = parseNdjson(await readFile(file, 'utf8'));
  for (const { line, reason } of bad) process.stderr.write(`line ${line}: ${reason}\n`);
  if (messages.length > 0) await sendToInventory(runningBrokers(), messages);
  process.stdout.write(`${messages.length} sent to the inventory topic, ${bad.length} refused\n`);
  return bad.length === 0 ? 0 : 1;
}

await runCommand(main);
