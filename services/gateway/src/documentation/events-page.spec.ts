import { describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { eventsPages } from './events-page.js';

function shown(): { en: string; zh: string } {
  const content = eventsPages()[0]?.content;
  if (!content || Buffer.isBuffer(content)) throw new Error('the page has only one language');
  return { en: content.en.toString(), zh: content.zh.toString() };
}

describe('the events page', () => {
  const { en, zh } = shown();

  it('shows direction, key, partitions and retention of each topic', () => {
    const section = (topic: string) => en.split(`<h2 id="${topic}">`)[1]?.split('</section>')[0] ?? '';
    for (const text of ['The PO number.', '<dd>12</dd>', '<dd>30 days</dd>']) {
      expect(section(TOPICS.transitions)).toContain(text);
    }
    expect(section(TOPICS.state)).toContain('the last record of each key');
    expect(en).toMatch(/inventory\.purchase-orders\.v1<\/code><\/a>\s*<\/td>\s*<td>you write it/);
    expect(en).toMatch(/po\.state\.v1<\/code><\/a>\s*<\/td>\s*<td>you read it/);
    expect(zh).toContain('由您写入');
  });

  it('has a row for every field, including nested ones, links types to their definitions, and shows examples', () => {
    for (const field of ['ce_id', 'vendor.code', 'buyer.name?']) expect(en).toContain(`<code>${field}</code>`);
    expect(en).toContain('<code>date | null</code>');
    expect(en).toContain('<a href="#schema-AgreedLine">AgreedLine</a>');
    expect(en).toContain('id="schema-AgreedLine"');
    expect(en).toContain('A whole order in status Confirmed.');
  });

  it('shows every topic, and no value as undefined', () => {
    for (const topic of [TOPICS.inventory, TOPICS.transitions, TOPICS.state, TOPICS.notifications]) {
      expect(en).toContain(`<h2 id="${topic}">`);
    }
    expect(en).not.toMatch(/undefined|NaN|\[object/);
  });
});
