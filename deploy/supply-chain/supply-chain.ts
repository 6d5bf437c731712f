import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { argumentsOf } from '#local/option-values.js';
import { runCommand } from '#local/commands/lifecycle.js';
import { DEFAULT_DIR, callersFolder } from '#local/config.js';
import { step } from '#local/progress.js';
import { SERVICE_NAMES } from '#local/stack/stack-file.js';
import { REPOSITORY } from '#local/repository.js';
import { installTools } from '#local/tools/install.js';
import { TOOLS } from '#local/tools/tools.js';
import { writeSboms } from './write-sboms.js';
import { pinImages, releasedImages } from './pinning.js';

/** Services with an image. */
const IMAGES: string[] = Object.values(SERVICE_NAMES);

const USAGE = `usage: npm run supply-chain -- <command>
  sbom --out DIR [--service S] [--tree DIR]      writes a bill of materials for each service, or for a tree such as /app of an image
  pin-images                                     writes the digests of the pulled images
  pin-release --registry R --tag T --out FILE
                                                 writes the chart's values for the images of a release`;

const OPTIONS = {
  out: { type: 'string' },
  service: { type: 'string' },
  tree: { type: 'string' },
  registry: { type: 'string' },
  tag: { type: 'string' },
} as const;
type Options = Partial<Record<keyof typeof OPTIONS, string>>;

const say = (lines: readonly string[]): void => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
const crane = async (): Promise<string> =>
  join(await installTools(join(DEFAULT_DIR, 'tools'), { crane: TOOLS.crane }, step), 'crane');

function required(options: Options, name: keyof Options): string {
  const value = options[name];
  if (value === undefined) throw new Error(`--${name} is missing\n${USAGE}`);
  return value;
}

/** Prints the problems, or `good` if there are none. Returns the exit status. */
function verdict(problems: readonly string[], good: string): number {
  say(problems.length > 0 ? problems : [good]);
  return problems.length > 0 ? 1 : 0;
}

async function bills(options: Options): Promise<number> {
  const out = resolve(callersFolder(), required(options, 'out'));
  const given = options.service;
  if (given !== undefined && !IMAGES.includes(given)) throw new Error(`--service takes one of ${IMAGES.join(', ')}`);
  if (options.tree !== undefined) required(options, 'service');
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  const services = given === undefined ? IMAGES : [given];
  const problems = await writeSboms({ services, version, out, ...(options.tree ? { tree: options.tree } : {}) });
  return verdict(problems, `bills of materials are in ${out}`);
}

async function main(): Promise<number> {
  const { positionals, values } = argumentsOf({ options: OPTIONS, allowPositionals: true });
  const [command = ''] = positionals;
  switch (command) {
    case 'sbom':
      return bills(values);
    case 'pin-images':
      say(await pinImages(REPOSITORY, await crane()));
      return 0;
    case 'pin-release': {
      const [registry, tag] = [required(values, 'registry'), required(values, 'tag')];
      const out = resolve(callersFolder(), required(values, 'out'));
      await writeFile(out, await releasedImages(await crane(), registry, tag));
      return verdict([], out);
    }
    default:
      throw new Error(USAGE);
  }
}

await runCommand(main);
