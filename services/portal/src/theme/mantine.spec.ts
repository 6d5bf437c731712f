import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SRC = fileURLToPath(new URL('..', import.meta.url));
const STYLES = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/Button.layer.css'));
const FOR_ALL = 'theme/mantine.ts';
const DIALOG = 'theme/mantine-dialog.ts';

const read = (file: string) => readFileSync(join(SRC, file), 'utf8');
const stylesIn = (file: string): string[] => {
  const text = read(file);
  const own = [...text.matchAll(/'@mantine\/core\/styles\/(\w+)\.layer\.css'/g)].map(([, name = '']) => name);
  return text.includes('/mantine-dialog.js') ? [...own, ...stylesIn(DIALOG)] : own;
};
/** Mantine components with styles that a file imports. */
const componentsIn = (file: string): string[] =>
  [...read(file).matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && existsSync(join(STYLES, `${name}.layer.css`)));

describe('the styles of Mantine components', () => {
  it('are imported for every component in use', () => {
    const files = globSync('**/*.tsx', { cwd: SRC });
    expect(files.flatMap(componentsIn).length).toBeGreaterThan(5);
    const missing = files.flatMap((file) => {
      const styles = new Set([...stylesIn(FOR_ALL), ...stylesIn(file)]);
      return componentsIn(file)
        .filter((name) => !styles.has(name))
        .map((name) => `${file}: import '@mantine/core/styles/${name}.layer.css'`);
    });
    expect(missing).toEqual([]);
  });
});
