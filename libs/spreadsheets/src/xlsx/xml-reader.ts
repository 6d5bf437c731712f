import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** What is done with the elements of a document. Names come without their prefixes. */
export interface Elements {
  open: (name: string, attributes: Record<string, string>) => void;
  close: (name: string) => void;
  text: (text: string) => void;
  /** True when no more is needed. */
  enough?: () => boolean;
}

/** Does a piece of work when it may; who else has to work decides that. */
export type Turn = (work: () => void) => void | Promise<void>;

/** A document that goes deeper, or has more to say of one element, is none that a spreadsheet program wrote; each would be kept in memory. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 256;

/** Reads an XML document as it comes, a chunk a turn. Throws for one that is not well-formed, not UTF-8, or declares entities. */
export async function readXml(chunks: AsyncIterable<Uint8Array>, elements: Elements, turn: Turn): Promise<void> {
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
    await turn(() => void parser.write(decoder.decode(chunk, { stream: true })));
    if (elements.enough?.()) return;
  }
  parser.write(decoder.decode()).close();
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);
