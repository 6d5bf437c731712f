import { dictionary } from '../../language/dictionary.js';

export const CHOICES = dictionary(
  {
    find: { vendor: 'Find a vendor', buyer: 'Find a buyer' },
    none: { vendor: 'No such vendor', buyer: 'No such buyer' },
  },
  {
    find: { vendor: '查找供应商', buyer: '查找采购员' },
    none: { vendor: '没有该供应商', buyer: '没有该采购员' },
  },
);
