import { DockerComposeEnvironment } from 'testcontainers';
import { COMPOSE_FILE, STORE_SERVICES, storePorts } from './compose-stores.js';
import { useDockerEngine } from '../config.js';
import type { ContainerStart } from './infrastructure.js';
import { REPOSITORY } from '../repository.js';
import { tryRun } from '../processes/run.js';

/** Starts the stores of the compose file for one test run. Containers and volumes are removed with it, even if it is killed. */
export const containerStores: ContainerStart = async ({ dir, processes, step }) => {
  const context = await tryRun('docker', ['context', 'inspect', '-f', '{{.Endpoints.docker.Host}}']);
  useDockerEngine(context?.trim() ?? '');
  const { urls, environment } = await storePorts(dir);
  const environmentOfStores = await step('start Kafka, PostgreSQL and Redis in containers', () =>
    new DockerComposeEnvironment(REPOSITORY, COMPOSE_FILE).withEnvironment(environment).up([...STORE_SERVICES]),
  );
  processes.atStop(() => environmentOfStores.down({ removeVolumes: true }));
  return {
    ...urls,
    pids: () => ({ kafka: null, postgres: null, redis: null }),
  };
};
