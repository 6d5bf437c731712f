import { readSettings } from '../config.js';
import { demoTokens, startIdentityProvider } from '../stack/identity-provider.js';
import { loadKeys } from '../stack/keys.js';
import { runCommand, stopOnSignal } from './lifecycle.js';

const EVERYWHERE = '0.0.0.0';
const PORT = 8090;

/** The demo identity provider alone, for the containers: prints a token of every demo user. */
async function main(): Promise<number> {
  const { dir, identity } = readSettings();
  const { identity: key } = await loadKeys(dir);
  const { stop } = await startIdentityProvider(key, PORT, EVERYWHERE);
  stopOnSignal({ stop, kill: () => undefined });
  for (const [user, token] of Object.entries(await demoTokens({ key, ...identity }))) {
    process.stdout.write(`${user}\n${token}\n\n`);
  }
  return new Promise(() => undefined);
}

await runCommand(main);
