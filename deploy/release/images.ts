import { run, tryRun } from '#local/processes/run.js';

const ENGINES = ['docker', 'buildah'] as const;
type Engine = (typeof ENGINES)[number];

/** A program that can build images here; null if there is none. */
export async function engineOf(): Promise<Engine | null> {
  for (const engine of ENGINES) if ((await tryRun(engine, ['version'])) !== null) return engine;
  return null;
}

/** Builds the image of a service from a checkout. */
export function buildImage(
  engine: Engine,
  { root, service, name, version, revision }: Record<'root' | 'service' | 'name' | 'version' | 'revision', string>,
): Promise<string> {
  const values = { SERVICE: service, VERSION: version, REVISION: revision };
  const buildArgs = Object.entries(values).flatMap(([argument, value]) => ['--build-arg', `${argument}=${value}`]);
  return run(engine, ['build', '--file', 'deploy/Dockerfile', ...buildArgs, '--tag', name, '.'], { cwd: root });
}
