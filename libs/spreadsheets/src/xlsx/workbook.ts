import type { Rows } from '../rows.js';
import { Unreadable } from '../unreadable.js';
import type { Archive } from './archive.js';
import { CellFormats } from './number-formats.js';
import { SheetRows } from './sheet-rows.js';
import { SharedTexts } from './texts.js';
import { type Elements, type Schedule, readXml } from './xml-reader.js';

export { type Archive, MAX_PARTS } from './archive.js';
export type { Schedule } from './xml-reader.js';

const ZIP = [0x50, 0x4b];
/** Signature of password-protected workbooks and of formats before xlsx. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Reads the first visible sheet of an xlsx workbook, one chunk of its XML per turn. Throws Unreadable if the file is not a workbook, and
 * the errors of archive and XML if it is damaged.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  open: (bytes: Uint8Array) => Archive | Promise<Archive>,
  rows: Rows,
  schedule: Schedule,
): Promise<void> {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  if (begins(COMPOUND_FILE)) throw new Unreadable('locked');
  if (!begins(ZIP)) throw new Unreadable('notXlsx');
  await new Workbook(await open(bytes), schedule).readInto(rows);
}

interface Relation {
  id: string;
  kind: string;
  path: string;
}

/** Reads the needed parts of a workbook: its first sheet with the shared texts and formats. */
class Workbook {
  constructor(
    private readonly archive: Archive,
    private readonly schedule: Schedule,
  ) {}

  async readInto(rows: Rows): Promise<void> {
    const main = (await this.relationsOf('')).find(({ kind }) => kind === 'officeDocument');
    if (!main || !this.archive.has(main.path)) throw new Unreadable('notXlsx');
    const relations = await this.relationsOf(main.path);
    // A map, because a hostile workbook can have a million sheets and relations. The first relation of an id wins.
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

  /** Ids of the visible sheets in the order of their tabs. */
  private async sheetsOf(path: string): Promise<string[]> {
    const ids: string[] = [];
    await this.elementsOf(path, (name, attributes) => {
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      if (id !== undefined) ids.push(id);
    });
    return ids;
  }

  /** Relations of a part, or of the archive itself for ''. */
  private async relationsOf(path: string): Promise<Relation[]> {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const relations: Relation[] = [];
    await this.elementsOf(`${folder}_rels/${lastOf(path)}.rels`, (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      // Relative to the part, or with a leading slash to the root of the archive.
      relations.push({ id: Id, kind: lastOf(Type), path: resolved(Target.startsWith('/') ? Target : folder + Target) });
    });
    return relations;
  }

  private elementsOf(path: string, open: Elements['open']): Promise<void> {
    return this.read(path, { open, close: () => undefined, text: () => undefined });
  }

  private read(path: string, elements: Elements): Promise<void> {
    return readXml(this.archive.read(path), elements, this.schedule);
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Removes `.`, `..` and a leading slash from a path. */
function resolved(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}
