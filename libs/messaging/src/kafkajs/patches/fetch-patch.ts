import { original, patchKafkaJs } from './patch-kafkajs.js';

/** Of KafkaJS's consumer group: the positions of one assignment; a new assignment has new ones. */
interface ConsumerGroup {
  offsetManager: object | null;
}

interface ConsumerGroupClass {
  prototype: { fetch?: (this: ConsumerGroup, nodeId: string) => Promise<object[]> };
}

const outdated = new WeakMap<object, () => boolean>();

/**
 * True for a batch that was asked for by an earlier assignment. Taking it would move the new one's position to where the earlier one had
 * read, past all that it had not handled yet.
 */
export function isOutdated(batch: object): boolean {
  return outdated.get(batch)?.() ?? false;
}

// When a leader has moved, the fetcher of one broker joins the group anew while those of the others wait for their answers. KafkaJS takes
// these afterwards as if the new assignment had asked for them, and what lies between its own positions and theirs is never read.
/** Lets `isOutdated` tell which batches those are. Throws when KafkaJS no longer has the method this replaces. */
export function patchFetch(): void {
  patchKafkaJs<ConsumerGroupClass>('consumer/consumerGroup', ({ prototype }) => {
    const fetch = original(prototype.fetch, 'ConsumerGroup.fetch');
    prototype.fetch = async function (nodeId) {
      const positions = this.offsetManager;
      const batches = await fetch.call(this, nodeId);
      for (const batch of batches) outdated.set(batch, () => this.offsetManager !== positions);
      return batches;
    };
  });
}
