import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { childEnvironment, javaCommand } from '../config.js';
import { eventually } from '@po/testing/eventually';
import { reservePorts } from '../processes/ports.js';
import type { Process } from '../processes/process.js';
import type { Processes } from '../processes/processes.js';
import type { Step } from '../progress.js';
import { tryRun } from '../processes/run.js';
import { type KafkaNode, type KafkaOptions, LOOPBACK, RECIPE, hostOf, serverProperties } from './kafka-properties.js';
import { scramArguments } from './kafka-security.js';

const CLUSTER_ID = '4L6g3nShT-eMCtK--X86sw';
const JVM = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-Djava.awt.headless=true'];
// Java and Maven cannot open files whose paths have characters outside the locale.
const IN_UTF8 = childEnvironment({ LC_ALL: 'C.UTF-8' });
const STOP_MS = 9_000;

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

const POM = join(RECIPE, 'pom.xml');
const VERSIONS = createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 8);

/** Folder of the embedded stores' programs, one for each set of versions: Kafka's jars in `lib`, Redis in `redis`. */
export const programsIn = (cache: string, kafkaVersion?: string): string =>
  join(cache, kafkaVersion === undefined ? `stores-${VERSIONS}` : `kafka-${kafkaVersion}`);

/** Downloads Kafka's jars and the Redis program with Maven unless they are cached. With `kafkaVersion`, only the jars of that Kafka. */
export async function fetchPrograms(
  processes: Processes,
  cache: string,
  step: Step,
  kafkaVersion?: string,
): Promise<void> {
  const folder = programsIn(cache, kafkaVersion);
  const complete = join(folder, 'complete');
  if (await exists(complete)) return;
  // Maven keeps a partial file of an interrupted download, so every download starts in an empty folder.
  const fresh = `${folder}.${process.pid}`;
  for (const partial of [folder, fresh]) await rm(partial, { recursive: true, force: true });
  try {
    await step('download Kafka and Redis with Maven', () =>
      processes.run(
        'mvn',
        [
          '-q',
          '-B',
          '-f',
          POM,
          `-Dstores.folder=${fresh}`,
          ...(kafkaVersion === undefined ? ['dependency:unpack@redis'] : [`-Dkafka.version=${kafkaVersion}`]),
          'dependency:copy-dependencies@kafka',
        ],
        { env: IN_UTF8 },
      ),
    );
    await writeFile(join(fresh, 'complete'), '');
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another process may have downloaded the same in the meantime.
    if (!(await exists(complete))) throw error;
  }
}

/** Missing requirements of this machine to run Kafka from its jars, each with the command that installs it. */
export const missingForKafka = async (cache: string): Promise<string[]> =>
  missingForJava('Kafka', await exists(join(programsIn(cache), 'complete')));

/** Missing requirements of this machine to run a Java program from Maven, each with the command that installs it. */
export async function missingForJava(program: string, isFetched: boolean): Promise<string[]> {
  const missing: string[] = [];
  const version = /(\d+)(?:\.[\d.]+)?/.exec((await tryRun(javaCommand(), ['--version'])) ?? '')?.[1];
  // Maven would fail as well, so it is not checked.
  if (!version && javaCommand() !== 'java') return [`${javaCommand()} does not answer: correct JAVA_HOME, or unset it`];
  if (Number(version ?? 0) < 17) {
    const what = version ? `${javaCommand()} is Java ${version}` : 'no Java answers "java --version"';
    const remedy =
      javaCommand() === 'java'
        ? 'apt-get install default-jre-headless (or openjdk-17-jre-headless, if that is older), or brew install openjdk and set JAVA_HOME to "$(brew --prefix openjdk)"'
        : 'correct JAVA_HOME, or unset it';
    missing.push(`${what}, ${program} needs 17 or newer: ${remedy}`);
  }
  if (!isFetched && (await tryRun('mvn', ['-v'], { env: IN_UTF8 })) === null) {
    missing.push(`Maven is missing, which fetches ${program}: apt-get install maven, or brew install maven`);
  }
  return missing;
}

/** Starts a cluster of brokers and waits until it answers. Resolves with their addresses, separated by commas. */
export async function startKafka(processes: Processes, options: KafkaOptions): Promise<string> {
  const brokers: Process[] = [];
  // In sequence, because the very first run records the class archive that the other brokers start from.
  for (const node of options.nodes) brokers.push(await startBroker(processes, node, options));
  const host = hostOf(options);
  const addresses = options.nodes.map(({ kafka }) => `${host}:${kafka}`);
  const port = connectKafka({ KAFKA_BROKERS: addresses }, 'local-stack', createLogger('local-stack', 'silent'));
  const complete = async () => {
    const admin = await port.admin();
    const known = await admin.brokerCount().finally(() => admin.close());
    if (known < addresses.length) throw new Error(`${known} of ${addresses.length} brokers are up`);
    return true;
  };
  const failure = () => brokers.map((broker) => broker.failure()).find(Boolean);
  await eventually('Kafka answers', complete, { giveUp: failure });
  return addresses.join(',');
}

/** Reserves ports for `count` nodes and for the names in `others`. A folder gets the same ports again if they are still free. */
export async function reserveNodes(
  dir: string,
  count: number,
  others: readonly string[] = [],
): Promise<{ nodes: KafkaNode[]; portOf: (name: string) => number }> {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const names = ids.flatMap((id) => [nodeName('kafka', { id }), nodeName('controller', { id })]);
  const ports = await reservePorts(dir, [...names, ...others]);
  const portOf = (name: string) => ports[name] as number;
  const nodes = ids.map((id) => ({
    id,
    kafka: portOf(nodeName('kafka', { id })),
    controller: portOf(nodeName('controller', { id })),
  }));
  return { nodes, portOf };
}

/** Name of a file, folder or process of a node. The first node has the plain name. */
export const nodeName = (name: string, { id }: Pick<KafkaNode, 'id'>): string => (id === 1 ? name : `${name}-${id}`);

async function startBroker(processes: Processes, node: KafkaNode, options: KafkaOptions): Promise<Process> {
  const data = nodeName(options.data, node);
  const log = options.log.replace(/\.log$/, '');
  const programs = programsIn(options.cache, options.kafkaVersion);
  const jars = (await readdir(join(programs, 'lib'))).toSorted().map((jar) => join(programs, 'lib', jar));
  const family = isIPv6(options.host ?? LOOPBACK) ? [] : ['-Djava.net.preferIPv4Stack=true'];
  const java = [
    ...JVM,
    // The second JIT compiler does not pay off for the short-lived broker of a test.
    ...(options.isShortLived ? ['-XX:TieredStopAtLevel=1'] : []),
    ...family,
    ...(options.security?.authorizes ? ['-Dpo.access.log=debug'] : []),
    `-Dlog4j2.configurationFile=${join(RECIPE, 'log4j2.properties')}`,
    '-cp',
    jars.join(':'),
  ];
  const properties = join(data, 'server.properties');
  await mkdir(data, { recursive: true });
  await writeFile(properties, await serverProperties(join(data, 'log'), node, options));
  if (!(await exists(join(data, 'log', 'meta.properties')))) {
    const template = join(programs, nodeName('formatted', node));
    const { security } = options;
    if (security) await format(processes, java, properties, scramArguments(security));
    else await copyFormatted(template, data, () => format(processes, java, properties));
  }
  const archive = join(programs, 'kafka.jsa');
  const recorded = `${archive}.${process.pid}`;
  const records = node.id === 1 && !(await exists(archive));
  const sharing = records ? `-XX:ArchiveClassesAtExit=${recorded}` : `-XX:SharedArchiveFile=${archive}`;
  return processes.start(
    'store',
    {
      name: nodeName('Kafka', node),
      command: javaCommand(),
      args: [sharing, '-Xshare:auto', '-Xlog:disable', '-Xlog:all=error:stderr', ...java, 'kafka.Kafka', properties],
      env: IN_UTF8,
      log: `${nodeName(log, node)}.log`,
      stopTimeoutMs: STOP_MS,
    },
    // The first run archives its classes when it ends, and later brokers start in half the time.
    async () => {
      if (records && (await exists(recorded))) await rename(recorded, archive);
    },
  );
}

// A formatted, empty data folder is the same for every broker with this id, so it is created once and copied, except for one with users.
async function copyFormatted(template: string, data: string, make: () => Promise<void>): Promise<void> {
  if (await exists(template)) {
    await cp(template, join(data, 'log'), { recursive: true });
    return;
  }
  await make();
  const fresh = `${template}.${process.pid}`;
  await cp(join(data, 'log'), fresh, { recursive: true });
  await rename(fresh, template).catch(() => rm(fresh, { recursive: true }));
}

async function format(
  processes: Processes,
  java: readonly string[],
  properties: string,
  users: readonly string[] = [],
): Promise<void> {
  const tool = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties, ...users];
  await processes.run(javaCommand(), [...java, ...tool], { env: IN_UTF8 });
}
