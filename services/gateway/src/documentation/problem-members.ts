import { type ErrorCode, type Locale, Problem, membersOf } from '@po/contracts';
import { z } from 'zod';
import { type Markup, html } from './html.js';
import { type JsonSchema, typeOf } from './json-schema.js';
import type { Bilingual } from './layout.js';
import { inline } from './markdown.js';

/** The meaning of each member of a problem. */
export const MEANINGS: Record<string, Bilingual> = {
  type: { en: 'The path of this page.', zh: '本页的路径。' },
  title: { en: 'A short name of the error.', zh: '错误的简短名称。' },
  status: { en: 'The HTTP status.', zh: 'HTTP 状态码。' },
  detail: {
    en: 'A sentence for people, in English or Chinese by `Accept-Language`.',
    zh: '供人阅读的说明，按 `Accept-Language` 为英文或中文。',
  },
  instance: { en: 'The path of the request, without its query.', zh: '请求的路径，不含查询参数。' },
  code: { en: 'The error code for programs; it never changes.', zh: '供程序判断的错误代码，永不改变。' },
  message: { en: 'The same as `detail`.', zh: '与 `detail` 相同。' },
  success: { en: 'Always `false`.', zh: '始终为 `false`。' },
  requestId: {
    en: 'Quote it when you report a problem; the header `X-Request-Id` has it too.',
    zh: '报告问题时请提供；响应头 `X-Request-Id` 中也有。',
  },
  errors: {
    en: 'One entry for each value, at most 100: where it is (`in`, `pointer`), what is wrong (`code`), what is allowed (`message`). For a file at most 1,000, each with `row` (1 = labels) and `column`.',
    zh: '每个值一项，最多 100 项：位置（`in`、`pointer`）、问题（`code`）、允许的取值（`message`）。文件的错误最多 1,000 项，各有 `row`（1 为标题行）和 `column`。',
  },
  currentStatusId: { en: 'The id of the status that the order is in now.', zh: '订单当前状态的编号。' },
  currentStatus: { en: 'The English name of that status.', zh: '该状态的英文名称。' },
  allowedActions: { en: 'Actions that the caller may take instead.', zh: '调用者当前可以执行的操作。' },
  fields: { en: 'The fields of the request that are locked.', zh: '请求中被锁定的字段。' },
  currentVersion: {
    en: 'The current version of what was to be changed; the header `ETag` has it too.',
    zh: '要修改的内容的当前版本；响应头 `ETag` 中也有。',
  },
  rows: {
    en: 'How many rows the file would have, counted up to 1,000,000.',
    zh: '文件将包含的行数，最多统计到 1,000,000。',
  },
  limit: { en: 'The highest allowed number.', zh: '允许的上限。' },
  outcome: {
    en: 'Only for writes: it is unknown whether the write was done.',
    zh: '仅写入才有：写入是否已执行未知。',
  },
  idempotencyKey: {
    en: 'Only for writes: the key with which to repeat it.',
    zh: '仅写入才有：重发时使用的键。',
  },
};

/** Name, type and meaning of each member of a problem with this code: its own members, then the common ones. */
export function rowsOfMembers(code: ErrorCode, locale: Locale): Markup[][] {
  const { properties = {} } = z.toJSONSchema(z.object({ ...membersOf(code), ...Problem.shape })) as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => [
    html`<code>${name}</code>`,
    html`<code>${name === 'code' ? `"${code}"` : typeOf(schema, () => html`object`)}</code>`,
    inline(MEANINGS[name]?.[locale] ?? '', locale),
  ]);
}
