import { dictionary } from '../language/dictionary.js';

export const ORDER = dictionary(
  {
    back: 'Orders',
  },
  {
    back: '订单',
  },
);
