import { copyFile, cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, matchesGlob, posix, relative } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { run } from '../../deploy/local/processes/run.js';
import { type Stage, type Step, type Variables, expanded, stageNamed, stagesOf } from './dockerfile.js';

/** What an image is, its files in a folder. */
export interface Image {
  root: string;
  /** As in the image. */
  workdir: string;
  env: Record<string, string>;
  labels: Record<string, string>;
  user: string;
  command: string[];
}

/** While a stage is built. */
interface State extends Image {
  /** What was declared by ARG so far. */
  args: Record<string, string>;
}

/**
 * Does what a Dockerfile says, in folders instead of containers: good for steps that stay in their WORKDIR and need of their base image
 * only what this machine has too. Stages that are alike for several images are built once. Throws for an instruction that it does not know.
 */
export class Builder {
  private readonly built = new Map<string, Promise<State>>();

  constructor(
    private readonly options: {
      /** What the Dockerfile says. */
      text: string;
      /** The folder that COPY copies from, and what .dockerignore has there. */
      context: string;
      ignore: string;
      /** Where the stages go. */
      dir: string;
    },
  ) {}

  /** The image of the last stage, or of the one that is named. */
  async image(args: Variables, target?: string): Promise<Image> {
    return this.stage(stageNamed(stagesOf(this.options.text, args), target), args);
  }

  private stage(stage: Stage, args: Variables): Promise<State> {
    const uses = this.argumentsOf(stage, args).map((arg) => `${arg}=${args[arg] ?? ''}`);
    const key = [stage.name, ...uses].join(' ').replaceAll(/[^\w=.-]+/g, '-');
    const building = this.built.get(key) ?? this.build(stage, args, join(this.options.dir, key));
    this.built.set(key, building);
    return building;
  }

  /** The build arguments that it depends on. */
  private argumentsOf(stage: Stage, args: Variables): string[] {
    const own = stage.steps.flatMap(({ keyword, properties }) =>
      keyword === 'ARG' ? properties.map(([name]) => name) : [],
    );
    const others = stage.steps.flatMap(({ flags: { from } }) =>
      from === undefined ? [] : [stageNamed(stagesOf(this.options.text, args), from)],
    );
    if ('stage' in stage.base) others.push(stage.base.stage);
    return [...new Set([...own, ...others.flatMap((other) => this.argumentsOf(other, args))])].toSorted();
  }

  private async build(stage: Stage, args: Variables, root: string): Promise<State> {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    const state: State = { root, workdir: '/', env: {}, labels: {}, user: '0', command: [], args: {} };
    if ('stage' in stage.base) {
      const base = await this.stage(stage.base.stage, args);
      await copyContent(base.root, root);
      Object.assign(state, { ...base, root, env: { ...base.env }, labels: { ...base.labels }, args: {} });
    }
    for (const step of stage.steps) {
      await this.execute(step, state, args).catch((error: unknown) => {
        throw new Error(`${step.place} of ${stage.name} cannot be done`, { cause: error });
      });
    }
    return state;
  }

  private async execute(step: Step, state: State, args: Variables): Promise<void> {
    const text = (value: string) => expanded(value, { ...state.args, ...state.env });
    const values = () => Object.fromEntries(step.properties.map(([name, value]) => [text(name), text(value ?? '')]));
    switch (step.keyword) {
      case 'ARG':
        for (const [name, value] of Object.entries(values())) state.args[name] = args[name] ?? value;
        return;
      case 'ENV':
        Object.assign(state.env, values());
        return;
      case 'LABEL':
        Object.assign(state.labels, values());
        return;
      case 'WORKDIR':
        state.workdir = posix.resolve(state.workdir, text(step.text));
        await mkdir(join(state.root, state.workdir), { recursive: true });
        return;
      case 'USER':
        state.user = text(step.text);
        return;
      case 'EXPOSE':
      case 'STOPSIGNAL':
        return;
      case 'ENTRYPOINT':
        if (step.text !== '[]') throw new Error('only one that takes that of the base away is understood');
        return;
      case 'CMD':
        state.command = JSON.parse(step.text) as string[];
        return;
      case 'RUN':
        return this.run(step.text, state);
      case 'COPY':
        return this.copy(step, text(step.text).split(/\s+/), state, args);
      default:
        throw new Error(`${step.keyword} is not understood`);
    }
  }

  private async run(command: string, { root, workdir, env, args }: State): Promise<void> {
    const outside = /(?:^|[\s"'=:(])(\/[\w.-]+)/.exec(command)?.[1];
    if (outside) throw new Error(`it names ${outside}: outside of a container that is this machine's`);
    await run('sh', ['-c', command], {
      cwd: join(root, workdir),
      env: childEnvironment({
        // Not jest's, nor what services are started with here.
        NODE_ENV: null,
        NODE_OPTIONS: null,
        npm_config_prefer_offline: 'true',
        ...args,
        ...env,
      }),
    });
  }

  private async copy({ flags }: Step, words: string[], state: State, args: Variables): Promise<void> {
    const { from, ...others } = flags;
    if (Object.keys(others).length > 0) throw new Error(`--${Object.keys(others).join(', --')} is not understood`);
    const [sources, to = ''] = [words.slice(0, -1), words.at(-1)];
    const target = join(state.root, posix.resolve(state.workdir, to));
    const source =
      from === undefined
        ? this.options.context
        : (await this.stage(stageNamed(stagesOf(this.options.text, args), from), args)).root;
    for (const name of sources) {
      const path = join(source, name);
      const isFolder = (await stat(path)).isDirectory();
      const into = isFolder || !(to.endsWith('/') || sources.length > 1) ? target : join(target, posix.basename(name));
      await mkdir(isFolder ? into : dirname(into), { recursive: true });
      if (from !== undefined && isFolder) await copyContent(path, into);
      else if (isFolder) await cp(path, into, { recursive: true, filter: (file) => !this.ignores(file) });
      else if (from === undefined && this.ignores(path)) throw new Error(`.dockerignore leaves ${name} out`);
      else await copyFile(path, into);
    }
  }

  /** Whether .dockerignore leaves a file of the context out: the last line that matches it or a folder above decides. */
  private ignores(file: string): boolean {
    const path = relative(this.options.context, file);
    const parts = path.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    let ignored = false;
    for (const line of this.options.ignore.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
      const pattern = line.replace(/^!/, '');
      if (prefixes.some((prefix) => matchesGlob(prefix, pattern))) ignored = !line.startsWith('!');
    }
    return ignored;
  }
}

/** With links as they are. */
const copyContent = async (from: string, to: string): Promise<void> => void (await run('cp', ['-a', `${from}/.`, to]));

/** A builder of this repository's images. */
export async function builderOf(context: string, dir: string): Promise<Builder> {
  const text = await readFile(join(context, 'deploy/Dockerfile'), 'utf8');
  const ignore = await readFile(join(context, '.dockerignore'), 'utf8');
  return new Builder({ text, context, ignore, dir });
}
