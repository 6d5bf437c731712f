import type { Rows } from '../rows.js';
import { Unreadable } from '../unreadable.js';
import type { Archive } from './archive.js';
import { CellFormats } from './number-formats.js';
import { SheetRows } from './sheet-rows.js';
import { SharedTexts } from './texts.js';
import { type Elements, type Turn, readXml } from './xml-reader.js';

export { type Archive, MAX_PARTS } from './archive.js';
export type { Turn } from './xml-reader.js';

const ZIP = [0x50, 0x4b];
/** Of a workbook with a password, and of one of the time before xlsx. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Reads the first sheet that is seen of an xlsx workbook, a chunk of its XML a turn. Throws Unreadable for what is no workbook, and as
 * archive and XML do for one that is damaged.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  open: (bytes: Uint8Array) => Archive | Promise<Archive>,
  rows: Rows,
  turn: Turn,
): Promise<void> {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  if (begins(COMPOUND_FILE)) throw new Unreadable('locked');
  if (!begins(ZIP)) throw new Unreadable('notXlsx');
  await new Workbook(await open(bytes), turn).readInto(rows);
}

interface Relation {
  id: string;
  kind: string;
  path: string;
}

/** The parts of a workbook that are read: which sheet is the first, the texts and formats that cells share, and its rows. */
class Workbook {
  constructor(
    private readonly archive: Archive,
    private readonly turn: Turn,
  ) {}

  async readInto(rows: Rows): Promise<void> {
    const main = (await this.relationsOf('')).find(({ kind }) => kind === 'officeDocument');
    if (!main || !this.archive.has(main.path)) throw new Unreadable('notXlsx');
    const relations = await this.relationsOf(main.path);
    // A hostile workbook has a million of each. Of an id the first relation counts.
    const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
    const sheets = (await this.sheetsOf(main.path)).map((id) => byId.get(id));
    const sheet = sheets.find((relation) => relation?.kind === 'worksheet');
    if (!sheet) throw new Unreadable('notXlsx');
    const shared = new SharedTexts();
    const texts = relations.find(({ kind }) => kind === 'sharedStrings');
    if (texts) await this.read(texts.path, shared);
    const formats = new CellFormats();
    const styles = relations.find(({ kind }) => kind === 'styles');
    if (styles && this.archive.has(styles.path)) await this.read(styles.path, formats);
    await this.read(sheet.path, new SheetRows(rows, shared.texts, formats.kinds));
  }

  /** The ids of the sheets that are seen, in the order of their tabs. */
  private async sheetsOf(path: string): Promise<string[]> {
    const ids: string[] = [];
    await this.elementsOf(path, (name, attributes) => {
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      if (id !== undefined) ids.push(id);
    });
    return ids;
  }

  /** What a part refers to; the archive itself for ''. */
  private async relationsOf(path: string): Promise<Relation[]> {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const relations: Relation[] = [];
    await this.elementsOf(`${folder}_rels/${lastOf(path)}.rels`, (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      // From the part, or with a slash from the archive's root.
      relations.push({ id: Id, kind: lastOf(Type), path: resolved(Target.startsWith('/') ? Target : folder + Target) });
    });
    return relations;
  }

  private elementsOf(path: string, open: Elements['open']): Promise<void> {
    return this.read(path, { open, close: () => undefined, text: () => undefined });
  }

  private read(path: string, elements: Elements): Promise<void> {
    return readXml(this.archive.read(path), elements, this.turn);
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path without `.` and `..`, and without a slash at its beginning. */
function resolved(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
