import { cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { childEnvironment, javaCommand } from '../config.js';
import { eventually } from '../eventually.js';
import type { Processes } from '../processes/processes.js';
import type { Step } from '../progress.js';
import { REPOSITORY } from '../repository.js';
import { tryRun } from '../processes/run.js';

const RECIPE = join(REPOSITORY, 'deploy/local/stores/kafka');
const CLUSTER_ID = '4L6g3nShT-eMCtK--X86sw';
const JVM = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-Djava.awt.headless=true', '-Djava.net.preferIPv4Stack=true'];
const STOP_MS = 9_000;
const START_MS = 60_000;

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

/** Where the programs of the embedded stores are kept: Kafka's jars in `lib`, Redis in `redis`. */
export const programsIn = (cache: string): string => join(cache, 'stores');

/** Fetches Kafka's jars and the Redis program by Maven, unless the cache has them. */
export async function fetchPrograms(processes: Processes, cache: string, step: Step): Promise<void> {
  const folder = programsIn(cache);
  const complete = join(folder, 'complete');
  if (await exists(complete)) return;
  await step('fetch Kafka and Redis by Maven', () =>
    processes.run('mvn', [
      ...['-q', '-B', '-f', join(RECIPE, 'pom.xml'), `-Dstores.folder=${folder}`],
      ...['dependency:copy-dependencies@kafka', 'dependency:unpack@redis'],
    ]),
  );
  await writeFile(complete, '');
}

/** What this machine lacks to run Kafka from its jars; each with the command that installs it. */
export async function missingForKafka(cache: string): Promise<string[]> {
  const missing: string[] = [];
  const version = /(\d+)(?:\.[\d.]+)?/.exec((await tryRun(javaCommand(), ['--version'])) ?? '')?.[1];
  if (Number(version ?? 0) < 17) {
    const what = version ? `Java is ${version}` : 'Java is missing';
    missing.push(`${what}, Kafka needs 17: apt-get install openjdk-17-jre-headless, or brew install openjdk@17`);
  }
  if (!(await exists(join(programsIn(cache), 'complete'))) && (await tryRun('mvn', ['-v'])) === null) {
    missing.push('Maven is missing, which fetches Kafka: apt-get install maven, or brew install maven');
  }
  return missing;
}

/** Starts a broker on loopback and waits until it answers; resolves with its address. */
export async function startKafka(
  processes: Processes,
  options: { data: string; cache: string; log: string; ports: { kafka: number; controller: number } },
): Promise<string> {
  const { data, ports } = options;
  const programs = programsIn(options.cache);
  const jars = (await readdir(join(programs, 'lib'))).toSorted().map((jar) => join(programs, 'lib', jar));
  const java = [...JVM, `-Dlog4j2.configurationFile=${join(RECIPE, 'log4j2.properties')}`, '-cp', jars.join(':')];
  const properties = join(data, 'server.properties');
  await mkdir(data, { recursive: true });
  await writeFile(properties, await serverProperties(join(data, 'log'), ports));
  if (!(await exists(join(data, 'log', 'meta.properties')))) await format(processes, java, programs, properties, data);
  const archive = join(programs, 'kafka.jsa');
  const recorded = `${archive}.${process.pid}`;
  const sharing = (await exists(archive)) ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${recorded}`;
  const broker = processes.start(
    'store',
    {
      name: 'Kafka',
      command: javaCommand(),
      args: [sharing, '-Xshare:auto', '-Xlog:disable', '-Xlog:all=error:stderr', ...java, 'kafka.Kafka', properties],
      env: childEnvironment({}),
      log: options.log,
      stopWithinMs: STOP_MS,
    },
    // The classes of the first run are archived as it ends: later brokers start in half the time.
    async () => {
      if (await exists(recorded)) await rename(recorded, archive);
    },
  );
  const address = `127.0.0.1:${ports.kafka}`;
  const kafka = connectKafka({ KAFKA_BROKERS: [address] }, 'local-stack', createLogger('local-stack', 'silent'));
  const topics = async () => {
    const admin = await kafka.admin();
    return admin.topics().finally(() => admin.close());
  };
  await eventually('Kafka answers', topics, { timeoutMs: START_MS, giveUp: () => broker.failure() });
  return address;
}

async function serverProperties(data: string, ports: { kafka: number; controller: number }): Promise<string> {
  const template = await readFile(join(RECIPE, 'server.properties'), 'utf8');
  return template
    .replaceAll('@KAFKA_PORT@', String(ports.kafka))
    .replaceAll('@CONTROLLER_PORT@', String(ports.controller))
    .replaceAll('@DATA@', data);
}

// A formatted, empty data folder is the same for every broker here, so it is made once and copied.
async function format(
  processes: Processes,
  java: readonly string[],
  programs: string,
  properties: string,
  data: string,
): Promise<void> {
  const template = join(programs, 'formatted');
  if (await exists(template)) {
    await cp(template, join(data, 'log'), { recursive: true });
    return;
  }
  const tool = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties];
  await processes.run(javaCommand(), [...java, ...tool]);
  const fresh = `${template}.${process.pid}`;
  await cp(join(data, 'log'), fresh, { recursive: true });
  await rename(fresh, template).catch(() => rm(fresh, { recursive: true }));
}
