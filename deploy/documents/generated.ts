import { accessDocument } from './access-rules/table.js';
import { alertsDocument } from './alerts.js';
import { formatFile } from './format-file.js';
import { asyncApi } from './asyncapi.js';
import { configurationDocuments } from './configuration.js';
import type { Recorded } from './examples/recorded.js';
import { CONTRACTS_README, contractsReadme } from './guide.js';
import { aclScript } from './kafka/commands.js';
import { connectionsDocument } from './kafka/table.js';
import { strimziFiles } from './kubernetes/strimzi.js';
import { valuesSchema } from './kubernetes/values-schema.js';
import { openApi } from './openapi.js';
import { readme } from './workflow.js';

/** Texts of all generated documents, by path from the root. `recorded`: new examples of requests. */
export async function generatedDocuments(recorded?: Recorded): Promise<Map<string, string>> {
  const documents = {
    'libs/contracts/openapi.json': openApi(recorded),
    'libs/contracts/asyncapi.json': asyncApi(),
    'deploy/helm/po-collaboration/values.schema.json': valuesSchema(),
  };
  const texts = Object.entries(documents).map(
    async ([path, document]) => [path, await formatFile(path, JSON.stringify(document))] as const,
  );
  const others = Object.entries({
    ...strimziFiles(),
    ...configurationDocuments(),
    ...connectionsDocument(),
    ...alertsDocument(),
    ...accessDocument(),
    ...readme(),
  }).map(async ([path, text]) => [path, await formatFile(path, text)] as const);
  return new Map([
    ...(await Promise.all([...texts, ...others])),
    ...Object.entries(aclScript()),
    [CONTRACTS_README, await contractsReadme()],
  ]);
}
