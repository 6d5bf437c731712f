import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import type { FileRow } from './sheet.js';
import { SheetCells, SharedTexts } from './xlsx-cells.js';
import { UnreadableFile } from './unreadable.js';

const ZIP = [0x50, 0x4b];
/** Of a workbook with a password, and of one of the time before xlsx. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];
/** All parts together, unpacked: some times what the largest file that is taken has. */
const MAX_UNPACKED = 256 * 1024 * 1024;

type Attributes = Record<string, string>;

/** What is told of the elements of a part, whose names have no prefix. */
interface Elements {
  open: (name: string, attributes: Attributes) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/** The rows of a workbook's first sheet that is seen. Throws UnreadableFile. */
export function rowsOfXlsx(bytes: Uint8Array): FileRow[] {
  const begins = (start: readonly number[]) => start.every((byte, at) => bytes[at] === byte);
  if (begins(COMPOUND_FILE)) throw new UnreadableFile('locked');
  if (!begins(ZIP)) throw new UnreadableFile('notXlsx');
  try {
    return new Workbook(bytes).rows();
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged');
  }
}

class Workbook {
  private readonly parts: Record<string, Uint8Array>;

  constructor(bytes: Uint8Array) {
    let unpacked = 0;
    this.parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(xml|rels)$/i.test(name)) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED) throw new UnreadableFile('damaged');
        return true;
      },
    });
  }

  rows(): FileRow[] {
    const main = this.relationsOf('').find(({ kind }) => kind === 'officeDocument')?.path;
    if (main === undefined || !this.parts[main]) throw new UnreadableFile('notXlsx');
    const relations = this.relationsOf(main);
    const sheet = this.sheetsOf(main)
      .map((id) => relations.find((relation) => relation.id === id))
      .find((relation) => relation?.kind === 'worksheet');
    if (!sheet) throw new UnreadableFile('notXlsx');
    const shared = new SharedTexts();
    const texts = relations.find(({ kind }) => kind === 'sharedStrings');
    if (texts) this.read(texts.path, shared);
    const cells = new SheetCells(shared.texts);
    this.read(sheet.path, cells);
    return cells.rows;
  }

  /** The ids of the sheets that are seen, in the order of their tabs. */
  private sheetsOf(path: string): string[] {
    const ids: string[] = [];
    this.elementsOf(path, (name, attributes) => {
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      if (id !== undefined) ids.push(id);
    });
    return ids;
  }

  /** What a part refers to; the archive itself for ''. */
  private relationsOf(path: string): { id: string; kind: string; path: string }[] {
    const relations: { id: string; kind: string; path: string }[] = [];
    const own = new URL(`_rels/${path.split('/').at(-1)}.rels`, urlOf(path));
    this.elementsOf(own.pathname.slice(1), (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      const target = new URL(Target, urlOf(path)).pathname.slice(1);
      relations.push({ id: Id, kind: Type.split('/').at(-1) ?? '', path: target });
    });
    return relations;
  }

  private elementsOf(path: string, open: Elements['open']): void {
    this.read(path, { open, close: () => undefined, text: () => undefined });
  }

  private read(path: string, elements: Elements): void {
    const part = this.parts[path];
    if (!part) return;
    const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
    parser.on('opentag', ({ name, attributes }) => elements.open(withoutPrefix(name), attributes));
    parser.on('closetag', ({ name }) => elements.close(withoutPrefix(name)));
    parser.on('text', (text) => elements.text(text));
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(new TextDecoder().decode(part)).close();
  }
}

/** Paths of parts refer to each other as addresses do; of what host is all the same. */
const urlOf = (path: string): URL => new URL(path, 'http://archive/');

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);
