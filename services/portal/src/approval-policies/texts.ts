import { dictionary } from '../language/dictionary.js';

export const POLICIES = dictionary({
  title: ['Approval policies', '审批规则'],
  intro: [
    "A submission is approved automatically if every difference is within the vendor's policy. Vendors without their own policy use the default.",
    '提交内容的所有差异均在该供应商的审批规则范围内时，订单会立即自动批准。没有专属规则的供应商适用默认规则。',
  ],
  defaultTitle: ['Default', '默认'],
  defaultNote: ['For vendors without their own policy', '适用于没有专属规则的供应商'],
  list: ['Policies', '规则'],
  states: {
    true: ['Enabled', '已启用'],
    false: ['Disabled', '已停用'],
  },
  changed: (version: number, name: string) => [`Version ${version} · ${name}`, `版本 ${version} · ${name}`],
  add: ['Add a policy', '添加规则'],
  change: ['Change', '修改'],
  delete: ['Delete', '删除'],
  history: ['History', '历史'],
  of: (what: string, policy: string) => [`${what}: ${policy}`, `${what}：${policy}`],
  none: {
    title: ['No policies yet', '暂无规则'],
    text: ['Every submission waits for a buyer.', '所有提交都等待采购员审批。'],
  },
  steps: {
    created: ['Created', '创建'],
    changed: ['Changed', '修改'],
    deleted: ['Deleted', '删除'],
  },
  version: (version: number) => [`Version ${version}`, `版本 ${version}`],
  became: ['became', '变为'],
  saved: (policy: string) => [`Policy saved: ${policy}`, `规则已保存：${policy}`],
  deleted: (policy: string) => [`Policy deleted: ${policy}`, `规则已删除：${policy}`],
  cancel: ['Cancel', '取消'],
  deleting: {
    ofVendor: [
      'The default then applies to this vendor. The history stays.',
      '此后该供应商适用默认规则。历史记录会保留。',
    ],
    ofDefault: [
      'Submissions of vendors without their own policy then wait for a buyer. The history stays.',
      '此后，没有专属规则的供应商的提交都等待采购员审批。历史记录会保留。',
    ],
    moved: ['Somebody changed this policy in the meantime. Review it, then confirm.', '他人已修改此规则，请重新确认。'],
  },
});
