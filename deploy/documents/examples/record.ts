import { apiClient } from '#local/api-client.js';
import { readSettings } from '#local/config.js';
import { demoToken } from '#local/stack/demo-token.js';
import { loadKeys } from '#local/stack/keys.js';
import { runningStack } from '#local/stack/running-stack.js';
import { sendExamples, withPreviousVolatile } from './send-examples.js';
import { type Recorded, recordedResponses } from './recorded.js';

/** Records all examples on the local stack, which must have freshly loaded demo orders. */
export async function recordExamples(): Promise<Recorded> {
  const { gatewayUrl, issuer, audience } = runningStack();
  const { identity: key } = await loadKeys(readSettings().dir);
  const responses = await sendExamples({
    gatewayUrl,
    api: (token) => apiClient(gatewayUrl, token),
    tokenOf: (user, claims) => demoToken({ key, issuer, audience }, user, claims),
  });
  return withPreviousVolatile(responses, recordedResponses()) as Recorded;
}
