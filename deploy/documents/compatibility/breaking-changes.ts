import { parse } from 'yaml';
import { breakingChanges } from './changes.js';
import { PUBLISHED } from './released.js';

/** Reads a file by its path; null if it does not exist. */
type Read = (path: string) => Promise<string | null>;
type Comparison = (before: string, after: string) => string[] | Promise<string[]>;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  ...Object.fromEntries(PUBLISHED.map((path) => [path, breakingChanges])),
  'deploy/CONFIGURATION.md': settingBreakingChanges,
  'deploy/helm/po-collaboration/values.yaml': valueBreakingChanges,
};

/**
 * Breaking changes of a release for API clients, systems on the topics and operators, each as a sentence.
 * @public The release script imports it from the build output.
 */
export async function findBreakingChanges(before: Read, after: Read): Promise<string[]> {
  const found = Object.entries(COMPARISONS).map(async ([path, compare]) => {
    const [old, now] = [await before(path), await after(path)];
    if (old === null) return [];
    return now === null ? [`${path} is gone`] : compare(old, now);
  });
  return (await Promise.all(found)).flat();
}

function settingBreakingChanges(before: string, after: string): string[] {
  const [old, now] = [settingsIn(before), settingsIn(after)];
  const removed = [...old.keys()].filter((setting) => !now.has(setting)).map((setting) => `${setting} is gone`);
  const needed = [...now].filter(([setting, isNeeded]) => isNeeded && old.get(setting) !== true);
  return [...removed, ...needed.map(([setting]) => `${setting} is needed`)];
}

/** Whether each setting is required, by its table and name. */
function settingsIn(text: string): Map<string, boolean> {
  const tables = text.matchAll(/<!-- configuration (\S+):start -->([^]*?)<!--/g);
  return new Map(
    [...tables].flatMap(([, table, rows = '']) =>
      [...rows.matchAll(/^\| `([A-Z\d_]+)` *\| (\S*)/gm)].map(([, name, preset]): [string, boolean] => [
        `the setting ${name} (${table})`,
        preset === 'needed',
      ]),
    ),
  );
}

function valueBreakingChanges(before: string, after: string): string[] {
  const now = new Set(pathsIn(parse(after)));
  return pathsIn(parse(before))
    .filter((path) => !now.has(path))
    .map((path) => `the chart's value ${path} is gone`);
}

function pathsIn(values: unknown, at = ''): string[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => [`${at}${name}`, ...pathsIn(value, `${at}${name}.`)]);
}
