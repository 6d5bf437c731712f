import { dictionary } from '../../language/dictionary.js';

export const TIMELINE = dictionary(
  {
    allChanges: (count: string) => `Show all ${count} changes`,
    fewer: 'Show fewer',
    none: 'none',
    became: 'became',
  },
  {
    allChanges: (count: string) => `显示全部 ${count} 处修改`,
    fewer: '收起',
    none: '无',
    became: '变为',
  },
);
