import { dictionary } from '../language/dictionary.js';

export const POLICY_FORM = dictionary({
  who: ['Applies to', '适用于'],
  kinds: {
    vendor: ['One vendor', '单个供应商'],
    default: ['All other vendors', '其他所有供应商'],
  },
  vendor: ['Vendor', '供应商'],
  vendorNote: [
    "Choose a company, or type the vendor's code as the inventory system writes it.",
    '请选择公司，或输入库存系统中的供应商代码。',
  ],
  code: (code: string) => [`Vendor code: ${code}`, `供应商代码：${code}`],
  noVendor: ['Choose a vendor.', '请选择供应商。'],
  badCode: [
    'A vendor code has at most 50 characters, and is not “default”.',
    '供应商代码最多 50 个字符，且不能是“default”。',
  ],
  severalCodes: (codes: readonly string[]) => [
    `This company has several vendor codes: ${codes.join(', ')}. Type one of them.`,
    `该公司有多个供应商代码：${codes.join('、')}。请输入其中一个代码。`,
  ],
  taken: ['This vendor already has a policy. Change that one.', '已有对应的规则，请修改该规则。'],
  flags: {
    enabled: {
      name: ['State', '状态'],
      note: [
        'A disabled policy approves nothing. It still replaces the default.',
        '停用的规则不会批准任何订单，但仍然取代默认规则。',
      ],
      on: ['Enabled', '启用'],
      off: ['Disabled', '停用'],
    },
    allowFactoryChange: {
      name: ['Factory', '工厂'],
      note: ['Whether the vendor may name another factory.', '供应商是否可以更换工厂。'],
      on: ['May change', '可以更换'],
      off: ['No change', '不得更换'],
    },
  },
  days: ['Ex-factory date, in days', '离厂日期（天）'],
  percents: ['Each line, in percent', '每行（百分比）'],
  amounts: ['Maximum amount of an order', '订单金额上限'],
  amountsNote: [
    'Without a maximum, any amount is allowed. With one, orders in other currencies are not approved automatically.',
    '不填表示不限金额。填写后，其他币种的订单不会自动批准。',
  ],
  sumNote: [
    'Differences count from the last approval. A vendor who recalls an order and submits it again can exceed the limits step by step, except the maximum amount.',
    '差异从上次批准的内容起算。供应商撤回订单并再次提交，可以逐步超出以上限制，但不会超出订单金额上限。',
  ],
  currency: ['Currency', '币种'],
  amount: ['Amount', '金额'],
  addAmount: ['Add a currency', '添加币种'],
  removeAmount: (currency: string) => [`Remove: ${currency}`, `移除：${currency}`],
  unnamed: ['this currency', '此币种'],
  errors: {
    missing: ['Enter a value.', '请填写。'],
    notNumber: ['Enter a number.', '请输入数字。'],
    negative: ['Enter 0 or more.', '请输入 0 或以上的数字。'],
    notWhole: ['Enter a whole number.', '请输入整数。'],
    decimals: ['At most 2 decimals.', '最多 2 位小数。'],
    tooLarge: (max: string) => [`At most ${max}.`, `不能大于 ${max}。`],
    unclear: [
      'Unclear: use no thousands separators, and a point for decimals.',
      '数字有歧义：请勿加千位分隔符，小数点请用“.”。',
    ],
    currency: ['Three capital letters, such as USD.', '请输入三个大写字母，例如 USD。'],
    repeated: ['This currency is already listed.', '该币种已存在。'],
  },
  preview: {
    title: ['Effect on past submissions', '模拟结果'],
    invalid: ['The numbers appear here once every field is valid.', '所有字段填写正确后，这里会显示统计结果。'],
    waiting: ['Counting…', '正在统计……'],
    none: ['There are no submissions to check yet.', '暂无可供模拟的提交记录。'],
    counted: (all: string, approved: string, recalled: string) => [
      `Submissions checked: ${all}. Approved: ${approved}. Of these, later recalled or rejected: ${recalled}.`,
      `最近 ${all} 次提交中，${approved} 次会被自动批准，其中 ${recalled} 次之后被撤回或驳回。`,
    ],
  },
  save: ['Save', '保存'],
  newer: {
    changed: [
      'Somebody changed this policy in the meantime, to the limits below. What you typed is kept: review it, then save.',
      '您编辑期间，他人修改了此规则，现有限制如下。您填写的内容已保留，请检查后保存。',
    ],
    deleted: [
      'Somebody deleted this policy in the meantime. Saving creates it again.',
      '您编辑期间，他人删除了此规则；保存将重新创建。',
    ],
  },
});
