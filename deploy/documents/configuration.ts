import { TopicsJobSettings } from '@po/messaging';
import { Settings as DashboardSettings } from '@po/dashboard/dist/config.js';
import { GatewaySettings } from '@po/gateway/dist/config.js';
import { Settings as MailSettings } from '@po/mail/dist/config.js';
import { Settings as NotificationsSettings } from '@po/notifications/dist/config.js';
import { Settings as PurchaseOrdersSettings } from '@po/purchase-orders/dist/config.js';
import { z } from 'zod';
import { goneRows, topicRows } from './kafka/table.js';
import { textAt, withTable } from './tables.js';

type Settings = Record<string, z.ZodType>;

const SERVICES: Record<string, Settings> = {
  gateway: GatewaySettings.shape,
  'purchase-orders': PurchaseOrdersSettings.shape,
  notifications: NotificationsSettings.shape,
  dashboard: DashboardSettings.shape,
  mail: MailSettings.shape,
};
const DOCUMENT = 'deploy/CONFIGURATION.md';
const TOPICS_DOCUMENT = 'deploy/TOPICS.md';

/** Whether every service reads it, in the same way. */
const isCommon = (variable: string, schema: z.ZodType): boolean =>
  Object.values(SERVICES).every((settings) => settings[variable] === schema);

function defaultOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'needed';
  // As it is written, not as the service reads it.
  const { default: written = data } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = (written instanceof Set || Array.isArray(written) ? [...written] : [written]).join(',');
  return text === '' ? '' : `\`${text}\``;
}

const table = (settings: Settings, wanted: (variable: string, schema: z.ZodType) => boolean): string[][] => [
  ['variable', 'default', 'meaning'],
  ...Object.entries(settings)
    .filter((setting) => wanted(...setting))
    .map(([variable, schema]) => [`\`${variable}\``, defaultOf(schema), schema.meta()?.description ?? '']),
];

/** The documents that tell of environment variables and topics, by their paths, with the tables that settings and manifest make. */
export function configurationDocuments(): Record<string, string> {
  const everywhere = withTable(textAt(DOCUMENT), 'configuration every', table(GatewaySettings.shape, isCommon));
  const configuration = Object.entries(SERVICES).reduce(
    (text, [service, settings]) =>
      withTable(
        text,
        `configuration ${service}`,
        table(settings, (...setting) => !isCommon(...setting)),
      ),
    everywhere,
  );
  const ofTheJob = table(TopicsJobSettings.shape, (variable) => !Object.hasOwn(GatewaySettings.shape, variable));
  const topicTables = { topics: topicRows(), 'configuration topics': ofTheJob, forgetting: goneRows() };
  const topics = Object.entries(topicTables).reduce(
    (text, [name, rows]) => withTable(text, name, rows),
    textAt(TOPICS_DOCUMENT),
  );
  return { [DOCUMENT]: configuration, [TOPICS_DOCUMENT]: topics };
}
