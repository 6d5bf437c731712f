import { dictionary } from '../../language/dictionary.js';

/** Of what opens from the bar of views, loaded when it does. */
export const VIEWS = dictionary(
  {
    saveTitle: 'Save this view',
    renameTitle: 'Rename view',
    name: 'Name',
    replaces: 'A view with this name will be replaced.',
    full: (most: string) => `There are ${most} views. Delete one, or use its name to replace it.`,
    keep: 'Save',
    rename: 'Rename',
    removed: (name: string) => `View “${name}” is deleted.`,
    undo: 'Undo',
    cancel: 'Cancel',
  },
  {
    saveTitle: '保存当前视图',
    renameTitle: '重命名视图',
    name: '名称',
    replaces: '同名视图将被替换。',
    full: (most: string) => `已有 ${most} 个视图。请先删除一个，或使用已有名称以替换。`,
    keep: '保存',
    rename: '重命名',
    removed: (name: string) => `视图“${name}”已删除。`,
    undo: '撤销',
    cancel: '取消',
  },
);
