import { mkdir } from 'node:fs/promises';
import { argumentsOf, wholeNumberOf } from '../option-values.js';
import { composeStores } from '../stores/compose-stores.js';
import { type LocalSettings, readSettings } from '../config.js';
import { startInfrastructure } from '../stores/infrastructure.js';
import { clearLeftovers, recordProcesses } from '../processes/leftovers.js';
import { describe, runCommand, stopOnSignal } from './lifecycle.js';
import { loadDemo } from '../demo/load-demo.js';
import { boundLogs, logsIn, setLogsAside } from '../logs/log-files.js';
import { calmOutput, streamedOutput } from './output.js';
import { Processes } from '../processes/processes.js';
import { seconds } from '../progress.js';
import { removeStackFile } from '../stack/stack-file.js';
import { type Stack, requireFreePorts, startStack } from '../stack/stack.js';

const BOUND_LOGS_MS = 2_000;

interface Options {
  replicas: number;
  demo: boolean;
  fresh: boolean;
  /** The lines of the services go to standard output instead of files. */
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

/** `npm start`: the whole system on this machine until a signal. */
async function main(settings: LocalSettings, { replicas, demo, fresh, logs }: Options): Promise<number> {
  const { dir, identity, port } = settings;
  const startedAt = performance.now();
  await mkdir(dir, { recursive: true });
  const left = await clearLeftovers(dir);
  // From here on another start in this folder is refused.
  recordProcesses(dir, []);
  await requireFreePorts(port, replicas);
  await removeStackFile(dir);
  await setLogsAside(logsIn(dir));

  const output = logs ? streamedOutput() : calmOutput(dir);
  const { say, step } = output;
  if (left.length > 0) say(`  ended what an earlier run left behind: ${left.join(', ')}`);
  let stack: Stack | undefined;
  let ready = false;
  const processes = new Processes(dir, {
    ended: ({ label }, how) => ready && output.notice(label, `ended (${how}) and is started again`),
    replaced: ({ label, pid }) => {
      if (ready) output.notice(label, `was started again, as process ${pid}`);
      stack?.refresh();
    },
  });
  const bounding = setInterval(() => void boundLogs(logsIn(dir)).catch(() => undefined), BOUND_LOGS_MS);
  const stop = async () => {
    say('  stopping');
    const stoppingAt = performance.now();
    await processes.stop();
    // After those that ask them.
    await stack?.stop();
    clearInterval(bounding);
    // Again: an interrupted start may have written it meanwhile.
    await removeStackFile(dir);
    await output.end();
    say(`  stopped everything in ${seconds(stoppingAt)}`);
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
    stack = await startStack({
      dir,
      port,
      replicas,
      stores,
      identity,
      processes,
      step,
      logs: output.logs,
    });
    const { kafkaBrokers, gatewayUrl, tokens } = stack.file();
    if (demo && identity.jwksUrl === null) {
      await step('load the demo orders', () => loadDemo({ kafkaBrokers, gatewayUrl, tokens }));
    }
    stack.announce();
    ready = true;
    output.ready({ stack: stack.file(), dir, how: `${stores.kind} stores, started in ${seconds(startedAt)}` });
  } catch (error) {
    if (!processes.stopping) {
      await output.end();
      process.stderr.write(`\n${describe(error)}\n`);
      await stop();
      return 1;
    }
  }
  // Until a signal.
  return new Promise(() => undefined);
}

await runCommand(() => main(readSettings(), readOptions()));
