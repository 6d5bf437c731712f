import { describe, expect, it } from '@jest/globals';
import { Terminal } from './terminal.js';

/** A fake terminal that records the lines it would show. */
function screen(columns?: number) {
  let lines = [''];
  return {
    columns,
    write: (text: string) => {
      for (const part of text.replaceAll('\r\u001b[K', '\r').split(/([\r\n])/)) {
        if (part === '\n') lines.push('');
        else if (part === '\r') lines[lines.length - 1] = '';
        else lines = [...lines.slice(0, -1), `${lines.at(-1)}${part}`];
      }
    },
    shown: () => lines,
  };
}

describe('a terminal', () => {
  it('shows the running steps below all lines until they are finished', async () => {
    const on = screen();
    const terminal = new Terminal(on);
    const [kafka, redis] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const steps = [
      terminal.step('start Kafka', () => kafka.promise),
      terminal.step('start Redis', () => redis.promise),
    ];
    expect(on.shown()).toEqual(['  … start Kafka, start Redis']);
    terminal.print('a warning');
    expect(on.shown()).toEqual(['a warning', '  … start Kafka, start Redis']);
    kafka.resolve(1);
    expect(await steps[0]).toBe(1);
    redis.reject(new Error('no such program'));
    await expect(steps[1]).rejects.toThrow('no such program');
    expect(on.shown()).toEqual([
      'a warning',
      expect.stringMatching(/^ {2}start Kafka {36}\d+\.\d s$/),
      expect.stringMatching(/^ {2}start Redis {36}failed after \d+\.\d s$/),
      '',
    ]);
  });

  it('truncates the line of running steps, because a wrapped line cannot be cleared, and removes it on request', () => {
    const on = screen(12);
    const terminal = new Terminal(on);
    void terminal.step('start Kafka', () => new Promise(() => undefined));
    expect(on.shown()).toEqual(['  … start K']);
    terminal.clearSteps();
    terminal.print('stopping');
    expect(on.shown()).toEqual(['stopping', '']);
  });
});
