import { TOPIC_MANIFEST, type TopicSpecification } from '@po/contracts';
import type { Logger } from '@po/platform';
import type { KafkaPort } from '../kafka-port.js';

/** Creates the topics of the manifest that are missing. What exists is never changed, only reported where it differs. */
export async function ensureTopics(
  kafka: KafkaPort,
  logger: Logger,
  manifest: readonly TopicSpecification[] = TOPIC_MANIFEST,
): Promise<{ created: string[]; differing: string[] }> {
  const admin = await kafka.admin();
  try {
    const existing = new Set(await admin.topics());
    const missing = manifest.filter(({ topic }) => !existing.has(topic));
    const replication = Math.min(3, await admin.brokerCount());
    if (missing.length > 0) {
      const minInsync = Math.max(1, replication - 1);
      await admin.createTopics(missing.map((topic) => ({ ...topic, replication, minInsync })));
    }
    const present = manifest.filter(({ topic }) => existing.has(topic));
    const differing = differences(
      present,
      present.length > 0 ? await admin.describe(present.map(({ topic }) => topic)) : [],
    );
    for (const difference of differing)
      logger.warn({ difference }, 'a topic differs from the manifest and was left as it is');
    const created = missing.map(({ topic }) => topic);
    logger.info({ created, differing: differing.length }, 'topics checked');
    return { created, differing };
  } finally {
    await admin.close();
  }
}

function differences(wanted: readonly TopicSpecification[], actual: readonly TopicSpecification[]): string[] {
  const byTopic = new Map(actual.map((topic) => [topic.topic, topic]));
  return wanted.flatMap((want) => {
    const have = byTopic.get(want.topic);
    if (!have) return [`${want.topic}: could not be described`];
    return (['partitions', 'retention', 'maxMessageBytes'] as const)
      .filter((name) => have[name] !== want[name])
      .map((name) => `${want.topic}: ${name} is ${have[name]}, the manifest says ${want[name]}`);
  });
}
