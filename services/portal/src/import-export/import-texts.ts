import { dictionary } from '../language/dictionary.js';

const s = (count: number, one: string, many: string, written: string) => `${written} ${count === 1 ? one : many}`;

/** Counts are passed as a number, for singular and plural, and as formatted text. */
export const IMPORT = dictionary({
  title: ['Import', '导入'],
  drop: {
    title: ['Drop a file here', '将文件拖到此处'],
    into: (order: string) => [`Drop a file for ${order} here`, `将 ${order} 的文件拖到此处`],
    text: ['A CSV or Excel file (.xlsx) of at most 5 MB.', 'CSV 或 Excel 文件（.xlsx），最大 5 MB。'],
    safe: ['You see what would change before anything is applied.', '应用之前，您会看到所有更改。'],
    choose: ['Choose a file', '选择文件'],
    reading: ['Reading the file…', '正在读取文件……'],
  },
  how: {
    title: ['How it works', '操作步骤'],
    export: {
      title: ['Export', '导出'],
      text: [
        'In the list of orders, choose Export and “One row per size”; on an order, choose Spreadsheet.',
        '在订单列表选择“导出”中的“每个尺码一行”，或在订单页面选择“电子表格”。',
      ],
    },
    edit: {
      title: ['Edit', '编辑'],
      text: [
        'Fill in Reply Qty and Reply Price. An empty cell changes nothing; “clear” removes a reply.',
        '填写“回复数量”和“回复单价”。留空表示不更改，填“清除”则清除已有回复。',
      ],
    },
    check: {
      title: ['Check, then apply', '检查并应用'],
      text: [
        'Drop the file here, with the lines of one order or of many.',
        '将文件拖到此处，可包含一个或多个订单的明细。',
      ],
    },
  },
  notYours: {
    title: ['Replies are imported by vendors', '回复由供应商导入'],
    text: ['You can export orders and their lines from the list.', '您可以在列表中导出订单及其明细。'],
    orders: ['Go to the orders', '前往订单列表'],
  },
  faults: {
    wrongKind: (name: string) => [
      `${name} is not a spreadsheet. CSV (.csv) and Excel (.xlsx) files can be imported.`,
      `${name} 不是电子表格。可导入 CSV（.csv）和 Excel（.xlsx）文件。`,
    ],
    olderKind: (name: string) => [
      `${name} has a format that cannot be read. Save it as .xlsx or .csv and import that file.`,
      `无法读取 ${name} 的格式。请另存为 .xlsx 或 .csv 后再导入。`,
    ],
    tooLarge: (name: string) => [
      `${name} is larger than 5 MB. Export fewer orders at a time, or save it as .xlsx.`,
      `${name} 超过 5 MB。请减少每次导出的订单，或另存为 .xlsx。`,
    ],
    empty: (name: string) => [`${name} is empty.`, `${name} 是空文件。`],
    several: () => [
      'Drop one file at a time. It may have the lines of many orders.',
      '请每次只拖入一个文件，其中可包含多个订单的明细。',
    ],
    notCsv: (name: string) => [
      `${name} is not a CSV file: it must be text with one row per line and cells separated by commas, semicolons or tabs.`,
      `${name} 不是 CSV：必须是文本，每行一条记录，单元格以逗号、分号或制表符分隔。`,
    ],
    notXlsx: (name: string) => [
      `${name} is not an Excel workbook, despite its name. Save it as .xlsx again.`,
      `${name} 实际上不是 Excel 工作簿。请重新另存为 .xlsx。`,
    ],
    locked: (name: string) => [
      `${name} has a password or the older format .xls. Save it as .xlsx without a password.`,
      `${name} 设有密码，或为旧的 .xls 格式。请另存为不带密码的 .xlsx。`,
    ],
    damaged: (name: string) => [
      `${name} is damaged or incomplete. Open it in a spreadsheet program and save it again.`,
      `${name} 已损坏或不完整。请用表格软件打开后重新保存。`,
    ],
    manyRows: (name: string) => [
      `${name} has more than 150,000 rows. Export fewer orders at a time.`,
      `${name} 超过 150,000 行。请减少每次导出的订单。`,
    ],
    wideRow: (name: string) => [
      `A row of ${name} has more cells than row 1. Put values that contain the separator in quotation marks, and leave the cells beside the table empty.`,
      `${name} 有一行的单元格多于第 1 行。含有分隔符的值请加引号，表格以外的单元格请留空。`,
    ],
    noRowIds: (name: string) => [
      `${name} has no column “Row ID” in row 1 (in a workbook, of the first visible sheet). It identifies each row: start from an export with one row per size.`,
      `${name} 的第 1 行缺少用于识别各行的“行标识”列（工作簿以第一个可见的工作表为准）。请在按“每个尺码一行”导出的文件中填写。`,
    ],
  },
  ask: {
    title: ['Which order is this file for?', '导入到哪个订单？'],
    text: ['The file has no column “PO Number”.', '文件中没有“订单号”列。'],
    label: ['PO number', '订单号'],
    invalid: [
      'A PO number has at most 40 letters, digits, dots, dashes and underscores.',
      '订单号由字母、数字、点、短横线和下划线组成，最多 40 个字符。',
    ],
    check: ['Check the file', '检查文件'],
  },
  another: ['Choose another file', '选择其他文件'],
  rowsOf: (rows: number, written: string) => [s(rows, 'row', 'rows', written), `${written} 行`],
  orders: (orders: number, written: string) => [s(orders, 'order', 'orders', written), `${written} 个订单`],
  changes: (changes: number, written: string) => [s(changes, 'change', 'changes', written), `${written} 处更改`],
  errors: (errors: number, written: string) => [s(errors, 'error', 'errors', written), `${written} 处错误`],
  leftOut: (rows: string, orders: string) => [
    `The file also has ${rows} of ${orders}, which are not imported.`,
    `文件中另有 ${orders}的 ${rows}，不会导入。`,
  ],
  leftOutAll: (order: string, orders: string) => [
    `The file has no rows of ${order}, only of ${orders}.`,
    `文件中没有 ${order} 的行，只有另外 ${orders}的行。`,
  ],
  takeAll: ['Import these too', '一并导入'],
  takeOthers: ['Import these instead', '改为导入这些'],
  unnamed: (rows: string) => [
    `Rows left out because they have no PO number: ${rows}`,
    `因缺少订单号而未导入的行：第 ${rows} 行`,
  ],
  andMore: (count: string) => [`… and ${count} more`, `及另外 ${count} 行`],
  summary: {
    title: ['Summary', '概要'],
    rows: ['Rows', '行数'],
    changes: ['Changes', '更改'],
    same: ['Unchanged rows', '未更改的行'],
    errors: ['Errors', '错误'],
    leftOut: ['Rows left out', '不导入的行'],
  },
  view: ['Show', '显示内容'],
  views: {
    all: ['All', '全部'],
    changes: ['Changes', '更改'],
    problems: ['Problems', '问题'],
  },
  nothingIn: {
    changes: ['No changes', '没有更改'],
    problems: ['No problems', '没有问题'],
  },
  kinds: {
    waiting: ['Not checked yet', '尚未检查'],
    checking: ['Checking…', '正在检查……'],
    applying: ['Applying…', '正在应用……'],
    same: ['Nothing to change', '无更改'],
    applied: ['Applied', '已应用'],
    locked: ['Locked', '已锁定'],
    unknown: ['No such order', '无此订单'],
    forbidden: ['Not allowed', '无权限'],
    noAnswer: ['No answer', '无响应'],
    problem: ['Not possible', '无法处理'],
  },
  hints: {
    faulty: [
      'Nothing in this order is applied while it has errors, and its other changes are not shown. Fix the errors in the file and upload it again.',
      '有错误时，此订单不会应用任何更改，其余更改也不会显示。请在文件中修正后重新上传。',
    ],
    moved: [
      'Somebody changed the order in the meantime. This is what the file would change now: review it, then apply.',
      '此订单刚被他人修改。以下是该文件现在会带来的更改，请重新确认后再应用。',
    ],
    locked: (status: string) => [
      `The order is ${status}, so replies cannot be changed. The changes in the file are left out.`,
      `订单状态为“${status}”，不能修改回复。文件中对它的更改不会应用。`,
    ],
    lockedPlainly: [
      'Replies cannot be changed in its current status. The changes in the file are left out.',
      '订单的当前状态不允许修改回复。文件中对它的更改不会应用。',
    ],
    unknown: [
      'There is no order with this number, or it is not yours. Check the column “PO Number”.',
      '此订单号不存在，或者订单不属于您。请检查“订单号”列。',
    ],
    forbidden: ['Your role does not include this.', '您的角色不包含此权限。'],
    notChecked: [
      'The service did not answer. Nothing was applied; check again when you are connected.',
      '服务没有响应。未应用任何更改；请在恢复连接后重新检查。',
    ],
    unclear: [
      'The service did not answer, so the changes may or may not have been applied. Try again: nothing is applied twice.',
      '服务没有响应，更改可能已应用，也可能没有。请重试：不会重复执行。',
    ],
  },
  open: ['Open the order', '打开订单'],
  columns: {
    line: ['Line', '明细'],
    value: ['Field', '字段'],
    change: ['Change', '更改'],
    row: ['Row', '行'],
    column: ['Column', '列'],
    wrong: ['Problem', '问题'],
    code: ['Code', '代码'],
  },
  none: ['no reply', '无回复'],
  cleared: ['cleared', '已清除'],
  checking: (done: string, all: string) => [`Checking: ${done} of ${all}`, `正在检查：${done} / ${all}`],
  applying: (done: string, all: string) => [`Applying: ${done} of ${all}`, `正在应用：${done} / ${all}`],
  rateLimited: (seconds: number) => [
    `Too many requests: continues in ${seconds} s`,
    `请求过于频繁：${seconds} 秒后继续`,
  ],
  stop: ['Cancel', '取消'],
  stopHint: ['Orders that are already applied stay applied.', '已完成的订单不受影响。'],
  ready: (changes: string, orders: string) => [`${changes} to ${orders}`, `${orders}，共 ${changes}`],
  notReady: (orders: string) => [`${orders} left out`, `${orders}未包含在内`],
  unchecked: (orders: string) => [`${orders} not checked yet`, `${orders}尚未检查`],
  nothing: ['Nothing to apply.', '没有可应用的更改。'],
  nothingFaulty: [
    'Nothing can be applied: fix the errors in the file and upload it again.',
    '无法应用：请在文件中修正错误后重新上传。',
  ],
  apply: ['Apply', '应用'],
  again: ['Try again', '重试'],
  check: ['Check again', '重新检查'],
  proceed: ['Check the rest', '检查其余订单'],
  applied: (orders: string) => [`${orders} applied`, `${orders}的更改已应用`],
  next: ['Import another file', '导入其他文件'],
  unapplied: {
    title: ['Leave before the import is complete?', '导入尚未完成，确定离开？'],
    text: ['The file must be chosen and checked again.', '之后需要重新选择并检查文件。'],
  },
  leave: {
    title: ['Leave while changes are being applied?', '正在应用更改，确定离开？'],
    text: [
      'The order in progress is finished; the others are left unchanged.',
      '正在处理的订单会完成，其余订单保持不变。',
    ],
  },
});
