import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { composeStores } from '../stores/compose-stores.js';
import { type LocalSettings, readSettings } from '../config.js';
import { startInfrastructure } from '../stores/infrastructure.js';
import { clearLeftovers } from '../processes/leftovers.js';
import { describe, runCommand, stopOnSignal } from './lifecycle.js';
import { loadDemo } from '../demo/load-demo.js';
import { Processes } from '../processes/processes.js';
import { seconds, step } from '../progress.js';
import { removeStackFile, stackFileIn } from '../stack/stack-file.js';
import { type Stack, startStack } from '../stack/stack.js';
import { banner } from './banner.js';

interface Options {
  replicas: number;
  demo: boolean;
  fresh: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      replicas: { type: 'string', default: '1' },
      demo: { type: 'boolean', default: true },
      fresh: { type: 'boolean', default: false },
    },
  });
  const replicas = Number(values.replicas);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 9)
    throw new Error('--replicas takes a number from 1 to 9');
  return { replicas, demo: values.demo, fresh: values.fresh };
}

/** `npm start`: the whole system on this machine until a signal. */
async function main(settings: LocalSettings, { replicas, demo, fresh }: Options): Promise<number> {
  const { dir, identity } = settings;
  const startedAt = performance.now();
  await mkdir(dir, { recursive: true });
  const left = await clearLeftovers(dir);
  if (left.length > 0) process.stdout.write(`  ended what an earlier run left behind: ${left.join(', ')}\n`);
  await removeStackFile(dir);

  let stack: Stack | undefined;
  let stopStores = () => Promise.resolve();
  const processes = new Processes(dir, () => void stack?.refresh());
  const stop = async () => {
    process.stdout.write('  stopping\n');
    const stoppingAt = performance.now();
    await stack?.stop();
    await processes.stop();
    await stopStores();
    // Again: an interrupted start may have written it meanwhile.
    await removeStackFile(dir);
    process.stdout.write(`  stopped everything in ${seconds(stoppingAt)}\n`);
  };
  stopOnSignal({ stop, kill: () => processes.kill() });

  try {
    const stores = await startInfrastructure({
      dir,
      cache: dir,
      settings,
      processes,
      docker: composeStores,
      fresh,
      step,
    });
    stopStores = stores.stop;
    stack = await startStack({ dir, port: settings.port, replicas, stores, identity, processes, step });
    const { kafkaBrokers, gatewayUrl, tokens } = stack.file();
    if (demo && identity.jwksUrl === null) {
      await step('load the demo orders', () => loadDemo({ kafkaBrokers, gatewayUrl, tokens }));
    }
    await stack.announce();
    process.stdout.write(
      banner(stack.file(), stackFileIn(dir), `${stores.kind} stores, started in ${seconds(startedAt)}`),
    );
  } catch (error) {
    if (!processes.stopping) {
      process.stderr.write(`\n${describe(error)}\n`);
      await stop();
      return 1;
    }
  }
  // Until a signal.
  return new Promise(() => undefined);
}

await runCommand(() => main(readSettings(), readOptions()));
