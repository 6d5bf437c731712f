import type { ErrorCode } from './errors.js';
import type { Locale } from './identity.js';

/** What a sentence of the error itself has no room for, in both languages; `code` stands between backticks. */
export interface Remedy {
  /** When the error is met. */
  cause: Record<Locale, string>;
  /** What a client does about it. */
  remedy: Record<Locale, string>;
}

const remedy = (causeEn: string, causeZh: string, en: string, zh: string): Remedy => ({
  cause: { en: causeEn, zh: causeZh },
  remedy: { en, zh },
});

/** Of every code. What is said of `Retry-After` holds for the header of the answer. */
export const REMEDIES: Record<ErrorCode, Remedy> = {
  VALIDATION_FAILED: remedy(
    'A field of the body, a parameter or a header is missing, unknown, repeated, of another type, or outside of its documented range. Nothing was done.',
    '请求体的字段、参数或请求头缺失、未知、重复、类型不符或超出约定范围。未作任何更改。',
    'Correct each place that `errors[]` names by `in` and `pointer`; its `message` says what is allowed and can be shown to people. The same request would be refused again.',
    '按 `errors[]` 中 `in` 和 `pointer` 指出的位置逐一更正；`message` 说明允许的取值，可直接展示给用户。原样重发仍会被拒绝。',
  ),
  MALFORMED_JSON: remedy(
    'The body is cut off, has a syntax error, is not UTF-8, or is nested deeper than 20 levels.',
    '请求体不完整、有语法错误、不是 UTF-8 编码，或嵌套超过 20 层。',
    'Let a JSON library write the body, instead of putting it together as text, and send it in UTF-8.',
    '请用 JSON 库生成请求体（不要拼接字符串），并以 UTF-8 编码发送。',
  ),
  BAD_REQUEST: remedy(
    'What arrived is not HTTP: a broken request line or header, no `Host`, a body that ended too early. Or it is a file that is not of the kind its `Content-Type` says.',
    '收到的内容不是有效的 HTTP：请求行或请求头损坏、缺少 `Host`、请求体提前结束；或者文件与其 `Content-Type` 所示的类型不符。',
    'Look at what the client, or a proxy on the way, really sends.',
    '请检查客户端或途经的代理实际发送的内容。',
  ),
  TOKEN_MISSING: remedy(
    'The request has no `X-User-Token` header, or an empty one.',
    '请求没有 `X-User-Token` 请求头，或其值为空。',
    'Send the token of the signed-in user in `X-User-Token`; it is the only place where one is looked for. Where there is none, let the user sign in.',
    '在 `X-User-Token` 中发送已登录用户的令牌；令牌只从该请求头读取。没有令牌时请让用户登录。',
  ),
  TOKEN_INVALID: remedy(
    'The token is cut off, sent twice, signed by a key that is not known, made for another `iss` or `aud`, valid for longer than is accepted, or lacks a claim that is needed.',
    '令牌被截断、重复发送、由未知密钥签名、`iss` 或 `aud` 不符、有效期超过上限，或缺少必需的声明。',
    'Get a new token from the identity provider and send the request once more. If that is refused as well, `iss`, `aud` or the claims are configured differently on the two sides. A new key of the provider is known within 20 s.',
    '向身份提供方获取新令牌后重发一次。如仍被拒绝，说明两侧的 `iss`、`aud` 或声明配置不一致。提供方的新密钥在 20 秒内生效。',
  ),
  TOKEN_EXPIRED: remedy(
    'The token is good, but its `exp` is more than 60 s in the past.',
    '令牌本身有效，但其 `exp` 已过去 60 秒以上。',
    'Renew the token and repeat the request as it was: nothing was done. Better renew it before `exp`.',
    '更新令牌后原样重发请求：此前未作任何更改。最好在 `exp` 之前更新。',
  ),
  ROLE_NOT_ALLOWED: remedy(
    'No status of the order would let this role do this, such as a buyer who edits a reply or a viewer who approves. Or the token has no role, or one that does not exist here.',
    '无论订单处于何种状态，该角色都无权执行此操作，例如采购方编辑回复或查看者审批；或者令牌没有角色，或角色在本系统中不存在。',
    'Do not repeat the request. Offer people only what `permissions` of `GET /api/me`, and `availableActions` and `editableFields` of the order, name.',
    '不要重复请求。只向用户提供 `GET /api/me` 的 `permissions` 以及订单的 `availableActions` 和 `editableFields` 中列出的操作。',
  ),
  VENDOR_NOT_LINKED: remedy(
    'The token says role VENDOR and names no vendor, so there is nothing that its user could see.',
    '令牌的角色为 VENDOR 但没有供应商代码，因此该用户看不到任何数据。',
    'The user cannot cure it: an administrator enters the vendor code at the identity provider, and the user signs in again.',
    '用户无法自行解决：请管理员在身份提供方为该用户填写供应商代码，然后重新登录。',
  ),
  PO_NOT_FOUND: remedy(
    "No order has this number, or the order is another vendor's: the two are answered alike.",
    '没有此编号的订单，或订单属于其他供应商：两种情况的应答相同。',
    'Take `poRef` from a list, in any case. An order that the inventory system sent a moment ago is there within a second or two.',
    '请使用列表中的 `poRef`，大小写均可。库存系统刚发送的订单会在一两秒内出现。',
  ),
  NOTIFICATION_NOT_FOUND: remedy(
    "No notification has this id, it is another user's, or it was deleted for its age.",
    '没有此 id 的通知、通知属于其他用户，或通知因过期已被删除。',
    'Read `GET /api/notifications` again and leave it out.',
    '请重新读取 `GET /api/notifications`，并从界面移除该通知。',
  ),
  USER_NOT_FOUND: remedy(
    'Nobody with this id has ever made a request that was authenticated. A user who was deleted is known, and deleted again without error.',
    '没有任何使用此 ID 的用户发出过通过身份验证的请求。已删除的用户仍可识别，重复删除不会报错。',
    "Send the `sub` of the user's token, percent-encoded. Who was never here gets no notifications: there is nothing to delete.",
    '发送该用户令牌中的 `sub`（百分号编码）。从未使用过本系统的用户不会收到通知，无需删除。',
  ),
  ROUTE_NOT_FOUND: remedy(
    'The path is none of the documented ones; case and a slash at the end count.',
    '路径不在文档之列；大小写和末尾的斜杠都有区别。',
    'Compare the path with the API reference.',
    '请与 API 参考中的路径核对。',
  ),
  METHOD_NOT_ALLOWED: remedy(
    'The path exists, but not with this method.',
    '路径存在，但不支持该方法。',
    'Use a method that the header `Allow` names.',
    '请使用响应头 `Allow` 中列出的方法。',
  ),
  TRANSITION_NOT_ALLOWED: remedy(
    "The role may take this action, but not in the order's present status; mostly because somebody else moved the order meanwhile. Nothing was done.",
    '该角色可以执行此操作，但订单当前的状态不允许；多半是其间有人推进了订单。未作任何更改。',
    'Read the order again, show what it became (`currentStatus`), and offer `allowedActions` instead. Do not retry by program.',
    '重新读取订单，展示其当前状态（`currentStatus`），并改为提供 `allowedActions` 中的操作。不要由程序自动重试。',
  ),
  PO_NOT_EDITABLE: remedy(
    "At least one field of the change is locked in the order's present status, so that nothing of the change was applied.",
    '更改中至少有一个字段在订单当前状态下被锁定，因此整个更改均未应用。',
    'Read the order again: `editableFields` says what may be written now. To change a reply that waits for approval or was approved, RECALL the order first, where `allowedActions` has it.',
    '重新读取订单：`editableFields` 列出当前可写的字段。要修改待审批或已批准的回复，请先撤回订单（前提是 `allowedActions` 中有 RECALL）。',
  ),
  IDEMPOTENCY_IN_PROGRESS: remedy(
    'A request with the same `Idempotency-Key` arrived a moment ago and is being carried out.',
    '带有相同 `Idempotency-Key` 的请求刚刚到达，正在处理。',
    'Send the same request again after `Retry-After` seconds: then it gets the result of the first.',
    '在 `Retry-After` 秒后重发同一请求，即可得到第一次的结果。',
  ),
  VERSION_MISMATCH: remedy(
    '`If-Match`, or `version` of an item, names another version than the order has: it changed since it was read. Nothing was done.',
    '`If-Match`（或批量项目的 `version`）与订单当前版本不符：读取之后订单已被更改。未作任何更改。',
    "Read the order again, show people what changed, let them decide, and send the write with the new `ETag`. Repeating it blindly with the new version would undo somebody's work.",
    '重新读取订单，向用户展示变化并由其决定，再用新的 `ETag` 发送写入。直接换用新版本盲目重发会覆盖他人的修改。',
  ),
  BODY_TOO_LARGE: remedy(
    'A JSON body is larger than 1,048,576 bytes, or a file that is imported than 5 MiB.',
    'JSON 请求体超过 1,048,576 字节，或导入的文件超过 5 MiB。',
    'Send less at once: line items can be changed in several requests, and a file needs only the rows that change.',
    '请减少单次发送的内容：行项目可分多次修改，文件只需包含有变化的行。',
  ),
  UNSUPPORTED_MEDIA_TYPE: remedy(
    'The `Content-Type` is missing or not one that the operation takes, the charset is not UTF-8, or the body is compressed.',
    '缺少 `Content-Type` 或其类型不被该操作接受、字符集不是 UTF-8，或请求体经过压缩。',
    'Send `Content-Type: application/json`, or for an import that of the file, and no `Content-Encoding`.',
    '请发送 `Content-Type: application/json`（导入时为文件的类型），不要带 `Content-Encoding`。',
  ),
  ROW_NOT_FOUND: remedy(
    'A `rowHash` is of another order, or its row was removed by the inventory system. Nothing of the change was applied.',
    '某个 `rowHash` 属于其他订单，或该行已被库存系统移除。整个更改均未应用。',
    'Read the line items again and send the change with the `rowHash` values of that answer.',
    '重新读取行项目，并使用其中的 `rowHash` 重新发送更改。',
  ),
  VALUE_OUT_OF_RANGE: remedy(
    "The value is one that could be, but not for this order, such as an ex-factory date before the order's own date. Nothing was applied.",
    '值本身有效，但不适用于该订单，例如离厂日期早于下单日期。未应用任何更改。',
    'Show the `message` beside the field that `pointer` names and let people correct it.',
    '在 `pointer` 指出的字段旁展示 `message`，由用户更正。',
  ),
  COMMENT_REQUIRED: remedy(
    'This installation wants a reason for this action: `requiresComment` of the action is true.',
    '本系统要求该操作填写理由：该操作的 `requiresComment` 为 true。',
    'Ask for a comment and send it as `comment`.',
    '请用户填写备注，并作为 `comment` 发送。',
  ),
  IDEMPOTENCY_KEY_REUSED: remedy(
    'This user sent another body to this path under this key within the last 24 hours, and that one was carried out.',
    '该用户在过去 24 小时内用此键向此路径发送过不同的请求体，且已执行。',
    'Make a new key, such as a UUID, for everything that is meant as a new act; keep a key for repetitions only.',
    '每个新的操作都使用新的键（例如 UUID）；只有重发同一请求时才沿用原来的键。',
  ),
  EXPORT_TOO_LARGE: remedy(
    'The filters select more than 50,000 rows.',
    '筛选条件选中的行超过 50,000 行。',
    'Export in parts, by status, vendor or search, or orders instead of lines (`level=orders`).',
    '请按状态、供应商或搜索条件分批导出，或导出订单而不是行（`level=orders`）。',
  ),
  IMPORT_INVALID: remedy(
    'The file could be read, but rows of it are wrong; nothing of it was applied.',
    '文件可以读取，但其中有错误的行；未应用任何内容。',
    'Show `errors[]` by row and column, let people correct the file, and look at it with `dryRun=true` before it is imported.',
    '按行和列展示 `errors[]`，由用户更正文件；正式导入前先用 `dryRun=true` 检查。',
  ),
  RATE_LIMITED: remedy(
    'The user made more requests within a minute than are allowed: 600 reads and 120 writes, unless this installation has other limits. Nothing was done.',
    '该用户一分钟内的请求超过上限：默认读取 600 次、写入 120 次，各系统可能另有配置。未作任何更改。',
    'Wait `Retry-After` seconds, for all requests of this user, then repeat. Read more at once (`limit=200`, `include=lineItems`), and follow the stream instead of asking again and again.',
    '该用户的所有请求都等待 `Retry-After` 秒后再重发。请一次读取更多内容（`limit=200`、`include=lineItems`），并使用实时连接代替反复查询。',
  ),
  TOO_MANY_STREAMS: remedy(
    'The user already has as many streams open as are allowed, mostly one in each tab of a browser.',
    '该用户打开的实时连接已达上限，多半是浏览器的每个标签页各开了一个。',
    'Share one stream between tabs, close those that nobody looks at, and try again after `Retry-After` seconds.',
    '在标签页之间共享一个连接，关闭无人查看的连接，并在 `Retry-After` 秒后重试。',
  ),
  TOO_MANY_EXPORTS: remedy(
    'The user already has as many exports open as are allowed (2), or made more within a minute than are allowed (10), unless this installation has other limits. Nothing was read.',
    '该用户同时进行的导出已达上限（默认 2 个），或一分钟内的导出超过上限（默认 10 次），各系统可能另有配置。未读取任何内容。',
    'Take the exports that are open, or close their connections, and try again after `Retry-After` seconds. Read one large export instead of many small ones.',
    '请接收完正在进行的导出或关闭其连接，并在 `Retry-After` 秒后重试。请用一次较大的导出代替多次较小的导出。',
  ),
  TOO_MANY_UPLOADS: remedy(
    'The user already sends as many bodies of more than 64 KiB as are allowed (2, unless this installation has another limit), or has too many files that wait to be read. Nothing was done.',
    '该用户正在发送的超过 64 KiB 的请求体已达上限（默认 2 个，各系统可能另有配置），或等待读取的文件过多。未作任何更改。',
    'Send files one after another, and try again after `Retry-After` seconds. A body of at most 64 KiB is always received.',
    '请逐个发送文件，并在 `Retry-After` 秒后重试。不超过 64 KiB 的请求体始终会被接收。',
  ),
  HEADERS_TOO_LARGE: remedy(
    'The headers of the request are larger than 16 KiB together.',
    '请求头总计超过 16 KiB。',
    'Look for what grows: cookies are not needed here at all, and a token should carry no lists of groups.',
    '请查找过大的内容：本接口完全不需要 Cookie，令牌中也不应包含用户组列表。',
  ),
  INTERNAL: remedy(
    'There is a mistake in the service itself; it has been logged.',
    '服务自身存在错误，已记录日志。',
    'Report it with `requestId`. Read before you write again: repeating a write is safe with its `Idempotency-Key`.',
    '请附上 `requestId` 报告。再次写入前先读取；使用原来的 `Idempotency-Key` 重发写入是安全的。',
  ),
  UNAVAILABLE: remedy(
    'Something that the answer needs is away or being replaced. Nothing was done, also of a write.',
    '应答所需的某个部分暂时不可用或正在更换。写入同样未执行。',
    'Repeat the request after `Retry-After` seconds, and after longer pauses if that fails too.',
    '在 `Retry-After` 秒后重发请求；如再次失败，请逐步延长间隔。',
  ),
  TIMEOUT: remedy(
    'No answer came in 3 s for a read, or in 8 s for a write. A write with `outcome` "unknown" may have been carried out, or may still be.',
    '读取在 3 秒内、写入在 8 秒内未得到应答。`outcome` 为 "unknown" 的写入可能已经执行，也可能稍后执行。',
    'Repeat a read. Repeat a write with the header `Idempotency-Key` set to `idempotencyKey`: it is then done once, and the answer is its result. A key that you did not choose is remembered for 10 minutes.',
    '读取可直接重发。写入请将请求头 `Idempotency-Key` 设为 `idempotencyKey` 后重发：操作只会执行一次，并返回其结果。非自选的键保留 10 分钟。',
  ),
};
