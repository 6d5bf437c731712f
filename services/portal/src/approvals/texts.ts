import { dictionary } from '../language/dictionary.js';

export const APPROVALS = dictionary(
  {
    automatic: 'Automatic',
    defaultPolicy: 'Default approval policy',
    policyOf: (vendorCode: string) => `Approval policy ${vendorCode}`,
    version: (version: number) => `version ${version}`,
    after: (version: string) => `, ${version}`,
  },
  {
    automatic: '自动',
    defaultPolicy: '默认审批规则',
    policyOf: (vendorCode: string) => `审批规则 ${vendorCode}`,
    version: (version: number) => `版本 ${version}`,
    after: (version: string) => `，${version}`,
  },
);
