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

/** Roles that a screen reader skips, reading their children instead. */
const SKIPPED_ROLES = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'ListMarker']);
/** Properties that the browser sets on every element or also expresses in another way. */
const IGNORED_PROPERTIES = new Set([
  ...['focusable', 'focused', 'settable', 'editable', 'multiline', 'hiddenRoot', 'relevant', 'atomic', 'root', 'url'],
  ...['labelledby', 'describedby', 'controls', 'owns', 'activedescendant', 'details', 'errormessage', 'actions'],
]);
const NOTHING = new Set<unknown>([false, 'false', '', undefined, null]);

/** Accessibility tree of a part of a page: one line per role with name and states, indented by depth. */
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
  if (!top) throw new Error(`the accessibility tree does not contain ${String(part)}`);
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
  if (node.ignored || (SKIPPED_ROLES.has(role) && name === '')) return below(indent, above);
  // Text that is part of the parent's name is not repeated.
  if (role === 'StaticText') return name === '' || above.includes(name) ? [] : [`${indent}"${name}"`];
  const states = (node.properties ?? [])
    .filter(({ name: property, value }) => !IGNORED_PROPERTIES.has(property) && !NOTHING.has(value.value))
    .map(({ name: property, value }) => (value.value === true ? property : `${property} ${String(value.value)}`));
  const description = [
    role,
    ...(name === '' ? [] : [`"${name}"`]),
    ...(NOTHING.has(node.value?.value) ? [] : [`= ${String(node.value?.value)}`]),
    ...(NOTHING.has(node.description?.value) ? [] : [`(${String(node.description?.value)})`]),
    ...(states.length === 0 ? [] : [`[${states.join(', ')}]`]),
  ];
  return [`${indent}${description.join(' ')}`, ...below(`${indent}  `, name)];
}
