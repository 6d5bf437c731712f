import { dictionary } from '../../language/dictionary.js';

export const TIMELINE = dictionary(
  {
    allChanges: (count: string) => `Show all ${count} changes`,
    fewer: 'Show fewer',
    omitted: 'Its changes are too many to show.',
    none: 'none',
    became: 'became',
  },
  {
    allChanges: (count: string) => `显示全部 ${count} 处修改`,
    fewer: '收起',
    omitted: '修改过多，无法显示。',
    none: '无',
    became: '变为',
  },
);
