import { TopicsJobSettings } from '@po/messaging';
import { z } from 'zod';
import { deletionRows, topicRows } from './kafka/table.js';
import { SETTINGS, type Settings, isCommon } from './settings.js';
import { readText, withTable } from './tables.js';

const DOCUMENT = 'deploy/CONFIGURATION.md';
const TOPICS_DOCUMENT = 'deploy/TOPICS.md';

function defaultOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'needed';
  // The default as written in the environment, not as parsed.
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

/** Documents about environment variables and topics, by path, with the tables generated from the settings and the topic manifest. */
export function configurationDocuments(): Record<string, string> {
  const everywhere = withTable(readText(DOCUMENT), 'configuration every', table(SETTINGS.gateway, isCommon));
  const configuration = Object.entries(SETTINGS).reduce(
    (text, [service, settings]) =>
      withTable(
        text,
        `configuration ${service}`,
        table(settings, (...setting) => !isCommon(...setting)),
      ),
    everywhere,
  );
  const jobSettings = table(TopicsJobSettings.shape, (variable) => !Object.hasOwn(SETTINGS.gateway, variable));
  const topicTables = { topics: topicRows(), 'configuration topics': jobSettings, 'deletion times': deletionRows() };
  const topics = Object.entries(topicTables).reduce(
    (text, [name, rows]) => withTable(text, name, rows),
    readText(TOPICS_DOCUMENT),
  );
  return { [DOCUMENT]: configuration, [TOPICS_DOCUMENT]: topics };
}
