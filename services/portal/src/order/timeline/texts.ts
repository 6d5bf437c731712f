import { dictionary } from '../../language/dictionary.js';

export const TIMELINE = dictionary(
  {
    title: 'Timeline',
    kind: 'Show',
    kinds: { all: 'All', changes: 'Changes', comments: 'Comments', status: 'Status', source: 'Inventory' },
    more: (count: string) => `Show ${count} more`,
    allChanges: (count: string) => `Show all ${count} changes`,
    fewer: 'Show fewer',
    none: 'none',
    became: 'became',
    empty: { title: 'Nothing has happened yet', text: 'Every step of the order appears here.' },
    nothing: 'Nothing of this kind yet.',
  },
  {
    title: '时间线',
    kind: '显示',
    kinds: { all: '全部', changes: '修改', comments: '备注', status: '状态', source: '库存系统' },
    more: (count: string) => `再显示 ${count} 条`,
    allChanges: (count: string) => `显示全部 ${count} 处修改`,
    fewer: '收起',
    none: '无',
    became: '变为',
    empty: { title: '暂无记录', text: '订单的每一步都会显示在这里。' },
    nothing: '暂无此类记录。',
  },
);
