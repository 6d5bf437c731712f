import { readSettings } from '../config.js';
import { printDemoTokens } from '../stack/demo-token.js';
import { startIdentityProvider } from '../stack/identity-provider.js';
import { loadKeys } from '../stack/keys.js';
import { portalClient } from '../stack/sign-in/portal-client.js';
import { runCommand, stopOnSignal } from './lifecycle.js';

const EVERYWHERE = '0.0.0.0';
const PORT = 8090;

/** Runs only the demo identity provider, for the containers, and prints tokens of the demo users. */
async function main(): Promise<number> {
  const { dir, identity: settings, signIn } = readSettings();
  const { identity: key } = await loadKeys(dir);
  const identity = { key, ...settings };
  const { stop } = await startIdentityProvider({
    identity,
    port: PORT,
    host: EVERYWHERE,
    authority: signIn.authority,
    client: portalClient([signIn.portal]),
  });
  stopOnSignal({ stop, kill: () => undefined });
  await printDemoTokens(identity, (text) => process.stdout.write(text));
  return new Promise(() => undefined);
}

await runCommand(main);
