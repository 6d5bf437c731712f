import { describe } from '@jest/globals';
import { testRandomRequests } from './random-tests.js';

describe('the API', () => {
  testRandomRequests(100, 20_261_129);
});
