import { type ImportCell, MAX_PRICE, MAX_QTY } from '@po/contracts';
import { moneyOf, parseMoney } from '../money.js';
import type { Money } from '../order.js';

/** Error in a cell of an import file: a code and a text in both languages. */
export interface CellFault {
  code: 'INVALID_VALUE' | 'OUT_OF_RANGE';
  en: string;
  zh: string;
}

/** The reply in a cell, or its error. An undefined value keeps the stored reply, null clears it. */
export type ReadCell<T> = { value: T | null | undefined } | { fault: CellFault };

const CLEARING = new Set(['clear', '清除']);
const MAX_PRICE_UNITS = moneyOf(MAX_PRICE);
const DIGITS = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const UNCLEAR_COMMA = /^[+-]?\d*[1-9]\d*,\d{3}$/;

const fault = (code: CellFault['code'], en: string, zh: string): { fault: CellFault } => ({ fault: { code, en, zh } });

export const UNCALCULATED = fault(
  'INVALID_VALUE',
  'is a formula whose result is not stored in the file: open and save it in a spreadsheet program, or enter the value',
  '是公式，但文件中没有保存其结果：请用表格软件打开并保存，或直接填写数值',
);
/** Form in which a workbook's number arrives if it is displayed as a date, a time or a percentage: "46085 (date)". */
const FORMATTED = /\((?:date|percentage)\)$/;
const NO_NUMBER = fault(
  'INVALID_VALUE',
  'is a date, a time or a percentage in the file: format the cell as a number, and enter the value again',
  '在文件中是日期、时间或百分比：请将单元格格式设为数字，并重新填写数值',
);
const NO_QTY = fault(
  'INVALID_VALUE',
  `must be a whole number from 0 to ${MAX_QTY} without thousands separators, "clear", or empty`,
  `必须是 0 到 ${MAX_QTY} 的整数（不带千位分隔符）、“清除”或留空`,
);
const QTY_OUT_OF_RANGE = fault('OUT_OF_RANGE', `must be from 0 to ${MAX_QTY}`, `必须在 0 到 ${MAX_QTY} 之间`);
const NO_PRICE = fault(
  'INVALID_VALUE',
  'must be a number of at most 4 decimals such as 12.5, without thousands separators, "clear", or empty',
  '必须是最多 4 位小数的数字（如 12.5，不带千位分隔符）、“清除”或留空',
);
const UNCLEAR_PRICE = fault(
  'INVALID_VALUE',
  'has a point or comma that may be decimal or separate thousands: write 4 decimals such as 1.2500, or only digits such as 1250',
  '其中的点或逗号可能是小数点，也可能是千位分隔符：请写 4 位小数（如 1.2500），或只写数字（如 1250）',
);
const PRICE_OUT_OF_RANGE = fault(
  'OUT_OF_RANGE',
  `must be above 0 and at most ${MAX_PRICE}`,
  `必须大于 0 且不超过 ${MAX_PRICE}`,
);

/** The fault of a number with too many decimals. A calculated number has all that are stored, which its cell may not show. */
const withRounding = ({ fault: { code, en, zh } }: { fault: CellFault }) =>
  fault(
    code,
    `${en}; the cell may show fewer decimals than the file holds: round it with ROUND`,
    `${zh}；文件中保存的小数位数可能多于单元格显示的位数：请用 ROUND 函数舍入`,
  );
const QTY_DECIMALS = withRounding(NO_QTY);
const PRICE_DECIMALS = withRounding(NO_PRICE);

/** Reads a quantity in pieces. */
export function qtyIn(cell: ImportCell): ReadCell<number> {
  return readCell(cell, NO_QTY, (negative, whole, fraction) => {
    if (maySeparateThousands(whole, fraction)) return NO_QTY;
    if (/[1-9]/.test(fraction)) return QTY_DECIMALS;
    const qty = Number(whole);
    if (qty > MAX_QTY || (negative && qty > 0)) return QTY_OUT_OF_RANGE;
    return { value: qty };
  });
}

/** Reads a unit price. With `unclearPoints`, refuses a text with a point before three digits, which might separate thousands. */
export function priceIn(cell: ImportCell, unclearPoints = false): ReadCell<Money> {
  const hasUnclearComma = typeof cell === 'string' && UNCLEAR_COMMA.test(textIn(cell));
  return readCell(cell, hasUnclearComma ? UNCLEAR_PRICE : NO_PRICE, (negative, whole, fraction) => {
    if (unclearPoints && typeof cell === 'string' && maySeparateThousands(whole, fraction)) return UNCLEAR_PRICE;
    const decimals = fraction.replace(/0+$/, '');
    if (decimals.length > 4) return PRICE_DECIMALS;
    const price = parseMoney(`${whole || '0'}.${decimals || '0'}`);
    if (negative || price <= 0n || price > MAX_PRICE_UNITS) return PRICE_OUT_OF_RANGE;
    return { value: price };
  });
}

function readCell<T>(
  cell: ImportCell,
  none: ReadCell<T>,
  valueOf: (negative: boolean, whole: string, fraction: string) => ReadCell<T>,
): ReadCell<T> {
  if (cell !== null && typeof cell === 'object') return UNCALCULATED;
  const text = textIn(cell);
  if (text === '') return { value: undefined };
  if (CLEARING.has(text.toLowerCase())) return { value: null };
  if (FORMATTED.test(text)) return NO_NUMBER;
  const [, sign, whole = '', fraction = ''] = DIGITS.exec(withPoint(text)) ?? [];
  if (sign === undefined || whole + fraction === '') return none;
  return valueOf(sign === '-', whole, fraction);
}

/** Text of a cell, trimmed and with full-width digits converted. Input methods and copying leave such spaces and digits. */
export function textIn(cell: string | number | null): string {
  return String(cell ?? '')
    .replaceAll(/[\uff0b-\uff0e\uff10-\uff19]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .trim();
}

/** Replaces a decimal comma by a point. A comma before three digits might separate thousands: it stays, so the text is no number. */
function withPoint(text: string): string {
  const [whole = '', fraction = '', ...more] = text.split(',');
  if (!text.includes(',') || more.length > 0 || text.includes('.')) return text;
  return maySeparateThousands(whole, fraction) ? text : `${whole}.${fraction}`;
}

const maySeparateThousands = (whole: string, fraction: string): boolean => fraction.length === 3 && /[1-9]/.test(whole);
