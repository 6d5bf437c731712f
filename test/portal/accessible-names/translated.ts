/** A line of an accessibility tree: role, name, value, description and states. */
const LINE = /^(?<role> *[A-Za-z]*) ?(?<name>".*")?(?<value> = .*?)?(?<description> \(.*\))?(?<states> \[.*\])?$/;
/** Words that are the same in every language: terms, names of people and places, and placeholders of changing values. */
const UNTRANSLATED = new Set([
  ...['SKU', 'USD', 'Ctrl', 'K', 'S', 'M', 'L', 'TS', 'NVY', 'RED', 'Ltd', 'Hefei', 'Ningbo', 'Suzhou'],
  ...['Dana', 'Reyes', 'buyer', 'example', 'com', 'PO', 'NEW', 'DAY', 'AGO'],
]);

const linesOf = (tree: string) =>
  tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const groups = LINE.exec(line)?.groups;
      if (!groups) throw new Error(`not a line of an accessibility tree: ${line}`);
      return groups;
    });

/** What a tree has in common in all languages: roles, states, and the presence of name, value and description. */
export const rolesOf = (tree: string): string[] =>
  linesOf(tree).map(({ role, name, value, description, states }) =>
    [role, name && ' ""', value && ' =', description && ' ()', states].join(''),
  );

/** Latin words in the names, values and descriptions of a Chinese tree that should have been translated. */
export const untranslated = (tree: string): string[] =>
  linesOf(tree).flatMap(({ name, value, description }) =>
    ([name, value, description].join(' ').match(/[A-Za-z]+/g) ?? []).filter((word) => !UNTRANSLATED.has(word)),
  );
