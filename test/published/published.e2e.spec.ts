import { describe } from '@jest/globals';
import { testRandomRequests } from './random-requests.js';

describe('the published document', () => {
  testRandomRequests(20);
});
