import { z } from 'zod';
import type { Locale } from '../identity.js';

type Bilingual = Record<Locale, string>;
/** Members of a problem that are used in its text; a missing one results in an empty string. */
type Members = Record<string, unknown>;

interface ErrorDefinition {
  status: number;
  /** Status if the missing resource is named by a value of the body instead of the path; `errors[]` says which. */
  statusOfValue?: number;
  title: Bilingual;
  detail: (members: Members) => Bilingual;
}

const show = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const define = (
  status: number,
  en: string,
  zh: string,
  detail: (show: (name: string) => string) => [en: string, zh: string],
): ErrorDefinition => ({
  status,
  title: { en, zh },
  detail: (members) => {
    const [english, chinese] = detail((name) => show(members[name]));
    return { en: english, zh: chinese };
  },
});

/** All error codes with their HTTP status and texts in both languages. A code never changes; texts may. */
export const ERRORS = {
  VALIDATION_FAILED: define(400, 'Validation failed', '校验失败', () => [
    'The request is invalid; errors[] says where and what is allowed.',
    '请求不符合约定的格式；errors[] 指出位置和允许的取值。',
  ]),
  MALFORMED_JSON: define(400, 'Malformed JSON', 'JSON 格式错误', () => [
    'The body must be valid JSON in UTF-8, at most 20 levels deep, with at most 20,000 members.',
    '请求体必须是 UTF-8 编码的有效 JSON，嵌套不超过 20 层，成员不超过 20,000 个。',
  ]),
  BAD_REQUEST: define(400, 'Bad request', '请求错误', (m) => [
    m('reason') || 'The request must be valid HTTP, with a percent-encoded URL.',
    m('reasonZh') || '请求必须是有效的 HTTP 请求，其 URL 必须经过百分号编码。',
  ]),
  TOKEN_MISSING: define(401, 'Token missing', '缺少令牌', () => [
    'Send the user token in the X-User-Token header.',
    '请在 X-User-Token 请求头中发送用户令牌。',
  ]),
  TOKEN_INVALID: define(401, 'Token invalid', '令牌无效', () => ['The user token is not valid.', '用户令牌无效。']),
  TOKEN_EXPIRED: define(401, 'Token expired', '令牌已过期', () => [
    'The user token has expired; sign in again.',
    '用户令牌已过期，请重新登录。',
  ]),
  ROLE_NOT_ALLOWED: define(403, 'Role not allowed', '角色无权限', (m) => [
    `Your role may not do this${m('roles') && `; roles that may: ${m('roles')}`}.`,
    `您的角色无权执行此操作${m('roles') && `；可执行的角色：${m('roles')}`}。`,
  ]),
  VENDOR_NOT_LINKED: define(403, 'Vendor not linked', '未关联供应商', () => [
    'Your account has the vendor role but no vendor code; ask an administrator to link it.',
    '您的账号具有供应商角色但没有供应商代码，请联系管理员关联。',
  ]),
  PO_NOT_FOUND: define(404, 'Purchase order not found', '未找到采购订单', () => [
    'There is no such purchase order.',
    '该采购订单不存在。',
  ]),
  NOTIFICATION_NOT_FOUND: define(404, 'Notification not found', '未找到通知', () => [
    'There is no such notification.',
    '该通知不存在。',
  ]),
  MESSAGE_NOT_FOUND: define(404, 'Message not found', '未找到消息', () => [
    'There is no such message.',
    '该消息不存在。',
  ]),
  POLICY_NOT_FOUND: define(404, 'Approval policy not found', '未找到审批规则', () => [
    'There is no such approval policy.',
    '该审批规则不存在。',
  ]),
  USER_NOT_FOUND: {
    ...define(404, 'User not found', '未找到用户', (m) =>
      m('mentioned')
        ? [
            'A mentioned user is not a participant of this order, may not read this message, or has been deleted: remove the mention. errors[] says which.',
            '消息提及的用户不是该订单的参与者、无权阅读该消息或已被删除，请去掉该提及；errors[] 指出具体位置。',
          ]
        : ['No user with this id has ever signed in.', '该用户从未使用过本系统。'],
    ),
    statusOfValue: 422,
  },
  SUPPRESSION_NOT_FOUND: define(404, 'Suppression not found', '未找到停发地址', () => [
    'Mail to this address is not suppressed.',
    '系统并未停止向该地址发送邮件。',
  ]),
  VIEW_NOT_FOUND: define(404, 'View not found', '未找到视图', () => ['There is no such view.', '该视图不存在。']),
  ROUTE_NOT_FOUND: define(404, 'Route not found', '未找到路由', () => ['There is no such route.', '该路由不存在。']),
  METHOD_NOT_ALLOWED: define(405, 'Method not allowed', '不允许的方法', (m) => [
    `This route allows ${m('allow')}.`,
    `该路由允许的方法：${m('allow').replaceAll(', ', '、')}。`,
  ]),
  TRANSITION_NOT_ALLOWED: define(409, 'Transition not allowed', '不允许的状态流转', (m) => [
    `${m('action')} is not possible while the order is ${m('currentStatus')}; allowed now: ${m('allowedActions') || 'nothing'}.`,
    `订单处于“${m('currentStatusZh')}”状态时不能执行 ${m('action')}；当前可执行：${m('allowedActions').replaceAll(', ', '、') || '无'}。`,
  ]),
  PO_NOT_EDITABLE: define(409, 'Purchase order not editable', '采购订单不可编辑', (m) => [
    `${m('fields')} cannot be edited while the order is ${m('currentStatus')}.`,
    `订单处于“${m('currentStatusZh')}”状态时不能编辑 ${m('fields').replaceAll(', ', '、')}。`,
  ]),
  IDEMPOTENCY_IN_PROGRESS: define(409, 'Request in progress', '请求处理中', () => [
    'A request with this Idempotency-Key is still running; try again shortly.',
    '使用该 Idempotency-Key 的请求仍在处理，请稍后重试。',
  ]),
  VERSION_MISMATCH: define(412, 'Version mismatch', '版本不匹配', (m) => [
    `The current version is ${m('currentVersion')}; read it again before you write.`,
    `当前版本为 ${m('currentVersion')}，请重新读取后再写入。`,
  ]),
  BODY_TOO_LARGE: define(413, 'Body too large', '请求体过大', (m) => [
    `The body may be at most ${m('limit')} bytes.`,
    `请求体最多 ${m('limit')} 字节。`,
  ]),
  UNSUPPORTED_MEDIA_TYPE: define(415, 'Unsupported media type', '不支持的媒体类型', (m) => [
    `Send ${m('accepted').replaceAll(', ', ' or ')} without content encoding; text must be in UTF-8.`,
    `请发送未经内容编码的 ${m('accepted').replaceAll(', ', ' 或 ')}；文本必须使用 UTF-8 编码。`,
  ]),
  ROW_NOT_FOUND: define(422, 'Row not found', '未找到行', () => [
    'A row does not belong to this order, or was removed: read the lines again. errors[] says which rowHash.',
    '有一行不属于该订单或已被移除，请重新读取明细；errors[] 指出对应的 rowHash。',
  ]),
  VALUE_OUT_OF_RANGE: define(422, 'Value out of range', '值超出范围', () => [
    'A value is well-formed but not allowed for this order; errors[] says which.',
    '值格式正确但不适用于该订单；errors[] 指出具体位置。',
  ]),
  COMMENT_REQUIRED: define(422, 'Comment required', '需要备注', (m) => [
    `${m('action')} needs a comment.`,
    `执行 ${m('action')} 需要填写备注。`,
  ]),
  IDEMPOTENCY_KEY_REUSED: define(422, 'Idempotency key reused', '幂等键重复使用', () => [
    'This Idempotency-Key was used with another body; use a new key.',
    '该 Idempotency-Key 已用于不同的请求体，请使用新的键。',
  ]),
  EXPORT_TOO_LARGE: define(422, 'Export too large', '导出过大', (m) => [
    `The export would have ${m('rows')} rows, but at most ${m('limit')} are allowed; narrow it by status, vendor, search or another filter of the list.`,
    `导出将有 ${m('rows')} 行，最多允许 ${m('limit')} 行；请用 status、vendor、search 或列表的其他筛选条件缩小范围。`,
  ]),
  IMPORT_INVALID: define(422, 'Import invalid', '导入无效', () => [
    'The file has errors and was not applied; errors[] gives the row and column of each error.',
    '文件有错误，未应用任何内容；errors[] 指出每个错误的行和列。',
  ]),
  TOO_MANY_VIEWS: define(422, 'Too many views', '视图过多', (m) => [
    `A user may have at most ${m('limit')} views; delete one first.`,
    `每个用户最多 ${m('limit')} 个视图，请先删除一个。`,
  ]),
  RATE_LIMITED: define(429, 'Rate limited', '请求过于频繁', (m) => [
    `Too many requests; try again in ${m('retryAfter')} s.`,
    `请求过于频繁，请在 ${m('retryAfter')} 秒后重试。`,
  ]),
  TOO_MANY_STREAMS: define(429, 'Too many streams', '实时连接过多', (m) => [
    `A user may have ${m('limit')} live streams open at a time; close one first.`,
    `每个用户最多同时打开 ${m('limit')} 个实时连接，请先关闭一个。`,
  ]),
  TOO_MANY_EXPORTS: define(429, 'Too many exports', '导出过多', (m) =>
    m('limit')
      ? [
          `A user may have ${m('limit')} exports open at a time; wait until one ends.`,
          `每个用户最多同时进行 ${m('limit')} 项导出，请等待其中一项结束。`,
        ]
      : [
          `Too many exports within a minute; try again in ${m('retryAfter')} s.`,
          `一分钟内导出过多，请在 ${m('retryAfter')} 秒后重试。`,
        ],
  ),
  TOO_MANY_UPLOADS: define(429, 'Too many uploads', '上传过多', (m) => [
    `A user may have ${m('limit')} uploads running at a time; wait until one ends.`,
    `每个用户最多同时进行 ${m('limit')} 项上传，请等待其中一项结束。`,
  ]),
  HEADERS_TOO_LARGE: define(431, 'Headers too large', '请求头过大', () => [
    'The request headers may be at most 16 KiB.',
    '请求头最多 16 KiB。',
  ]),
  INTERNAL: define(500, 'Internal error', '内部错误', () => [
    'Something went wrong on our side; quote the requestId when you report it.',
    '服务内部出错；报告问题时请提供 requestId。',
  ]),
  UNAVAILABLE: define(503, 'Unavailable', '暂时不可用', () => [
    'The service cannot answer now. Nothing was changed; try again shortly.',
    '服务暂时无法响应，未作任何更改；请稍后重试。',
  ]),
  TIMEOUT: define(504, 'Timeout', '超时', (m) =>
    m('outcome') === 'unknown'
      ? [
          'The outcome is unknown; to find out, repeat the request with idempotencyKey in the header Idempotency-Key.',
          '结果未知；请将请求头 Idempotency-Key 设为 idempotencyKey 的值后重试，以获知结果。',
        ]
      : ['No answer came in time; try again.', '未能及时收到响应，请重试。'],
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** HTTP status of a code that is caused by a value of the body. */
export const statusOfValue = (code: ErrorCode): number => {
  const definition: ErrorDefinition = ERRORS[code];
  return definition.statusOfValue ?? definition.status;
};

export const FieldError = z
  .object({
    in: z.enum(['body', 'query', 'path', 'header']),
    pointer: z
      .string()
      .describe(
        'JSON Pointer into the body (`/lines/3/vendorReplyQty`), or `/` and the name of a parameter or header.',
      ),
    code: z.string().regex(/^[A-Z_]+$/),
    message: z.string().min(1).describe('What is allowed, in the language of the problem.'),
  })
  .meta({ id: 'FieldError', description: 'What is wrong with one value of a request.' });
export type FieldError = z.infer<typeof FieldError>;

/** A field error before it is rendered in the caller's language. */
export type FieldRefusal = Omit<FieldError, 'message'> & { message: Bilingual };

/**
 * An error with a code of `ERRORS`. `members` are added to the document, `headers` (lower case) to the response. `hidden` values are only
 * used in the text and not sent as members.
 */
export class ProblemError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    readonly members: Members = {},
    readonly options: { errors?: FieldRefusal[]; headers?: Record<string, string>; hidden?: Members } = {},
  ) {
    super(code);
    this.name = 'ProblemError';
    this.status = options.errors ? statusOfValue(code) : ERRORS[code].status;
  }
}

export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';
/** Maximum errors in one response; further ones are omitted. */
export const MAX_FIELD_ERRORS = 100;

/** Path of the page that explains an error. */
export const problemPathOf = (code: ErrorCode): string => `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
