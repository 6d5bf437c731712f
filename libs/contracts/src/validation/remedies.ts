import type { ErrorCode } from './errors.js';
import type { Locale } from '../identity.js';

/** Longer explanation of an error, in both languages; code is between backticks. */
export interface Remedy {
  /** When the error occurs. */
  cause: Record<Locale, string>;
  /** What a client should do. */
  remedy: Record<Locale, string>;
}

const remedy = (causeEn: string, causeZh: string, en: string, zh: string): Remedy => ({
  cause: { en: causeEn, zh: causeZh },
  remedy: { en, zh },
});

/** The explanation of every code. `Retry-After` means the header of the response. */
export const REMEDIES: Record<ErrorCode, Remedy> = {
  VALIDATION_FAILED: remedy(
    'A field of the body, a parameter or a header is missing, unknown, repeated, of the wrong type, or outside its documented range. Nothing was done.',
    '请求体的字段、参数或请求头缺失、未知、重复、类型不符或超出约定范围。未作任何更改。',
    'Correct each value that `errors[]` names by `in` and `pointer`. Its `message` says what is allowed and can be shown to users. The unchanged request would be refused again.',
    '按 `errors[]` 中 `in` 和 `pointer` 指出的位置逐一更正；`message` 说明允许的取值，可直接展示给用户。原样重发仍会被拒绝。',
  ),
  MALFORMED_JSON: remedy(
    'The body is cut off, has a syntax error, is not UTF-8, is nested deeper than 20 levels, or has more than 20,000 members.',
    '请求体不完整、有语法错误、不是 UTF-8 编码、嵌套超过 20 层，或成员超过 20,000 个。',
    'Create the body with a JSON library, not by joining strings, and send it in UTF-8.',
    '请用 JSON 库生成请求体（不要拼接字符串），并以 UTF-8 编码发送。',
  ),
  BAD_REQUEST: remedy(
    'The request is not valid HTTP: the URL has characters that are not percent-encoded, a header is malformed, `Host` is missing, or the body ended too early. Or a file does not match its `Content-Type`.',
    '收到的内容不是有效的 HTTP：URL 中有未经百分号编码的字符、请求头损坏、缺少 `Host`、请求体提前结束；或者文件与其 `Content-Type` 所示的类型不符。',
    'Check what the client, or a proxy in between, actually sends.',
    '请检查客户端或途经的代理实际发送的内容。',
  ),
  TOKEN_MISSING: remedy(
    'The request has no `X-User-Token` header, or an empty one.',
    '请求没有 `X-User-Token` 请求头，或其值为空。',
    'Send the token of the signed-in user in `X-User-Token`; tokens are read from no other place. Without a token, let the user sign in.',
    '在 `X-User-Token` 中发送已登录用户的令牌；令牌只从该请求头读取。没有令牌时请让用户登录。',
  ),
  TOKEN_INVALID: remedy(
    'The token is truncated, sent twice, signed with an unknown key, issued for another `iss` or `aud`, valid for longer than allowed, or lacks a required claim.',
    '令牌被截断、重复发送、由未知密钥签名、`iss` 或 `aud` 不符、有效期超过上限，或缺少必需的声明。',
    'Get a new token from the identity provider and send the request once more. If it is refused again, `iss`, `aud` or the claims are configured differently on the two sides. A new signing key of the provider is accepted within 20 s.',
    '向身份提供方获取新令牌后重发一次。如仍被拒绝，说明两侧的 `iss`、`aud` 或声明配置不一致。提供方的新密钥在 20 秒内生效。',
  ),
  TOKEN_EXPIRED: remedy(
    'The token is valid, but its `exp` is more than 60 s in the past.',
    '令牌本身有效，但其 `exp` 已过去 60 秒以上。',
    'Renew the token and repeat the unchanged request; nothing was done. Preferably renew tokens before `exp`.',
    '更新令牌后原样重发请求：此前未作任何更改。最好在 `exp` 之前更新。',
  ),
  ROLE_NOT_ALLOWED: remedy(
    'This role may not do this in any status of the order, such as a buyer who edits a reply or a viewer who approves. Or a shared view has another owner. Or the token has no role, or an unknown one.',
    '无论订单处于何种状态，该角色都无权执行此操作，例如采购员编辑回复或只读用户审批；或者共享的视图属于他人；或者令牌没有角色，或角色在本系统中不存在。',
    'Do not repeat the request. Offer users only what `permissions` of `GET /api/me` and `availableActions` and `editableFields` of the order list.',
    '不要重复请求。只向用户提供 `GET /api/me` 的 `permissions` 以及订单的 `availableActions` 和 `editableFields` 中列出的操作。',
  ),
  VENDOR_NOT_LINKED: remedy(
    'The token has the role VENDOR but no vendor code, so its user can see no orders.',
    '令牌的角色为 VENDOR 但没有供应商代码，因此该用户看不到任何订单。',
    'The user cannot fix this: an administrator enters the vendor code at the identity provider, and the user signs in again.',
    '用户无法自行解决：请管理员在身份提供方为该用户填写供应商代码，然后重新登录。',
  ),
  PO_NOT_FOUND: remedy(
    'No order has this number, or the order belongs to another vendor; both cases get the same answer.',
    '此订单号不存在，或订单属于其他供应商：两种情况的响应相同。',
    'Use a `poRef` from a list, in upper or lower case. An order that the inventory system has just sent appears within a second or two.',
    '请使用列表中的 `poRef`，大小写均可。库存系统刚发送的订单会在一两秒内出现。',
  ),
  NOTIFICATION_NOT_FOUND: remedy(
    'No notification has this id, it belongs to another user, or it was deleted because of its age.',
    '没有此 id 的通知、通知属于其他用户，或通知因过期已被删除。',
    'Read `GET /api/notifications` again and stop showing this notification.',
    '请重新读取 `GET /api/notifications`，并从界面移除该通知。',
  ),
  MESSAGE_NOT_FOUND: remedy(
    'No message of this order has this id, or your role may not see it.',
    '该订单没有此 id 的消息，或您的角色无权查看该消息。',
    'Read `GET /api/purchase-orders/{poRef}/messages` again. Messages are never deleted.',
    '请重新读取 `GET /api/purchase-orders/{poRef}/messages`。消息不会被删除。',
  ),
  USER_NOT_FOUND: remedy(
    'No user with this id has ever made an authenticated request; a deleted user is still known and can be deleted again without error. Or (422) a message mentions a user who is not among the participants of the order, was deleted, or may not read the message.',
    '此 id 的用户从未发出过通过身份验证的请求；已删除的用户仍可识别，重复删除不会报错。或者（422）消息提及的用户不在该订单的参与者之中、已被删除，或无权阅读该消息。',
    "Send the `sub` of the user's token, percent-encoded in a path. Mention only users of `GET /api/purchase-orders/{poRef}/participants`, in an internal message only those of internal roles.",
    '发送该用户令牌中的 `sub`（在路径中使用百分号编码）。只能提及 `GET /api/purchase-orders/{poRef}/participants` 中的用户；内部消息只能提及内部角色的用户。',
  ),
  POLICY_NOT_FOUND: remedy(
    'This vendor never had an approval policy of its own, or somebody deleted it.',
    '该供应商没有专属的审批规则，或规则已被他人删除。',
    'Read `GET /api/approval-policies` again. Write the vendor code as the orders have it, percent-encoded; case matters.',
    '请重新读取 `GET /api/approval-policies`。供应商代码须与订单中的一致（区分大小写），并进行百分号编码。',
  ),
  SUPPRESSION_NOT_FOUND: remedy(
    'The mail server never refused this address, has accepted a mail to it since, or somebody deleted its suppression already.',
    '邮件服务器从未拒绝该地址，或此后已接受发往该地址的邮件，或停发记录已被他人删除。',
    'Read `GET /api/mail/suppressions` again. Send the address percent-encoded; upper and lower case make no difference.',
    '请重新读取 `GET /api/mail/suppressions`。地址需百分号编码，不区分大小写。',
  ),
  VIEW_NOT_FOUND: remedy(
    'No view has this id, its owner deleted it, or it is a private view of another user or a view of another side.',
    '没有此 id 的视图、视图已被删除，或者它是其他用户的私有视图或另一方的视图。',
    'Read `GET /api/views` again and stop showing this view.',
    '请重新读取 `GET /api/views`，并从界面移除该视图。',
  ),
  ROUTE_NOT_FOUND: remedy(
    'The path is not documented; case and a trailing slash matter.',
    '路径不在文档之列；大小写和末尾的斜杠都有区别。',
    'Compare the path with the API reference.',
    '请与 API 参考中的路径核对。',
  ),
  METHOD_NOT_ALLOWED: remedy(
    'The path exists, but not with this method.',
    '路径存在，但不支持该方法。',
    'Use a method that the header `Allow` lists.',
    '请使用响应头 `Allow` 中列出的方法。',
  ),
  TRANSITION_NOT_ALLOWED: remedy(
    'The role may take this action, but not in the current status of the order, usually because another user changed the status. Nothing was done.',
    '该角色可以执行此操作，但订单当前的状态不允许；通常是因为其他用户已更改订单状态。未作任何更改。',
    'Read the order again, show its `currentStatus`, and offer `allowedActions` instead. Do not retry automatically.',
    '重新读取订单，展示其当前状态（`currentStatus`），并改为提供 `allowedActions` 中的操作。不要由程序自动重试。',
  ),
  PO_NOT_EDITABLE: remedy(
    'At least one field of the change is locked in the current status of the order, so the whole change was refused.',
    '更改中至少有一个字段在订单当前状态下被锁定，因此整个更改均未应用。',
    'Read the order again: `editableFields` says what may be written now. To change a reply that waits for approval or was approved, RECALL the order first, if `allowedActions` contains it.',
    '重新读取订单：`editableFields` 列出当前可写的字段。要修改待审批或已批准的回复，请先撤回订单（前提是 `allowedActions` 中有 RECALL）。',
  ),
  IDEMPOTENCY_IN_PROGRESS: remedy(
    'A request with the same `Idempotency-Key` arrived a moment ago and is still running.',
    '带有相同 `Idempotency-Key` 的请求刚刚到达，正在处理。',
    'Send the same request again after `Retry-After` seconds to get the result of the first one.',
    '在 `Retry-After` 秒后重发同一请求，即可得到第一次的结果。',
  ),
  VERSION_MISMATCH: remedy(
    '`If-Match`, or `version` of an item, is not the current version of what is written: it changed after it was read. Nothing was done.',
    '`If-Match`（或批量项目的 `version`）与当前版本不符：读取之后内容已被更改。未作任何更改。',
    'Read it again, show users what changed, let them decide, and send the write with the new `ETag`. Repeating it with the new version without asking may overwrite the work of others.',
    '重新读取，向用户展示变化并由其决定，再用新的 `ETag` 发送写入。直接换用新版本盲目重发会覆盖他人的修改。',
  ),
  BODY_TOO_LARGE: remedy(
    'A JSON body is larger than 1,048,576 bytes, or an imported file is larger than 5 MiB.',
    'JSON 请求体超过 1,048,576 字节，或导入的文件超过 5 MiB。',
    'Send less in one request: change line items in several requests, and include only changed rows in a file.',
    '请减少单次发送的内容：订单明细可分多次修改，文件只需包含有变化的行。',
  ),
  UNSUPPORTED_MEDIA_TYPE: remedy(
    'The `Content-Type` is missing or not supported by the operation, the charset is not UTF-8, or the body is compressed.',
    '缺少 `Content-Type` 或其类型不被该操作接受、字符集不是 UTF-8，或请求体经过压缩。',
    'Send `Content-Type: application/json`, or for an import the type of the file, without `Content-Encoding`.',
    '请发送 `Content-Type: application/json`（导入时为文件的类型），不要带 `Content-Encoding`。',
  ),
  ROW_NOT_FOUND: remedy(
    'A `rowHash` belongs to another order, or the inventory system removed its row. Nothing was changed.',
    '某个 `rowHash` 属于其他订单，或该行已被库存系统移除。未作任何更改。',
    'Read the line items again and send the change with the `rowHash` values of that response.',
    '重新读取订单明细，并使用其中的 `rowHash` 重新发送更改。',
  ),
  VALUE_OUT_OF_RANGE: remedy(
    'The value is well-formed, but not allowed for this order, such as an ex-factory date before the order date. Nothing was applied.',
    '值本身有效，但不适用于该订单，例如离厂日期早于下单日期。未应用任何更改。',
    'Show the `message` next to the field that `pointer` names and let the user correct it.',
    '在 `pointer` 指出的字段旁展示 `message`，由用户更正。',
  ),
  COMMENT_REQUIRED: remedy(
    'This installation requires a reason for this action: `requiresComment` of the action is true.',
    '本系统要求该操作填写理由：该操作的 `requiresComment` 为 true。',
    'Ask the user for a comment and send it as `comment`.',
    '请用户填写备注，并作为 `comment` 发送。',
  ),
  IDEMPOTENCY_KEY_REUSED: remedy(
    'Within the last 24 hours this user sent another body to this path with this key, and that request was done.',
    '该用户在过去 24 小时内用此键向此路径发送过不同的请求体，且已执行。',
    'Use a new key, such as a UUID, for each new operation; reuse a key only to repeat the same request.',
    '每个新的操作都使用新的键（例如 UUID）；只有重发同一请求时才沿用原来的键。',
  ),
  EXPORT_TOO_LARGE: remedy(
    'The filters select more than 50,000 rows.',
    '筛选结果超过 50,000 行。',
    'Export in parts, by status, vendor or search, or export orders instead of lines (`level=orders`).',
    '请按状态、供应商或搜索条件分批导出，或导出订单而不是行（`level=orders`）。',
  ),
  IMPORT_INVALID: remedy(
    'The file could be read, but some of its rows have errors; nothing was applied.',
    '文件可以读取，但部分行有错误；未应用任何内容。',
    'Show `errors[]` by row and column, let the user correct the file, and check it with `dryRun=true` before the import.',
    '按行和列展示 `errors[]`，由用户更正文件；正式导入前先用 `dryRun=true` 检查。',
  ),
  TOO_MANY_VIEWS: remedy(
    'The user already has 50 views, shared ones included. Nothing was stored.',
    '该用户已有 50 个视图（包括共享的视图）。未保存任何内容。',
    'Let the user delete a view that is not needed, or replace one with `PUT`.',
    '请用户删除不再需要的视图，或用 `PUT` 替换已有的视图。',
  ),
  RATE_LIMITED: remedy(
    'The user exceeded the requests allowed in a minute: 600 reads and 120 writes, unless this installation has other limits. Nothing was done.',
    '该用户一分钟内的请求超过上限：默认读取 600 次、写入 120 次，本系统可能另有配置。未作任何更改。',
    'Wait `Retry-After` seconds with all requests of this user, then repeat. Read more in one request (`limit=200`, `include=lineItems`), and use the live stream instead of polling.',
    '该用户的所有请求都等待 `Retry-After` 秒后再重发。请一次读取更多内容（`limit=200`、`include=lineItems`），并使用实时连接代替轮询。',
  ),
  TOO_MANY_STREAMS: remedy(
    'The user already has the maximum number of streams open, usually one in each browser tab.',
    '该用户打开的实时连接已达上限，多半是浏览器的每个标签页各开了一个。',
    'Share one stream between tabs, close streams of hidden tabs, and try again after `Retry-After` seconds.',
    '在标签页之间共享一个连接，关闭隐藏标签页的连接，并在 `Retry-After` 秒后重试。',
  ),
  TOO_MANY_EXPORTS: remedy(
    'The user already has 2 exports open or started 60 within a minute (the defaults; this installation may have other limits). Nothing was read.',
    '该用户同时进行的导出已达上限（默认 2 项），或一分钟内的导出超过上限（默认 60 次），本系统可能另有配置。未读取任何内容。',
    'Finish the open exports or close their connections, and try again after `Retry-After` seconds. Request one large export instead of many small ones.',
    '请接收完正在进行的导出或关闭其连接，并在 `Retry-After` 秒后重试。请用一次较大的导出代替多次较小的导出。',
  ),
  TOO_MANY_UPLOADS: remedy(
    'The user is already sending 2 bodies of more than 64 KiB (the default; this installation may have another limit), or too many of their files wait to be read. Nothing was done.',
    '该用户正在发送的超过 64 KiB 的请求体已达上限（默认 2 个，本系统可能另有配置），或等待读取的文件过多。未作任何更改。',
    'Send files one after another, and try again after `Retry-After` seconds. Bodies of at most 64 KiB are not limited.',
    '请逐个发送文件，并在 `Retry-After` 秒后重试。不超过 64 KiB 的请求体不受此限制。',
  ),
  HEADERS_TOO_LARGE: remedy(
    'The request headers are larger than 16 KiB in total.',
    '请求头总计超过 16 KiB。',
    'Find what is too large: this API needs no cookies, and a token should not contain lists of groups.',
    '请查找过大的内容：本接口完全不需要 Cookie，令牌中也不应包含用户组列表。',
  ),
  INTERNAL: remedy(
    'The service has a defect; the error was logged.',
    '服务自身存在错误，已记录日志。',
    'Report it with `requestId`. Read the order before you write again; repeating a write is safe with its `Idempotency-Key`.',
    '请附上 `requestId` 报告。再次写入前先重新读取订单；使用原来的 `Idempotency-Key` 重发写入是安全的。',
  ),
  UNAVAILABLE: remedy(
    'A part of the system is unavailable or being replaced. Nothing was done, writes included.',
    '系统的某个部分暂时不可用或正在更新。未执行任何操作，包括写入。',
    'Repeat the request after `Retry-After` seconds; if that fails, wait longer each time.',
    '在 `Retry-After` 秒后重发请求；如再次失败，请逐步延长间隔。',
  ),
  TIMEOUT: remedy(
    'No answer came within 3 s (read) or 8 s (write). A write with `outcome` "unknown" may have been done, or may still be done.',
    '读取在 3 秒内、写入在 8 秒内未收到响应。`outcome` 为 "unknown" 的写入可能已经执行，也可能稍后执行。',
    'Repeat a read. Repeat a write with the header `Idempotency-Key` set to `idempotencyKey`: it is done only once, and the response is its result. A key that the gateway generated is kept for 10 minutes.',
    '读取可直接重发。写入请将请求头 `Idempotency-Key` 设为 `idempotencyKey` 后重发：操作只会执行一次，并返回其结果。由网关生成的键保留 10 分钟。',
  ),
};
