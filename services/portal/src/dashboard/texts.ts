import { dictionary } from '../language/dictionary.js';

export const DASHBOARD = dictionary({ title: 'Dashboard' }, { title: '仪表盘' });
