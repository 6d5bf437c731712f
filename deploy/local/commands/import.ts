import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callersFolder } from '../config.js';
import { type InventoryMessage, openInventoryFeed, readNdjson } from '../inventory-feed.js';
import { runCommand } from './lifecycle.js';
import { runningBrokers } from '../stack/running-stack.js';

const PER_SEND = 100;

/** `npm run import -- orders.ndjson`: sends the valid lines, reports every invalid line, and exits with 1 if there was one. */
async function main(): Promise<number> {
  const [name, ...more] = process.argv.slice(2);
  if (!name || name.startsWith('-') || more.length > 0)
    throw new Error('usage: npm run import -- <file>, one JSON object a line');
  const file = resolve(callersFolder(), name);
  const handle = await open(file);
  const brokers = runningBrokers();
  const feed = await openInventoryFeed(brokers);
  const waiting: InventoryMessage[] = [];
  let sent = 0;
  let refused = 0;
  const send = async () => {
    const messages = waiting.splice(0);
    await feed.send(messages);
    sent += messages.length;
  };
  try {
    for await (const each of readNdjson(handle)) {
      if ('reason' in each) {
        refused += 1;
        process.stderr.write(`line ${each.line}: ${each.reason}\n`);
      } else if (waiting.push(each) === PER_SEND) await send();
    }
    await send();
  } finally {
    await feed.close();
    await handle.close();
  }
  const advice = '; correct these lines and import the file again: a revision that was already sent is ignored';
  process.stdout.write(
    `${sent} sent to the inventory topic at ${brokers}, ${refused} refused${refused > 0 ? advice : ''}\n`,
  );
  return refused === 0 ? 0 : 1;
}

await runCommand(main);
