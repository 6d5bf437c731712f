import { type Actor, PATTERNS, Unsubscription, UnsubscribeQuery } from '@po/contracts';
import { unavailable } from '@po/messaging';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Upstream, jsonOf } from '../routes/upstream.js';
import { UNSUBSCRIBE_POLICY, type UnsubscribeState, unsubscribePage } from './page.js';

const PATH = '/unsubscribe';
/** Maximum requests in progress: they have no user token by which they could be limited. */
const MAX_OPEN = 20;

type Services = Pick<Upstream, 'requestUnsigned' | 'requestAs'>;

/**
 * Serves the unsubscribe link of mails (RFC 8058) to anybody who has it. A mail reader that follows every link sends GET, which changes
 * nothing; the page's button, and the mail reader's own, send POST. The body is not read: only the token counts.
 */
export async function serveUnsubscribe(instance: FastifyInstance, services: Services): Promise<void> {
  let open = 0;
  const answering = (change: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (open >= MAX_OPEN) throw unavailable(1);
    open += 1;
    try {
      const unsubscription = await readToken(services, request);
      if (unsubscription === null) return await sendPage(request, reply.code(400), 'unknown');
      if (change) await turnOff(services, unsubscription);
      return await sendPage(request, reply, change ? 'done' : 'confirm');
    } finally {
      open -= 1;
    }
  };
  instance.get(PATH, answering(false));
  instance.post(PATH, answering(true));
}

/** What the token of the request allows; null for an invalid one. */
async function readToken(services: Services, { query }: FastifyRequest): Promise<Unsubscription | null> {
  const { data } = UnsubscribeQuery.safeParse(query);
  if (!data) return null;
  const { status, body } = await services.requestUnsigned(PATTERNS.unsubscription, data);
  if (status === 400) return null;
  if (status !== 200) throw unavailable();
  return Unsubscription.parse(jsonOf(body));
}

async function turnOff(services: Services, unsubscription: Unsubscription): Promise<void> {
  const { userId: sub } = unsubscription;
  // On behalf of the user, with the fewest permissions: the token allows only this command.
  const actor: Actor = { sub, role: 'VIEWER', email: null, name: null, vendorCode: null, locale: null };
  const { status } = await services.requestAs(actor, PATTERNS.turnOffMail, unsubscription, sub);
  if (status >= 400) throw unavailable();
}

const sendPage = ({ context: { locale } }: FastifyRequest, reply: FastifyReply, state: UnsubscribeState) =>
  reply
    .headers({
      'cache-control': 'no-store',
      'content-language': locale,
      'content-security-policy': UNSUBSCRIBE_POLICY,
    })
    .type('text/html; charset=utf-8')
    .send(unsubscribePage(locale, state));
