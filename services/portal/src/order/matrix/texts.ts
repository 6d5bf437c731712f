import { dictionary } from '../../language/dictionary.js';

export const MATRIX = dictionary({
  count: (lines: number, quantity: string) => [
    `${lines} ${lines === 1 ? 'line item' : 'line items'}, ${quantity} pieces`,
    `${lines} 个款色，共 ${quantity} 件`,
  ],
  none: {
    title: ['No lines', '没有明细'],
    text: ['The inventory system sent this order without lines.', '库存系统发送的该订单没有明细。'],
  },
  onlyChanges: ['Only changes', '仅看变更'],
  noChanges: {
    title: ['Nothing differs', '没有差异'],
    text: ['Every quantity and price is as ordered.', '所有数量和单价均与原单一致。'],
    all: ['Show all lines', '显示全部明细'],
  },
  undo: ['Undo', '撤销'],
  redo: ['Redo', '重做'],
  fillDown: ['Fill down', '向下填充'],
  fillRight: ['Fill right', '向右填充'],
  grid: ['Quantities and prices by style, color and size', '按款号、颜色和尺码列出的数量与单价'],
  totalOf: (style: string) => [`Total ${style}`, `${style} 小计`],
  selected: (cells: string, sum: string | null) => [
    `${cells} cells${sum === null ? '' : `, sum of quantities ${sum}`}`,
    `已选 ${cells} 个单元格${sum === null ? '' : `，数量合计 ${sum}`}`,
  ],
  outside: (cells: string) => [
    `Not pasted, because there is no cell to edit: ${cells}`,
    `有 ${cells} 个值未粘贴，因为没有可编辑的单元格`,
  ],
  notSaved: ['not saved', '未保存'],
  removed: ['Removed by the inventory system', '库存系统已删除'],
  removedFrom: (quantity: string) => [`was ${quantity}`, `原为 ${quantity}`],
  rough: ['Approximate: sizes of this item differ in price', '近似值：该款色各尺码单价不同'],
  faults: {
    decimals: ['At most 4 decimals', '最多 4 位小数'],
    negative: ['Must not be below 0', '不能小于 0'],
    notNumber: ['Not a number', '不是数字'],
    notWhole: ['Whole pieces only', '必须是整数'],
    tooLarge: (max: string) => [`At most ${max}`, `不能大于 ${max}`],
    unclear: {
      quantity: ['Unclear: use no thousands separators', '数字有歧义：请勿加千位分隔符'],
      price: [
        'Unclear: use no thousands separators, and a point with 2 or 4 decimals',
        '数字有歧义：请勿加千位分隔符；小数点请用“.”，保留 2 位或 4 位小数',
      ],
    },
    zero: ['A price must be above 0', '单价必须大于 0'],
  },
  changedTo: (value: string) => [`Changed in the meantime to ${value}`, `已被修改为 ${value}`],
  locked: (cells: string) => [
    `The order is locked. Your unsaved values: ${cells}.`,
    `订单已锁定。您有 ${cells} 个值尚未保存。`,
  ],
  changedByOthers: (cells: string) => [
    `Changed by others in the meantime: ${cells}`,
    `已被他人修改：${cells} 个单元格`,
  ],
  understood: ['Got it', '知道了'],
  newly: ['changed by others', '被他人修改'],
});
