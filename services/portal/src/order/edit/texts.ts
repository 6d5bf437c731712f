import { dictionary } from '../../language/dictionary.js';

export const EDIT = dictionary(
  {
    title: 'Unsaved changes',
    unsaved: (count: string, isOne: boolean) => (isOne ? '1 unsaved change' : `${count} unsaved changes`),
    saving: 'Saving…',
    saved: 'Saved',
    save: 'Save',
    discard: 'Discard',
    keys: 'Ctrl+S',
    faulty: (count: number) => (count === 1 ? '1 cell to correct' : `${count} cells to correct`),
    show: 'Show',
    conflict: 'First decide about what was changed meanwhile.',
    locked: 'The order cannot be edited now. What you typed is kept here.',
    loading: 'The lines are not there yet.',
    full: 'This browser has no room to keep what you type. Save before you leave.',
  },
  {
    title: '未保存的更改',
    unsaved: (count: string) => `${count} 处修改未保存`,
    saving: '正在保存…',
    saved: '已保存',
    save: '保存',
    discard: '放弃',
    keys: 'Ctrl+S',
    faulty: (count: number) => `${count} 处需更正`,
    show: '查看',
    conflict: '请先处理期间的修改。',
    locked: '订单目前不可编辑。您输入的内容已保留在这里。',
    loading: '明细尚未加载。',
    full: '浏览器已没有空间保留您输入的内容，请在离开前保存。',
  },
);
