// Runs on any Node from 20.19 without installed packages: installs and builds the project, then runs the command with the project's Node.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const REPAIRS = ['dead-letters', 'republish', 'rebuild-dashboard'];
const COMMANDS = [
  'start',
  'test',
  'token',
  'import',
  'doctor',
  'logs',
  'bench',
  'dates',
  'generate',
  'docs',
  'release',
  'supply-chain',
  ...REPAIRS,
];
// Commands outside deploy/local: their programs, and the additional projects to build.
const PROGRAMS = {
  bench: 'test/bench/dist/bench.js',
  dates: 'test/dates/dist/dates.js',
  docs: 'deploy/documents/dist/docs.js',
  release: 'deploy/release/dist/release.js',
  'supply-chain': 'deploy/supply-chain/dist/supply-chain.js',
};
const BUILT_FOR = {
  bench: ['test/bench'],
  dates: ['test/dates'],
  docs: ['deploy/documents'],
  release: ['deploy/release'],
  'supply-chain': ['deploy/supply-chain'],
};
const QUIET = ['token', 'import', 'generate', 'logs', ...REPAIRS];
const BUILD = [
  'deploy/local',
  'libs/client',
  'libs/spreadsheets',
  'services/gateway',
  'services/purchase-orders',
  'services/notifications',
  'services/dashboard',
  'services/mail',
];

// Commands whose gateways serve the portal, and commands that inspect its build.
const WITH_PORTAL = ['start', 'test', 'dates', 'release', 'supply-chain'];

// Maximum age of a lock without a pid. Owners write their pid immediately after creating the lock.
const UNNAMED_MS = 5_000;

const inRepository = (...path) => join(REPOSITORY, ...path);
const [command = '', ...given] = process.argv.slice(2);
// zsh, the shell of macOS, passes the comment after a pasted command as arguments.
const rest = given.includes('#') ? given.slice(0, given.indexOf('#')) : given;
const say = (line) => QUIET.includes(command) || process.stdout.write(`${line}\n`);

// Ignore a closed output. The child command notices it too and stops its processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const children = new Set();
// The compiler may still run when an installation fails.
process.on('exit', () => {
  for (const child of children) child.kill();
});
let signalled = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    signalled = true;
    for (const child of children) child.kill(signal);
  });
}

// A killed npm does not signal its child, which is only reparented. So watch the parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    signalled = true;
    for (const child of children) child.kill('SIGTERM');
  }, 1_000);
  watch.unref();
}

const LOOPBACK = ['127.0.0.1', 'localhost', process.env.NO_PROXY ?? process.env.no_proxy].filter(Boolean).join(',');
const environment = {
  ...process.env,
  // Shared compile cache, because six processes load the same packages at every start.
  NODE_COMPILE_CACHE: inRepository('node_modules', '.cache', 'node'),
  // Requests to local processes must not go through the machine's proxy.
  NO_PROXY: LOOPBACK,
  no_proxy: LOOPBACK,
};
// With `production`, which many images set, npm would omit development dependencies.
delete environment.NODE_ENV;
// Some companies set it for their proxy. Services refuse it.
delete environment.NODE_TLS_REJECT_UNAUTHORIZED;

function execute(program, args, stdio) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: REPOSITORY, env: environment, stdio });
    children.add(child);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve(signal ? 1 : (code ?? 1));
    });
  });
}

async function timed(label, program, args) {
  const startedAt = performance.now();
  const code = await execute(program, args, ['ignore', QUIET.includes(command) ? 2 : 'inherit', 'inherit']);
  if (signalled) process.exit(130);
  if (code !== 0) {
    process.stderr.write(`${label} failed (${program} ${args.join(' ')})\n`);
    process.exit(code);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds > 1) say(`  ${label.padEnd(46, ' ')} ${seconds.toFixed(1)} s`);
}

const GENERATE = [process.execPath, [inRepository('libs/client/generate-types.mjs')]];
const COMPILE = [inRepository('node_modules/.bin/tsc'), ['-b', ...BUILD, ...(BUILT_FOR[command] ?? [])]];

async function install() {
  const lockfile = inRepository('package-lock.json');
  const installed = inRepository('node_modules', '.package-lock.json');
  const stamp = inRepository('node_modules', '.installed-lockfile');
  // Outside node_modules, because npm empties that folder first.
  const unfinished = inRepository('.local', 'install-unfinished');
  const hash = (text) => createHash('sha256').update(text).digest('hex');
  const wanted = hash(readFileSync(lockfile));
  const stamped = () => (existsSync(stamp) ? readFileSync(stamp, 'utf8').trim() : null);
  // An install script provides this Node, so it is missing after an installation with `ignore-scripts`.
  const hasNode = () => existsSync(inRepository('node_modules', '.bin', 'node'));
  const isInstalled = () => stamped() === wanted && hasNode() && !existsSync(unfinished);
  if (isInstalled()) return;
  await withLock(join(tmpdir(), `po-install-${hash(REPOSITORY).slice(0, 16)}`), async () => {
    // Another command may have installed everything in the meantime.
    if (isInstalled()) return;
    const byHand =
      stamped() === null &&
      hasNode() &&
      !existsSync(unfinished) &&
      existsSync(installed) &&
      statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
    if (!byHand) {
      say('  installing dependencies');
      // Scripts run separately for all npm versions: before 11.16 there is no `allowScripts`, before 12 unlisted scripts also run.
      const options = [
        '--include=dev',
        '--include=optional',
        // The portal's bundle includes a package that is only a peer.
        '--include=peer',
        '--legacy-peer-deps=false',
        '--loglevel=error',
        '--engine-strict=false',
        '--global=false',
      ];
      mkdirSync(inRepository('.local'), { recursive: true });
      writeFileSync(unfinished, '');
      await timed('install dependencies', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options]);
      const { allowScripts = {} } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'));
      const allowed = Object.keys(allowScripts).filter(
        (name) => allowScripts[name] && existsSync(inRepository('node_modules', name)),
      );
      // The compiler does not need the scripts, so it starts in parallel. The build below reports its errors.
      const compiled = execute(...GENERATE, 'ignore')
        .then(() => execute(...COMPILE, 'ignore'))
        .catch(() => undefined);
      // Without names, npm rebuild would run the scripts of all packages.
      if (allowed.length > 0)
        await timed('run the allowed install scripts', 'npm', [
          'rebuild',
          // Overrides npm's settings, with which it would silently run no scripts.
          '--ignore-scripts=false',
          ...options,
          ...allowed,
        ]);
      await compiled;
    }
    // Replaced by a rename: a process that reads a partial stamp would reinstall while other commands run.
    writeFileSync(`${stamp}.${process.pid}`, wanted);
    renameSync(`${stamp}.${process.pid}`, stamp);
    rmSync(unfinished, { force: true });
  });
}

/** Runs the work under a lock against other commands of this repository. Takes over the lock of a process that has ended. */
async function withLock(lock, run) {
  const owner = join(lock, 'pid');
  let reported = false;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code === 'ENOENT') {
        process.stderr.write(`there is no folder ${tmpdir()} for temporary files: make it, or correct TMPDIR\n`);
        process.exit(1);
      }
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = numberIn(owner);
    if (isAbandoned(lock, pid)) rmSync(lock, { recursive: true, force: true });
    else if (pid && !reported) {
      reported = true;
      process.stderr.write(`waiting for process ${pid} to install; if it is another program: rm -r ${lock}\n`);
    }
    await delay(200);
    if (signalled) process.exit(130);
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  // Registered before the pid is written, because that fails on a full disk.
  process.once('exit', release);
  writeFileSync(owner, String(process.pid));
  await run();
  release();
  // When this process exits, the lock may belong to another command.
  process.off('exit', release);
}

/** Pid in the file; null if there is none, as in a lock that is just being created or released. */
function numberIn(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAbandoned(lock, pid) {
  if (pid) return pid === process.pid || !isAlive(pid);
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > UNNAMED_MS;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

for (const path of [REPOSITORY, process.env.PO_LOCAL_DIR ?? '']) {
  const [unfit] = /[$`":,#%[\]]/.exec(path) ?? [];
  if (!unfit) continue;
  process.stderr.write(
    `the path ${path} has a ${unfit}, which PostgreSQL, Java or npm's tools cannot take: use another folder\n`,
  );
  process.exit(1);
}
if (!COMMANDS.includes(command)) {
  process.stderr.write(`usage: npm run <command>, one of ${COMMANDS.join(', ')}\n`);
  process.exit(2);
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node ${process.versions.node} is too old: install 20.19 or newer\n`);
  process.exit(1);
}
await install();
await timed('generate the types of the client', ...GENERATE);
await timed('build', ...COMPILE);
// Always run: the portal's build itself detects whether anything changed, which takes a tenth of a second.
if (WITH_PORTAL.includes(command)) {
  await timed('build the portal', inRepository('node_modules/.bin/node'), [
    inRepository('services/portal/build/build.ts'),
  ]);
}
const code = await execute(
  inRepository('node_modules/.bin/node'),
  ['--no-warnings', inRepository(PROGRAMS[command] ?? `deploy/local/dist/commands/${command}.js`), ...rest],
  // The command notices the end of this process by the closed channel.
  ['inherit', 'inherit', 'inherit', 'ipc'],
);
process.exit(code);
