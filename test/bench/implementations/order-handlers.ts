import { randomUUID } from 'node:crypto';
import {
  type DetailQuery,
  type ExecuteTransition,
  PATTERNS,
  ProblemError,
  type RpcPattern,
  problemDocument,
} from '@po/contracts';
import { Admission } from '@po/gateway/dist/admission/admission.js';
import { connectLeases } from '@po/gateway/dist/admission/lease-limiter.js';
import { Callers } from '@po/gateway/dist/authentication/callers.js';
import { TokenVerifier } from '@po/gateway/dist/authentication/token.js';
import type { Config as GatewayConfig } from '@po/gateway/dist/config.js';
import { admissionLimitsOf, keySetOf, tokenSettingsOf } from '@po/gateway/dist/start.js';
import type { Reply, RpcContext } from '@po/messaging';
import type { Logger } from '@po/platform';
import type { Config } from '@po/purchase-orders/dist/config.js';
import { OrderSettings } from '@po/purchase-orders/dist/orders/order-settings.js';
import { PurchaseOrdersQueries } from '@po/purchase-orders/dist/orders/purchase-orders.queries.js';
import { PurchaseOrdersService } from '@po/purchase-orders/dist/orders/purchase-orders.service.js';
import { reminderSettingsOf } from '@po/purchase-orders/dist/reminders/reminder-settings.js';
import { AdoptedReminderSettings } from '@po/purchase-orders/dist/store/adopted-reminder-settings.js';
import { Databases } from '@po/purchase-orders/dist/store/databases.js';

type Handle = (payload: unknown, context: RpcContext) => Promise<Reply>;

/**
 * The two measured requests, answered by the product's own classes on the product's database, with the roles and the pool size that
 * the product's service gets from the same environment.
 */
export async function orderHandlers(config: Config, logger: Logger): Promise<{ detail: Handle; transition: Handle }> {
  const databases = new Databases({
    internalUrl: config.DATABASE_URL_INTERNAL,
    vendorUrl: config.DATABASE_URL_VENDOR,
    poolSize: config.DATABASE_POOL_SIZE,
    logger,
  });
  await databases.connect();
  const reminders = new AdoptedReminderSettings(databases, reminderSettingsOf(config));
  await reminders.adopt({ starting: true });
  const settings = new OrderSettings(config.COMMENT_REQUIRED_ACTIONS, reminders.settings.calendar);
  // The relay of the running order service publishes the outbox rows of every implementation at its next poll.
  const relay = { wake: () => undefined } as ConstructorParameters<typeof PurchaseOrdersService>[1];
  const queries = new PurchaseOrdersQueries(databases, settings);
  const orders = new PurchaseOrdersService(databases, relay, settings, reminders);
  return {
    detail: answering(PATTERNS.detail, (query: DetailQuery, context) => queries.detail(query, context)),
    transition: answering(PATTERNS.transition, (command: ExecuteTransition, context) =>
      orders.transition(command, context),
    ),
  };
}

// As in the product's RPC server, the payload is validated, and a refusal becomes a problem document.
const answering =
  <T>(pattern: RpcPattern, handle: (payload: T, context: RpcContext) => Promise<Reply>): Handle =>
  async (payload, context) => {
    try {
      return await handle(pattern.request.parse(payload) as T, context);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { locale, path, requestId } = context;
      return {
        status: error.status,
        headers: { ...error.options.headers, 'content-language': locale },
        body: problemDocument(error, { locale, instance: path, requestId }),
      };
    }
  };

/** Request timeout by kind in milliseconds, as in the product. */
export const REQUEST_TIMEOUT_MS: Record<RpcPattern['kind'], number> = { query: 3_000, command: 8_000 };

/** Command id and deadline, which the first receiver of a request assigns. */
export function requestContext({ kind }: RpcPattern): Pick<RpcContext, 'commandId' | 'deadline'> {
  return { commandId: randomUUID(), deadline: Date.now() + REQUEST_TIMEOUT_MS[kind] };
}

/** The gateway's own verification of user tokens, with the identity provider's keys. */
export function callersBy(config: GatewayConfig, logger: Logger): Callers {
  const keys = keySetOf(config, logger);
  keys.start();
  return new Callers(new TokenVerifier(keys, tokenSettingsOf(config)), keys);
}

/** The gateway's own admission of uploads and answers; exports are not limited. */
export const admissionBy = (config: GatewayConfig, logger: Logger): Admission =>
  new Admission(connectLeases(config.REDIS_URL, logger), admissionLimitsOf(config), () => Promise.resolve());

/** For a forked program: sends its URL to the benchmark, and ends with the benchmark. */
export function announceUrl(url: string): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}
