import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Handlers for the elements of a document. Names have no prefixes. */
export interface Elements {
  open: (name: string, attributes: Record<string, string>) => void;
  close: (name: string) => void;
  text: (text: string) => void;
  /** True when the rest of the document is not needed. */
  enough?: () => boolean;
}

/** Runs a piece of work when the scheduler allows it. */
export type Schedule = (work: () => void) => void | Promise<void>;

/** Limits that no spreadsheet program exceeds, because open elements and attributes are kept in memory. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 256;

/** Parses an XML document while it arrives, one chunk per turn. Throws if it is not well-formed, is not UTF-8 or has a document type. */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  elements: Elements,
  schedule: Schedule,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a workbook has no document type');
  });
  let [depth, attributeCount] = [0, 0];
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > MAX_ATTRIBUTES) throw new Error('an element has too many attributes');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth += 1;
    attributeCount = 0;
    if (depth > MAX_DEPTH) throw new Error('the elements are nested too deep');
    elements.open(localOf(name), attributes);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    depth -= 1;
    elements.close(localOf(name));
  });
  parser.on('text', (text) => elements.text(text));
  parser.on('cdata', (text) => elements.text(text));
  for await (const chunk of chunks) {
    await schedule(() => void parser.write(decoder.decode(chunk, { stream: true })));
    if (elements.enough?.()) return;
  }
  parser.write(decoder.decode()).close();
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);
