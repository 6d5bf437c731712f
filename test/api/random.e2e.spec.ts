import { describe } from '@jest/globals';
import { testRandomRequests } from './random-tests.js';

describe('the API', () => {
  testRandomRequests(20, 20_261_122);
});
