import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonSchema, resolveReference } from '../json-schema.js';
import { redocly } from '../redocly.js';

/** A change that `redocly diff` reports, with a verdict of each of its rules that finds it breaking. */
interface Change {
  path: string;
  typeName: string;
  kind: 'added' | 'removed' | 'modified';
  property?: string;
  base?: { pointer: string; value?: unknown };
  revision?: { pointer: string; value?: unknown };
  verdicts: { ruleId: string; message: string }[];
}

type Operations = Record<string, { action: 'send' | 'receive'; channel: { $ref: string } }>;

/** Breaking changes between two OpenAPI or AsyncAPI documents, each as a sentence after its place. */
export async function breakingChanges(before: string, after: string): Promise<string[]> {
  const [old, now] = [comparable(before), comparable(after)];
  const folder = await mkdtemp(join(tmpdir(), 'po-compatibility-'));
  try {
    await writeFile(join(folder, 'before.json'), JSON.stringify(old));
    await writeFile(join(folder, 'after.json'), JSON.stringify(now));
    const report = await redocly(folder, 'diff', '--fail-on=none', 'before.json', 'after.json');
    return (report as { changes: Change[] }).changes.flatMap((change) => {
      const [document, { pointer = '' } = {}] = change.kind === 'removed' ? [old, change.base] : [now, change.revision];
      return messagesOf(change, document, pointer).map((message) => `${placeOf(document, pointer)}: ${message}`);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The document, with equal schemas written alike, so that a field that may now be null only gains an alternative. */
function comparable(text: string): JsonSchema {
  const { 'x-other-paths': responses, ...document } = JSON.parse(text) as Record<string, object>;
  if (responses) document.paths = { ...document.paths, '/any other path': { get: { responses } } };
  return JSON.parse(JSON.stringify(withoutAnnotations(document)), function (this: unknown, _name, value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { const: only, oneOf, ...rest } = value as JsonSchema;
    if (only !== undefined) rest.enum = [only];
    if (oneOf !== undefined) rest.anyOf = oneOf;
    const [part, ...others] = Object.keys(rest).join() === 'allOf' ? (rest.allOf as JsonSchema[]) : [rest];
    const schema = part && others.length === 0 ? part : rest;
    const isAlone = String(schema.$ref).startsWith('#/components/schemas/') && !Array.isArray(this);
    return isAlone ? { anyOf: [schema] } : schema;
  });
}

/** The steps of a pointer, with the names of parameters instead of their positions. */
function placeOf(document: unknown, pointer: string): string {
  const steps = pointer.slice(2).split('/');
  const named = steps.map((step, index) => {
    if (steps[index - 1] !== 'parameters') return step.replaceAll('~1', '/');
    const { name = step } = resolveReference(document, `#/${steps.slice(0, index + 1).join('/')}`);
    return name;
  });
  return named.join(' ');
}

/** The command's messages about a breaking change; if it has none, our own about what breaks our clients. */
function messagesOf(change: Change, document: JsonSchema, pointer: string): string[] {
  const { path, typeName, kind, property, base, revision, verdicts } = change;
  const [before, after] = [base?.value, revision?.value];
  // `format: int64` only documents the size of a number; all values allowed before stay allowed.
  if (property === 'format' && before === undefined && after === 'int64') return [];
  const isChoice = kind !== 'modified' && /\/anyOf(\/\d+)?$/.test(path);
  const isAlternative = isChoice && typeName === 'Schema';
  const hasTag = isAlternative && areTagged(document, pointer.replace(/\/\d+$/, ''));
  // Clients ignore unknown tags, and unknown values unless exactly one value was allowed before.
  const isNewValue = Array.isArray(before) && before.length > 1 && after !== undefined;
  const tolerated = [isNewValue && 'enum-values-added', hasTag && kind === 'added' && 'schema-combinator-changed'];
  const known = verdicts.filter(({ ruleId }) => !tolerated.includes(ruleId)).map(({ message }) => message);
  if (known.length > 0) return known;
  // The command does not compare alternatives in messages. More values break their readers, fewer break their writers; a new list of
  // alternatives allows fewer.
  const isWider = (kind === 'added') === isAlternative;
  const isBroken = hasTag
    ? kind === 'removed'
    : isChoice && actionOf(document, path) === (isWider ? 'send' : 'receive');
  return [
    // Clients handle unknown error statuses generically, but treat every success like the one that they know.
    kind === 'added' && typeName === 'Response' && /\/[123]\d\d$/.test(path) && 'This success is new.',
    typeName === 'Header' && property === 'required' && before === true && 'This header may be absent now.',
    typeName === 'Schema' && property === 'default' && before !== undefined && `It was ${JSON.stringify(before)}.`,
    // The service would ignore it.
    kind === 'removed' &&
      /^#\/(?!components\/).*\/(properties\/[^/]+|headers|payload)$/.test(path) &&
      'This part is gone.',
    isBroken && `Alternative ${kind}: ${JSON.stringify(resolveReference(document, pointer))}`,
  ].filter((message) => message !== false);
}

/** Whether the service sends or receives the messages of the channel in a path. */
function actionOf(document: JsonSchema, path: string): string | undefined {
  const channel = /^#\/channels\/[^/]+/.exec(path)?.[0];
  const operations = Object.values((document.operations ?? {}) as Operations);
  return operations.find((operation) => operation.channel.$ref === channel)?.action;
}

/** Whether each alternative has a field with a constant value. */
function areTagged(document: unknown, pointer: string): boolean {
  return Object.values(resolveReference(document, pointer) as Record<string, JsonSchema>).every((part) => {
    const { properties = {} } = typeof part.$ref === 'string' ? resolveReference(document, part.$ref) : part;
    return Object.values(properties as Record<string, { enum?: unknown[] }>).some((field) => field.enum?.length === 1);
  });
}

const TEXTS = ['description', 'summary', 'title', 'example', 'examples'];
/** Keywords whose members have names chosen by the document, not keywords. */
const MAPS = ['properties', 'schemas', '$defs'];

/** Returns the document without descriptions and examples, which comparisons ignore. */
export function withoutAnnotations(node: unknown, isMap = false): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutAnnotations(part));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([name]) => isMap || !TEXTS.includes(name));
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutAnnotations(part, !isMap && MAPS.includes(name))]),
  );
}
