import type { Bilingual } from './layout.js';

/** A question of clients with its answer. Texts are CommonMark. */
export interface Question {
  /** Anchor on the page. */
  id: string;
  question: Bilingual;
  answer: Bilingual;
  /** Shell commands; those of later questions build on them. */
  shell: string;
  /** Text below the commands. */
  notes: Bilingual;
}

// Responses end without a line break, so the next one would start on the same line.
const CURL = "curl -s -w '\\n'";
const VENDOR = '-H "X-User-Token: $VENDOR"';
// The rest of a command that writes, on its own line.
const JSON_BODY = "\\\n  -H 'Content-Type: application/json'";

/**
 * In this order the commands are one session, which ends as it began, with the order at the vendor. The page /docs/guide, the OpenAPI
 * document and the README of the contracts are generated from it.
 */
export const GUIDE: readonly Question[] = [
  {
    id: 'token',
    question: { en: 'How do I get a token?', zh: '如何获取令牌？' },
    answer: {
      en: 'Your identity provider issues it: a JWT with `sub`, `role` (VENDOR, BUYER, ADMIN or VIEWER) and, for a vendor, `vendor_code`. Send it in the header `X-User-Token` of every request. The local stack has its own provider:',
      zh: '令牌由您的身份提供方签发：一个包含 `sub`、`role`（VENDOR、BUYER、ADMIN 或 VIEWER）的 JWT，供应商用户还需 `vendor_code`。每个请求都在 `X-User-Token` 请求头中发送它。本地环境自带身份提供方：',
    },
    shell: `API=http://127.0.0.1:8080/api
VENDOR=$(npm run --silent token -- --as vendor:ACME)
BUYER=$(npm run --silent token -- --as buyer)
${CURL} "$API/me" ${VENDOR}`,
    notes: {
      en: 'In the [API reference](/docs), click "Authorize" and paste the token; closing the tab deletes it. A vendor sees only the orders of its own `vendor_code`; to the vendor, other orders do not exist. Errors: [TOKEN_MISSING](/problems/token-missing), [TOKEN_INVALID](/problems/token-invalid), [TOKEN_EXPIRED](/problems/token-expired), [VENDOR_NOT_LINKED](/problems/vendor-not-linked).',
      zh: '在 [API 参考](/docs) 中点击“Authorize”后粘贴；关闭标签页即清除。供应商只能看到自己 `vendor_code` 的订单，其他订单视同不存在。可能的错误：[TOKEN_MISSING](/problems/token-missing)、[TOKEN_INVALID](/problems/token-invalid)、[TOKEN_EXPIRED](/problems/token-expired)、[VENDOR_NOT_LINKED](/problems/vendor-not-linked)。',
    },
  },
  {
    id: 'list',
    question: { en: 'How do I list orders?', zh: '如何列出订单？' },
    answer: {
      en: 'Filter by `status`, `vendor`, `search`, `overdue`, `hasPendingChanges`; sort by `sortField` and `sortDir`.',
      zh: '用 `status`、`vendor`、`search`、`overdue`、`hasPendingChanges` 筛选，用 `sortField` 和 `sortDir` 排序。',
    },
    shell: `${CURL} "$API/purchase-orders?status=New,In%20Revision&sortField=xfDate&limit=5" ${VENDOR}
PO=$(curl -s "$API/purchase-orders?status=New,In%20Revision&limit=1" ${VENDOR} \\
  | grep -o '"poRef":"[^"]*"' | cut -d'"' -f4)
${CURL} "$API/purchase-orders/$PO?include=lineItems" ${VENDOR}`,
    notes: {
      en: '`availableActions` and `editableFields` of an order say what this caller may do with it now, so a client needs no rules of its own. Accept unknown fields and values: new ones may be added.',
      zh: '调用者当前可执行的操作和可编辑的字段，见订单的 `availableActions` 和 `editableFields`，因此客户端无需自行实现规则。响应中可能新增字段和枚举值，请容许未知的字段和值。',
    },
  },
  {
    id: 'edit',
    question: { en: 'How do I edit a reply?', zh: '如何编辑回复？' },
    answer: {
      en: 'The vendor proposes values next to the originals: ex-factory date (`xfd`), factory and comment of the order, quantity and price of its rows (`rowHash`), each one size of a line item. A price applies to all sizes of the item. Absent fields stay unchanged; `null` withdraws a reply.',
      zh: '供应商在原值之外填写自己的回复：订单的离厂日期（`xfd`）、工厂和备注，以及各行的数量和单价。一行即一个款色的一个尺码，由 `rowHash` 标识；任一行的单价适用于该款色的所有尺码。未发送的字段保持不变，`null` 表示清除回复。',
    },
    shell: `${CURL} -X PATCH "$API/purchase-orders/$PO" ${VENDOR} ${JSON_BODY} -d '{"vendor_reply_xfd":"2030-01-15","vendor_reply_comment":"fabric is late"}'
ROW=$(curl -s "$API/purchase-orders/$PO/line-items" ${VENDOR} \\
  | grep -o '"rowHash":"[^"]*"' | head -n 1 | cut -d'"' -f4)
${CURL} -X PATCH "$API/purchase-orders/$PO/line-items" ${VENDOR} ${JSON_BODY} -d "{\\"lines\\":[{\\"rowHash\\":\\"$ROW\\",\\"vendorReplyQty\\":90}]}"`,
    notes: {
      en: 'A change is applied as a whole or not at all. Errors: [VALIDATION_FAILED](/problems/validation-failed), [PO_NOT_EDITABLE](/problems/po-not-editable), [ROW_NOT_FOUND](/problems/row-not-found), [VALUE_OUT_OF_RANGE](/problems/value-out-of-range).',
      zh: '更改要么全部应用，要么全不应用。可能的错误：[VALIDATION_FAILED](/problems/validation-failed)、[PO_NOT_EDITABLE](/problems/po-not-editable)、[ROW_NOT_FOUND](/problems/row-not-found)、[VALUE_OUT_OF_RANGE](/problems/value-out-of-range)。',
    },
  },
  {
    id: 'submit',
    question: { en: 'How do I submit, approve or reject?', zh: '如何提交、批准或驳回？' },
    answer: {
      en: 'All are an `action` of one operation. The vendor submits, the buyer approves or rejects; a comment appears in history and notifications.',
      zh: '都是同一操作的不同 `action`。供应商提交，采购员批准或驳回；备注会写入历史并随通知发送。',
    },
    shell: `${CURL} -X POST "$API/purchase-orders/$PO/transition" ${VENDOR} ${JSON_BODY} -d '{"action":"SUBMIT","comment":"two weeks later, please"}'
${CURL} "$API/purchase-orders/$PO/history" -H "X-User-Token: $BUYER"`,
    notes: {
      en: 'Up to 100 orders at once: `POST /api/purchase-orders/transitions`. Errors: [TRANSITION_NOT_ALLOWED](/problems/transition-not-allowed), [ROLE_NOT_ALLOWED](/problems/role-not-allowed), [COMMENT_REQUIRED](/problems/comment-required).',
      zh: '一次最多 100 个订单：`POST /api/purchase-orders/transitions`。可能的错误：[TRANSITION_NOT_ALLOWED](/problems/transition-not-allowed)、[ROLE_NOT_ALLOWED](/problems/role-not-allowed)、[COMMENT_REQUIRED](/problems/comment-required)。',
    },
  },
  {
    id: 'retry',
    question: { en: 'How do I retry safely?', zh: '如何安全地重试？' },
    answer: {
      en: 'Send every write with its own `Idempotency-Key`. If you get no response, or a 429, 503 or 504, send the same request with the same key again: it takes effect once, and a repeated request gets the first result with `Idempotency-Replayed: true`. Reads need no key.',
      zh: '为每个写入设置独立的 `Idempotency-Key`。没有收到响应，或响应为 429、503、504 时，用相同的键重发相同的请求：操作只执行一次，重发会得到第一次的结果和 `Idempotency-Replayed: true`。读取不需要键。',
    },
    shell: `KEY="recall-$(date +%s)"
${CURL} -i -X POST "$API/purchase-orders/$PO/transition" ${VENDOR} ${JSON_BODY} -H "Idempotency-Key: $KEY" \\
  -d '{"action":"RECALL"}'
${CURL} -i -X POST "$API/purchase-orders/$PO/transition" ${VENDOR} ${JSON_BODY} -H "Idempotency-Key: $KEY" \\
  -d '{"action":"RECALL"}'`,
    notes: {
      en: 'A successful response is kept for 24 hours; then the same key executes again. 503 ([UNAVAILABLE](/problems/unavailable)) or 4xx: nothing was done and the key is free, except with [IDEMPOTENCY_IN_PROGRESS](/problems/idempotency-in-progress) or [IDEMPOTENCY_KEY_REUSED](/problems/idempotency-key-reused). 504 ([TIMEOUT](/problems/timeout)) with `"outcome": "unknown"`: repeat the request with the `idempotencyKey` of the answer as header to learn the result, even if you sent no key (then within 10 minutes).',
      zh: '成功的响应保留 24 小时，之后同一个键会再次写入。503（[UNAVAILABLE](/problems/unavailable)）或 4xx：未执行任何操作，键可再次使用，[IDEMPOTENCY_IN_PROGRESS](/problems/idempotency-in-progress) 和 [IDEMPOTENCY_KEY_REUSED](/problems/idempotency-key-reused) 除外。504（[TIMEOUT](/problems/timeout)）且 `"outcome": "unknown"`：将响应中的 `idempotencyKey` 作为请求头重发请求即可得知结果，即使您没有发送过键（此时须在 10 分钟内重发）。',
    },
  },
  {
    id: 'page',
    question: { en: 'How do I page through a list?', zh: '如何翻页？' },
    answer: {
      en: 'Use `page` and `limit` (default 50, at most 200). The header `Link` has the next page, until there is none; `X-Total-Count` is the number of orders. If a filter has thousands of characters, `Link` is absent: read up to `pagination.totalPages`.',
      zh: '使用 `page` 和 `limit`（默认 50，最多 200）。响应头 `Link` 给出下一页，直到没有为止；`X-Total-Count` 是订单总数。筛选条件长达数千字符时没有 `Link`：请翻到 `pagination.totalPages` 为止。',
    },
    shell: `curl -si "$API/purchase-orders?sortField=id&sortDir=asc&limit=2" -H "X-User-Token: $BUYER" \\
  | grep -i -e '^link:' -e '^x-total-count:'`,
    notes: {
      en: 'With ascending `id`, new orders come last and do not move others. An order that no longer matches your filter moves later ones forward: read all pages before you change the orders, or omit the filter. Page through notifications with `before`, the id of the last one you have.',
      zh: '按 `id` 升序排序时，新订单排在最后，不会使其他订单换页。不再符合筛选条件的订单会使后面的订单前移：请先读完所有页再更改订单，或不要筛选。通知用 `before`（您已有的最后一条的 id）翻页。',
    },
  },
  {
    id: 'refusals',
    question: { en: 'What do I do about 409, 412 and 429?', zh: '遇到 409、412 和 429 怎么办？' },
    answer: {
      en: `- **409**: the status of the order does not allow this, often because another user changed it. Read the order again; offer its \`availableActions\` and \`editableFields\` ([TRANSITION_NOT_ALLOWED](/problems/transition-not-allowed), [PO_NOT_EDITABLE](/problems/po-not-editable)). Or your first request still runs: repeat it after \`Retry-After\` seconds ([IDEMPOTENCY_IN_PROGRESS](/problems/idempotency-in-progress)).
- **412**: the order no longer has the version that you sent as \`If-Match\`. Read it again and let the user decide ([VERSION_MISMATCH](/problems/version-mismatch)). Without \`If-Match\` the last write wins. A proxy may turn the \`ETag\` \`"7"\` into \`W/"7"\`, which never matches: send \`"7"\`.
- **429**: more than 600 reads or 120 writes of a user in a minute, by default. Wait \`Retry-After\` seconds, as \`curl --retry\` does. Requests refused with 429 do not count, except a batch, as one write; an accepted batch counts as one per item ([RATE_LIMITED](/problems/rate-limited)).`,
      zh: `- **409**：订单当前的状态不允许此操作，通常是因为他人更改了状态。请重新读取，并按 \`availableActions\` 和 \`editableFields\` 提供操作（[TRANSITION_NOT_ALLOWED](/problems/transition-not-allowed)、[PO_NOT_EDITABLE](/problems/po-not-editable)）。或者您的第一个请求仍在处理：请在 \`Retry-After\` 秒后重发（[IDEMPOTENCY_IN_PROGRESS](/problems/idempotency-in-progress)）。
- **412**：订单已不是您读取并以 \`If-Match\` 发送的版本，请重新读取并由用户决定（[VERSION_MISMATCH](/problems/version-mismatch)）。不带 \`If-Match\` 时，最后的写入生效。代理可能把 \`ETag\` 的 \`"7"\` 改为 \`W/"7"\`，后者永远不匹配，请发送 \`"7"\`。
- **429**：每个用户一分钟内超过 600 次读取或 120 次写入（默认值）。请等待 \`Retry-After\` 秒，\`curl --retry\` 会自动等待；因超出此限制而被拒绝的请求不计数，但被拒绝的批量请求计为一次；被接受的批量请求按项计数（[RATE_LIMITED](/problems/rate-limited)）。`,
    },
    shell: `${CURL} -X POST "$API/purchase-orders/$PO/transition" -H "X-User-Token: $BUYER" ${JSON_BODY} -d '{"action":"APPROVE"}'
${CURL} -X PATCH "$API/purchase-orders/$PO" ${VENDOR} ${JSON_BODY} -H 'If-Match: "1"' \\
  -d '{"vendor_reply_comment":"later"}'
${CURL} --retry 5 "$API/purchase-orders?limit=1" ${VENDOR}`,
    notes: {
      en: '`errors[]` of 400 and 422 names each invalid value and what is allowed. Every error has a `code` for programs, a `detail` for people in the language of `Accept-Language`, and a `type`, the address of [its page](/problems).',
      zh: '400 和 422 在 `errors[]` 中指出位置和允许的取值。每个错误响应都有供程序判断的 `code`、按 `Accept-Language` 语言供人阅读的 `detail`，以及可打开[说明页面](/problems)的 `type`。',
    },
  },
  {
    id: 'live',
    question: { en: 'How do I follow changes live?', zh: '如何实时跟踪变化？' },
    answer: {
      en: 'A page or an app opens a stream for its user with `fetch`, because `EventSource` cannot send the header. `notification`, `unread`, `po-changed` and `message-posted` arrive within a second.',
      zh: '网页或应用用 `fetch` 为当前用户打开实时连接（`EventSource` 无法发送请求头）：`notification`、`unread`、`po-changed` 和 `message-posted` 在一秒内到达。',
    },
    shell: `curl -sN --max-time 30 "$API/notifications/stream" ${VENDOR}`,
    notes: {
      en: 'Send `Last-Event-ID`, at first the newest id of the list, to miss no notification; without an id, or on `reset`, read the list again. After reconnecting, also read the displayed orders again, because missed `po-changed` events are not repeated. To poll instead, send the last `ETag` as `If-None-Match`: 304 means that the version is the same. Other systems read [Kafka topics](/docs/events). Errors: [TOO_MANY_STREAMS](/problems/too-many-streams).',
      zh: '每次连接都请带上 `Last-Event-ID`（首次用列表中最新通知的 id），以免遗漏通知；没有 id 或收到 `reset` 时，请重新读取列表。重新连接后也请重新读取正在显示的订单：断开期间的 `po-changed` 不会重发。如改用轮询，请将上次的 `ETag` 作为 `If-None-Match` 发送：304 表示版本没有变化。其他系统请读取 [Kafka 主题](/docs/events)。可能的错误：[TOO_MANY_STREAMS](/problems/too-many-streams)。',
    },
  },
  {
    id: 'conversation',
    question: { en: 'How do I write about an order?', zh: '如何就订单留言？' },
    answer: {
      en: 'A message is for both sides, or `internal`. It may refer to rows and mention `participants` of the order, who get a notification.',
      zh: '消息面向双方，或仅供内部（`internal`）查看；可引用订单的行，并提及订单的 `participants`，他们会收到通知。',
    },
    shell: `${CURL} -X POST "$API/purchase-orders/$PO/messages" ${VENDOR} ${JSON_BODY} -d '{"body":"Can M be blue?"}'`,
    notes: {
      en: 'A message notifies earlier authors who may see it; one for both sides also the other side. Errors: [ROW_NOT_FOUND](/problems/row-not-found), [USER_NOT_FOUND](/problems/user-not-found).',
      zh: '面向双方的消息也会通知对方；此前留言的人如有权查看，也会收到通知。可能的错误：[ROW_NOT_FOUND](/problems/row-not-found)、[USER_NOT_FOUND](/problems/user-not-found)。',
    },
  },
  {
    id: 'mail',
    question: { en: 'How do I choose mails and see reminders?', zh: '如何设置邮件并查看提醒？' },
    answer: {
      en: 'For each kind of notification a user gets a mail immediately (`now`), in a daily summary (`digest`) or not at all (`off`). Reminders go to the side that has to act. `nextDue` of an order is its next reminder; the filter `due` lists orders that wait for an action.',
      zh: '每类通知都可以选择立即发送邮件（`now`）、每日汇总（`digest`）或不发送（`off`）。提醒发给需要处理的一方；订单的 `nextDue` 表示下一次提醒，筛选条件 `due` 用于列出等待处理的订单。',
    },
    shell: `PREFERENCES=$(curl -s "$API/me/preferences" ${VENDOR})
${CURL} -X PUT "$API/me/preferences" ${VENDOR} ${JSON_BODY} -d "$PREFERENCES"
${CURL} "$API/purchase-orders?due=REPLY_DUE,EX_FACTORY_OVERDUE&limit=5" ${VENDOR}
${CURL} "$API/notifications?kind=REMINDER&limit=5" ${VENDOR}`,
    notes: {
      en: 'The local stack keeps every mail and prints the address of a page that shows them. Each mail links to its change and has an unsubscribe link for its kinds. A summary is not sent if all its notifications were read. Errors: [VERSION_MISMATCH](/problems/version-mismatch), [VALIDATION_FAILED](/problems/validation-failed).',
      zh: '本地环境会保留所有邮件，并在启动时显示查看页面的地址。邮件链接到对应的变更，并附有停收此类邮件的链接。内容已全部读过的汇总不再发送。可能的错误：[VERSION_MISMATCH](/problems/version-mismatch)、[VALIDATION_FAILED](/problems/validation-failed)。',
    },
  },
];
