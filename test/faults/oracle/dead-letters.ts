import { type Evidence, type Violation } from './evidence.js';

/** Checks that the dead-letter topics hold exactly the injected poison records, unchanged and with the expected reason. */
export function checkDeadLetters({ deadLetters, poison }: Evidence): Violation[] {
  const found = Map.groupBy(deadLetters, ({ name, topic }) => `${name} on ${topic}`);
  const expected = new Set(poison.map(({ name, deadLetterTopic }) => `${name} on ${deadLetterTopic}`));
  return [
    ...deadLetters
      .filter(({ name, topic }) => !expected.has(`${name} on ${topic}`))
      .map(
        ({ name, topic, key, reason }) =>
          `an unexpected dead letter is on ${topic}: ${name ?? `key ${key}`}, "${reason}"`,
      ),
    ...poison.flatMap(({ name, deadLetterTopic, reason, value, key }) => {
      if (deadLetterTopic === null) return [];
      const letters = found.get(`${name} on ${deadLetterTopic}`) ?? [];
      if (letters.length === 0) return [`poison ${name} is not on ${deadLetterTopic}`];
      return letters.flatMap((letter) => [
        ...(reason.test(letter.reason)
          ? []
          : [`poison ${name}: the reason "${letter.reason}" does not match ${reason}`]),
        ...(sameBytes(value, letter.value) && key === letter.key
          ? []
          : [`poison ${name} was changed on its way to ${deadLetterTopic}`]),
      ]);
    }),
  ];
}

const sameBytes = (left: Buffer | null, right: Buffer | null): boolean =>
  left === null || right === null ? left === right : left.equals(right);
