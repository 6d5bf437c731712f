import { posix } from 'node:path';
import { type ImportTable, ProblemError } from '@po/contracts';
import { TableBuilder } from './table-builder.js';
import { Turns } from './turns.js';
import { unreadable } from './unreadable.js';
import { SheetRows } from './xlsx-sheet.js';
import { SharedTexts } from './xlsx-texts.js';
import { type Elements, readXml } from './xml-reader.js';
import { ZipArchive } from './zip-archive.js';

const ZIP = [0x50, 0x4b];
/** Of a workbook with a password, and of one of the time before xlsx. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** A workbook is in memory with all its texts: one after the other. */
const workbooks = new Turns();

/** The table in the first sheet of an xlsx workbook. Throws BAD_REQUEST for a file that is none. */
export function tableOfXlsx(bytes: Buffer, turns: Turns): Promise<ImportTable> {
  return workbooks.take(async () => {
    if (begins(bytes, COMPOUND_FILE)) throw lockedOrOld();
    if (!begins(bytes, ZIP)) throw noXlsx();
    try {
      return await new Workbook(await ZipArchive.open(bytes), turns).table();
    } catch (error) {
      // Archive, compression and XML are read by others' code, which says in its own words what is broken.
      throw error instanceof ProblemError || isBug(error) ? error : damaged();
    }
  });
}

/** Ours and not the file's: what Node finds wrong with bytes has a code. */
const isBug = (error: unknown): boolean => error instanceof TypeError && !Object.hasOwn(error, 'code');

const begins = (bytes: Buffer, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

interface Relation {
  id: string;
  kind: string;
  path: string;
}

/** The parts of a workbook that are read: which sheet is the first, the texts that cells share, and its rows. */
class Workbook {
  constructor(
    private readonly archive: ZipArchive,
    private readonly turns: Turns,
  ) {}

  async table(): Promise<ImportTable> {
    const main = (await this.relationsOf('')).find(({ kind }) => kind === 'officeDocument');
    if (!main || !this.archive.has(main.path)) throw noXlsx();
    const relations = await this.relationsOf(main.path);
    const sheets = (await this.sheetsOf(main.path)).map((sheet) => relations.find(({ id }) => id === sheet));
    const sheet = sheets.find((relation) => relation?.kind === 'worksheet');
    if (!sheet) throw noXlsx();
    const shared = new SharedTexts();
    const texts = relations.find(({ kind }) => kind === 'sharedStrings');
    if (texts) await this.read(texts.path, shared);
    const table = new TableBuilder();
    await this.read(sheet.path, new SheetRows(table, shared.texts));
    return table.done();
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
    const folder = posix.dirname(path);
    const relations: Relation[] = [];
    const own = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
    await this.elementsOf(own, (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      // From the part, or with a slash from the archive's root.
      const target = posix.join('/', Target.startsWith('/') ? '' : folder, Target).slice(1);
      relations.push({ id: Id, kind: posix.basename(Type), path: target });
    });
    return relations;
  }

  private elementsOf(path: string, open: Elements['open']): Promise<void> {
    return this.read(path, { open, close: () => undefined, text: () => undefined });
  }

  private read(path: string, elements: Elements): Promise<void> {
    return readXml(this.archive.read(path), elements, this.turns);
  }
}

const KIND = ['Send an .xlsx workbook.', '请发送 .xlsx 工作簿。'] as const;

const noXlsx = () => unreadable(`The file is no xlsx workbook. ${KIND[0]}`, `该文件不是 xlsx 工作簿。${KIND[1]}`);

const lockedOrOld = () =>
  unreadable(
    'The workbook has a password, or is of the older kind .xls. Save it as .xlsx without a password.',
    '该工作簿设有密码，或为旧的 .xls 格式。请另存为不带密码的 .xlsx。',
  );

const damaged = () =>
  unreadable(
    'The workbook is damaged or not complete. Open it in a spreadsheet program and save it as .xlsx anew.',
    '该工作簿已损坏或不完整。请用表格软件打开后重新另存为 .xlsx。',
  );
