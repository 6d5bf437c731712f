import { copyFile, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Processes } from '../../deploy/local/processes/processes.js';
import { run } from '../../deploy/local/processes/run.js';
import { step } from '../../deploy/local/progress.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { fetchPrograms, programsIn } from '../../deploy/local/stores/embedded-kafka.js';
import { PROGRAMS } from '../../deploy/local/stores/embedded-postgres.js';
import { IMAGE_FILES, imagesIn } from '../../deploy/supply-chain/images.js';
import { programOf, runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { readText } from '@po/testing/documents';
import { Docker, debianIn } from './engine.js';

/** Base images of the stand-ins: a Debian release and its packages. */
const BASES = {
  'po-test/node-base': ['bookworm', 'ca-certificates,libstdc++6'],
  'po-test/stores-base': ['trixie', 'ca-certificates,openjdk-21-jre-headless,postgresql-client,redis-server'],
} as const;

const pulled = (): string[] => IMAGE_FILES.flatMap((file) => imagesIn(file, readText(file))).map(({ name }) => name);

/** Build stage of the stand-in for an image, such as `kafka` for apache/kafka:4.1.1. */
const stageOf = (name: string): string => name.replace(/:.*/, '').replace(/.*\//, '');

/** Builds stand-ins in the engine for all registry images that the repository names. */
export async function buildStandIns(docker: Docker): Promise<void> {
  if (Docker.usesHostEngine) return;
  const names = [...new Set(pulled())];
  const present = (await docker.run(['images', '--format', '{{.Repository}}'])).split('\n');
  for (const [name, [release, packages]] of Object.entries(BASES)) {
    const file = join(Docker.cache(), `${name.replace(/.*\//, '')}.tar`);
    await step(`make a Debian for ${name}`, () => debianIn(file, release, packages));
    if (!present.includes(name)) await docker.run(['import', file, name]);
  }
  await fetchPrograms(new Processes(runDir()), process.env['OPS_CACHE'] ?? '', step);
  const contexts = Object.entries(await contextsOf(docker)).flatMap(([name, folder]) => [
    '--build-context',
    `${name}=${folder}`,
  ]);
  const context = join(REPOSITORY, 'test/images/stand-ins');
  for (const name of names) {
    await step(`build the stand-in for ${name}`, () =>
      docker.run([
        'build',
        '--file',
        join(context, 'images.dockerfile'),
        '--target',
        stageOf(name),
        '--tag',
        name,
        ...contexts,
        context,
      ]),
    );
  }
}

/** Build contexts: folders of this machine that the stand-ins are made of. */
async function contextsOf(docker: Docker): Promise<Record<string, string>> {
  const tools = join(runDir(), 'stand-ins/tools');
  await mkdir(tools, { recursive: true });
  await copyFile(programOf('mailpit'), join(tools, 'mailpit'));
  const npm = (await run('sh', ['-c', 'command -v npm'])).trim();
  return {
    'node-program': dirname(process.execPath),
    npm: dirname(dirname(await realpath(npm))),
    'npm-settings': await npmSettings(join(docker.bin, '../npm')),
    'kafka-jars': join(programsIn(process.env['OPS_CACHE'] ?? ''), 'lib'),
    'postgres-programs': dirname(PROGRAMS),
    tools,
  };
}

/** Makes npm in a container use the registry and the trusted certificates of this machine's npm. */
async function npmSettings(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const setting = async (name: string) => (await run('npm', ['config', 'get', name], { cwd: REPOSITORY })).trim();
  const lines = [`registry=${await setting('registry')}`];
  const authorities = (await setting('cafile')).replace(/^null$/, '') || process.env['NODE_EXTRA_CA_CERTS'];
  if (authorities) {
    await copyFile(authorities, join(dir, 'authorities.pem'));
    lines.push('cafile=/usr/local/etc/authorities.pem');
  }
  await writeFile(join(dir, 'npmrc'), `${lines.join('\n')}\n`);
  return dir;
}
