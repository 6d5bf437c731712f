import { type ErrorCode, type Locale, Problem, membersOf } from '@po/contracts';
import { z } from 'zod';
import { type Markup, html } from './html.js';
import { type JsonSchema, typeOf } from './json-schema.js';
import { inline } from './markdown.js';

/** The meaning of each member of a problem in Chinese; the schemas have it in English. */
const MEANINGS_ZH: Record<string, string> = {
  type: '说明该错误的页面的路径：小写并以连字符分隔的错误代码。',
  title: '错误的简短名称。',
  status: 'HTTP 状态码。',
  detail: '供人阅读的说明，按 `Accept-Language` 为英文或中文。',
  instance: '请求的路径，不含查询参数。',
  code: '供程序判断的错误代码，永不改变。',
  message: '与 `detail` 相同。',
  success: '始终为 `false`。',
  requestId: '报告问题时请提供；响应头 `X-Request-Id` 中也有。',
  errors:
    '每个值一项，最多 100 项：位置（`in`、`pointer`）、问题（`code`）、允许的取值（`message`）。文件的错误最多 1,000 项，各有 `row`（1 为标题行）和 `column`。',
  currentStatusId: '订单当前状态的编号。',
  currentStatus: '该状态的英文名称。',
  allowedActions: '调用者当前可以执行的操作。',
  fields: '请求中被锁定的字段。',
  currentVersion: '要修改的内容的当前版本；响应头 `ETag` 中也有。',
  rows: '文件将包含的行数，最多统计到 1,000,000。',
  limit: '允许的上限。',
  outcome: '仅用于写入：无法确定写入是否已执行。',
  idempotencyKey: '仅用于写入：以此作为 `Idempotency-Key` 重发请求，即可得知结果。',
};

/** Name, type and meaning of each member of a problem with this code: its own members, then the common ones. */
export function rowsOfMembers(code: ErrorCode, locale: Locale): Markup[][] {
  const { properties = {} } = z.toJSONSchema(z.object({ ...membersOf(code), ...Problem.shape })) as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>`,
    html`<code>${name === 'code' ? `"${code}"` : typeOf(schema, () => html`object`)}</code>`,
    inline((locale === 'en' ? schema.description : MEANINGS_ZH[name]) ?? '', locale),
  ]);
}
