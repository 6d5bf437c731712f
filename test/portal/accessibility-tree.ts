import type { Locator } from 'playwright-core';

interface Value {
  value?: string | number | boolean;
}
interface Node {
  nodeId: string;
  ignored: boolean;
  role?: Value;
  name?: Value;
  value?: Value;
  description?: Value;
  properties?: { name: string; value: Value }[];
  childIds?: string[];
  backendDOMNodeId?: number;
}

/** What tells a screen reader nothing by itself: what is in it is read instead. */
const PASSED_BY = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'ListMarker']);
/** What the browser adds to every element, or says of it in another way. */
const UNTOLD = new Set([
  ...['focusable', 'focused', 'settable', 'editable', 'multiline', 'hiddenRoot', 'relevant', 'atomic', 'root', 'url'],
  ...['labelledby', 'describedby', 'controls', 'owns', 'activedescendant', 'details', 'errormessage', 'actions'],
]);
const NOTHING = new Set<unknown>([false, 'false', '', undefined, null]);

/** What a screen reader finds in a part of a page: a line for each role, with its name and states, indented by depth. */
export async function accessibilityTree(part: Locator): Promise<string> {
  const page = part.page();
  const devtools = await page.context().newCDPSession(page);
  const mark = 'data-read-aloud';
  await part.evaluate((element, name) => element.setAttribute(name, ''), mark);
  const { root } = await devtools.send('DOM.getDocument', { depth: 0 });
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: `[${mark}]` });
  const { node: marked } = await devtools.send('DOM.describeNode', { nodeId });
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] };
  await part.evaluate((element, name) => element.removeAttribute(name), mark);
  await devtools.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const top = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === marked.backendNodeId);
  if (!top) throw new Error(`no screen reader finds ${String(part)}`);
  return `${linesOf(top, byId, '', '').join('\n')}\n`;
}

function linesOf(node: Node, byId: ReadonlyMap<string, Node>, indent: string, above: string): string[] {
  const role = String(node.role?.value ?? 'none');
  const name = String(node.name?.value ?? '').trim();
  const below = (deeper: string, label: string) =>
    (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child ? linesOf(child, byId, deeper, label) : [];
    });
  if (node.ignored || (PASSED_BY.has(role) && name === '')) return below(indent, above);
  // A name is made of what is in it: that is not read twice.
  if (role === 'StaticText') return name === '' || above.includes(name) ? [] : [`${indent}"${name}"`];
  const states = (node.properties ?? [])
    .filter(({ name: property, value }) => !UNTOLD.has(property) && !NOTHING.has(value.value))
    .map(({ name: property, value }) => (value.value === true ? property : `${property} ${String(value.value)}`));
  const told = [
    role,
    ...(name === '' ? [] : [`"${name}"`]),
    ...(NOTHING.has(node.value?.value) ? [] : [`= ${String(node.value?.value)}`]),
    ...(NOTHING.has(node.description?.value) ? [] : [`(${String(node.description?.value)})`]),
    ...(states.length === 0 ? [] : [`[${states.join(', ')}]`]),
  ];
  return [`${indent}${told.join(' ')}`, ...below(`${indent}  `, name)];
}
