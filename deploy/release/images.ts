import { run, tryRun } from '#local/processes/run.js';
import { SERVICE_NAMES } from '#local/stack/stack-file.js';

const ENGINES = ['docker', 'buildah'] as const;
type Engine = (typeof ENGINES)[number];

/** A program that can build images here; null if there is none. */
export async function engineOf(): Promise<Engine | null> {
  for (const engine of ENGINES) if ((await tryRun(engine, ['version'])) !== null) return engine;
  return null;
}

/** Names of a release's images. */
export const imageNames = (registry: string, version: string): Map<string, string> =>
  new Map(Object.values(SERVICE_NAMES).map((service) => [service, `${registry}/${service}:${version}`]));

/** Builds the image of a service from a checkout. */
export function buildImage(
  engine: Engine,
  { root, service, name, version, revision }: Record<'root' | 'service' | 'name' | 'version' | 'revision', string>,
): Promise<string> {
  const values = { SERVICE: service, VERSION: version, REVISION: revision };
  const buildArgs = Object.entries(values).flatMap(([argument, value]) => ['--build-arg', `${argument}=${value}`]);
  return run(engine, ['build', '--file', 'deploy/Dockerfile', ...buildArgs, '--tag', name, '.'], { cwd: root });
}

export const pushImage = (engine: Engine, name: string): Promise<string> => run(engine, ['push', name]);
