import { describe, expect, it } from '@jest/globals';
import { withoutVolatile, sendExamples } from '../../deploy/documents/examples/send-examples.js';
import { recordedResponses } from '../../deploy/documents/examples/recorded.js';
import { loadDemo } from '../../deploy/local/demo/load-demo.js';
import { apiClient } from '../support/api-client.js';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';

describe('the examples of the API document', () => {
  it('equal the answers for the demo orders, except for ids and timestamps', async () => {
    const stack = readStack();
    const { gatewayUrl } = stack;
    await loadDemo(stack);
    const recorded = recordedResponses();
    const answers = await sendExamples({ gatewayUrl, api: (token) => apiClient(gatewayUrl, token), tokenOf }, recorded);
    expect(Object.keys(answers)).toEqual(Object.keys(recorded));
    for (const [of, answer] of Object.entries(answers)) {
      expect({ of, ...withoutVolatile(answer) }).toEqual({ of, ...(recorded[of] && withoutVolatile(recorded[of])) });
    }
  });
});
