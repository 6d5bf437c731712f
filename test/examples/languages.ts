import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { javaCommand } from '../../deploy/local/config.js';
import { EXAMPLES } from '../../deploy/local/example-messages.js';
import { run, tryRun } from '../../deploy/local/processes/run.js';

/** How to run an example. */
export interface Program {
  command: string;
  args: readonly string[];
}

export interface Language {
  name: string;
  /** What this machine lacks and how to install it; null = nothing. */
  lacks: () => Promise<string | null>;
  /** Files that define the dependencies, which are fetched again when one of these files changes. */
  inputs: readonly string[];
  /** Fetches dependencies into an empty folder with the package manager of the language. */
  fetch: (folder: string, home: string) => Promise<unknown>;
  /** Program of the example. `folder` has the dependencies, `home` the source. */
  program: (folder: string, home: string) => Program;
}

const OLDEST_JAVA = 17;
const OLDEST_GO = '1.24';
// Go caches beside the program, reused by the next build.
const goEnvironment = (folder: string) => ({
  ...process.env,
  GOMODCACHE: join(dirname(folder), 'go-modules'),
  GOCACHE: join(dirname(folder), 'go-build'),
  GOFLAGS: '-modcacherw',
  GOTOOLCHAIN: 'local',
});

export const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    lacks: () => Promise.resolve(null),
    inputs: ['package.json'],
    // Its only dependency is also one of this repository.
    fetch: () => Promise.resolve(),
    program: (_folder, home) => ({ command: process.execPath, args: ['--no-warnings', join(home, 'ledger.ts')] }),
  },
  {
    name: 'python',
    lacks: async () => {
      const found = await tryRun('python3', ['-c', 'import venv, ensurepip']);
      return found === null ? 'Python with venv: apt-get install python3-venv, or brew install python' : null;
    },
    inputs: ['requirements.txt'],
    fetch: async (folder, home) => {
      await run('python3', ['-m', 'venv', folder]);
      const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
      await run(join(folder, 'bin/pip'), ['install', ...quiet, '-r', join(home, 'requirements.txt')]);
    },
    program: (folder, home) => ({ command: join(folder, 'bin/python'), args: [join(home, 'ledger.py')] }),
  },
  {
    name: 'java',
    lacks: async () => {
      const modules = (await tryRun(javaCommand(), ['--list-modules'])) ?? '';
      const version = Number(/^jdk\.compiler@(\d+)/m.exec(modules)?.[1] ?? 0);
      if (version < OLDEST_JAVA) {
        return `a JDK of ${OLDEST_JAVA} or newer: apt-get install openjdk-17-jdk-headless, or brew install openjdk@17`;
      }
      const maven = await tryRun('mvn', ['-v']);
      return maven === null ? 'Maven: apt-get install maven, or brew install maven' : null;
    },
    inputs: ['pom.xml'],
    fetch: (folder, home) =>
      run('mvn', [
        '-q',
        '-B',
        '-f',
        join(home, 'pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${folder}`,
      ]),
    program: (folder, home) => ({
      command: javaCommand(),
      args: ['-cp', join(folder, '*'), join(home, 'Ledger.java')],
    }),
  },
  {
    name: 'go',
    lacks: async () => {
      const [, major, minor] = /go(\d+)\.(\d+)/.exec((await tryRun('go', ['version'])) ?? '') ?? [];
      const isInstalled =
        Number(major) > 1 || (Number(major) === 1 && Number(minor) >= Number(OLDEST_GO.split('.')[1]));
      return isInstalled ? null : `Go ${OLDEST_GO} or newer: https://go.dev/dl, or brew install go`;
    },
    inputs: ['go.mod', 'go.sum', 'ledger.go', 'kafka.go'],
    fetch: (folder, home) =>
      run('go', ['build', '-o', join(folder, 'ledger'), '.'], { cwd: home, env: goEnvironment(folder) }),
    program: (folder) => ({ command: join(folder, 'ledger'), args: [] }),
  },
];

/** Fetches the dependencies of an example unless they are cached, and returns its program. Rejects with the package manager's output. */
export async function prepareProgram({ name, inputs, fetch, program }: Language, cache: string): Promise<Program> {
  const home = join(EXAMPLES, 'consumers', name);
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(await readFile(join(home, input)));
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await fetch(folder, home);
    await writeFile(complete, '');
  }
  return program(folder, home);
}
