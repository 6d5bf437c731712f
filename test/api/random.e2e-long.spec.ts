import { describe } from '@jest/globals';
import { testRandomRequests } from './random-tests.js';

describe('the API', () => {
  testRandomRequests(40, 20_261_129);
});
