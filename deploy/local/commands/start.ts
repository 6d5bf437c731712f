import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argumentsOf, wholeNumberOf } from '../option-values.js';
import { composeStores } from '../stores/compose-stores.js';
import { type LocalSettings, readSettings } from '../config.js';
import { startInfrastructure } from '../stores/infrastructure.js';
import { clearLeftovers, recordProcesses } from '../processes/leftovers.js';
import { messageOf, runCommand, stopOnSignal } from './lifecycle.js';
import { loadDemo } from '../demo/load-demo.js';
import { archiveLogs, logsIn, truncateLargeLogs } from '../logs/log-files.js';
import { interactiveOutput, streamedOutput } from './output.js';
import { Processes } from '../processes/processes.js';
import { seconds } from '../progress.js';
import { removeStackFile } from '../stack/stack-file.js';
import { type Stack, requireFreePorts, startStack } from '../stack/stack.js';

const TRUNCATE_LOGS_EVERY_MS = 2_000;

interface Options {
  replicas: number;
  demo: boolean;
  fresh: boolean;
  /** Services log to standard output instead of files. */
  logs: boolean;
}

function readOptions(): Options {
  const { values } = argumentsOf({
    allowNegative: true,
    options: {
      replicas: { type: 'string', default: '1' },
      demo: { type: 'boolean', default: true },
      fresh: { type: 'boolean', default: false },
      logs: { type: 'boolean', default: !process.stdout.isTTY },
    },
  });
  return { ...values, replicas: wholeNumberOf('replicas', values.replicas, { from: 1, to: 9 }) };
}

/** `npm start`: runs the whole system on this machine until a signal. */
async function main(settings: LocalSettings, { replicas, demo, fresh, logs }: Options): Promise<number> {
  const { dir, identity, port } = settings;
  const startedAt = performance.now();
  await mkdir(dir, { recursive: true });
  const left = await clearLeftovers(dir);
  // From here on, another start in this folder is refused.
  recordProcesses(dir, []);
  await requireFreePorts(port, replicas);
  await removeStackFile(dir);
  await archiveLogs(logsIn(dir));

  const output = logs ? streamedOutput() : interactiveOutput(dir);
  const { print, step } = output;
  if (left.length > 0) print(`  ended processes of an earlier run: ${left.join(', ')}`);
  let stack: Stack | undefined;
  let ready = false;
  const processes = new Processes(dir, {
    ended: ({ label }, how) => ready && output.notice(label, `ended (${how}) and will be restarted`),
    replaced: ({ label, pid }) => {
      if (ready) output.notice(label, `was restarted as process ${pid}`);
      stack?.refresh();
    },
  });
  const truncating = setInterval(
    () => void truncateLargeLogs(logsIn(dir)).catch(() => undefined),
    TRUNCATE_LOGS_EVERY_MS,
  );
  const stop = async () => {
    print('  stopping');
    const stoppingAt = performance.now();
    await processes.stop();
    // After the processes that use them.
    await stack?.stop();
    clearInterval(truncating);
    // Removed again, because an interrupted start may have written it in the meantime.
    await removeStackFile(dir);
    await output.end();
    print(`  stopped everything in ${seconds(stoppingAt)}`);
  };
  stopOnSignal({ stop, kill: () => processes.kill() });

  try {
    const stores = await startInfrastructure({
      dir,
      cache: dir,
      settings,
      processes,
      fresh,
      step,
      docker: composeStores,
    });
    // Docker may not have run at an earlier start.
    if (settings.infrastructure === null && stores.kind === 'docker' && existsSync(join(dir, 'data', 'postgres')))
      print(`  embedded stores in ${dir} have other orders: PO_INFRA=embedded npm start`);
    stack = await startStack({
      dir,
      port,
      replicas,
      stores,
      identity,
      processes,
      step,
      logs: output.logs,
      environment: settings.portal,
    });
    const { kafkaBrokers, gatewayUrl, tokens } = stack.file();
    if (demo && identity.jwksUrl === null) {
      await step('load the demo orders', () => loadDemo({ kafkaBrokers, gatewayUrl, tokens }));
    }
    stack.announce();
    ready = true;
    output.ready({ stack: stack.file(), dir, startedAs: `${stores.kind} stores, started in ${seconds(startedAt)}` });
  } catch (error) {
    if (!processes.stopping) {
      await output.end();
      process.stderr.write(`\n${messageOf(error)}\n`);
      await stop();
      return 1;
    }
  }
  // Runs until a signal.
  return new Promise(() => undefined);
}

await runCommand(() => main(readSettings(), readOptions()));
