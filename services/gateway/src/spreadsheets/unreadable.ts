import { ProblemError } from '@po/contracts';
import { MAX_PARTS, MAX_RECORD, MAX_TEXTS, type Reason, type Unreadable } from '@po/spreadsheets';
import { MAX_UNPACKED } from './zip-archive.js';

/** What is wrong and what is accepted, in English and Chinese. */
type Sentences = readonly [reason: string, reasonZh: string];

const COPY = ['Copy the rows into a new workbook.', '请将各行复制到新的工作簿中。'] as const;
const MIB = MAX_UNPACKED / 1024 / 1024;

const sentencesFor = (row: number | null): Readonly<Record<Reason, Sentences>> => ({
  notXlsx: [
    'The file is not an Excel workbook. Send an .xlsx workbook.',
    '该文件不是 xlsx 工作簿。请发送 .xlsx 工作簿。',
  ],
  locked: [
    'The workbook has a password or the older format .xls. Save it as .xlsx without a password.',
    '该工作簿设有密码，或为旧的 .xls 格式。请另存为不带密码的 .xlsx。',
  ],
  damaged: [
    'The workbook is damaged or incomplete. Open it in a spreadsheet program and save it as .xlsx again.',
    '该工作簿已损坏或不完整。请用表格软件打开后重新另存为 .xlsx。',
  ],
  manyParts: [
    `The workbook has more than ${MAX_PARTS} parts. ${COPY[0]}`,
    `该工作簿包含超过 ${MAX_PARTS} 个部分。${COPY[1]}`,
  ],
  largePart: [`The workbook unpacks to more than ${MIB} MiB. ${COPY[0]}`, `该工作簿解压后超过 ${MIB} MiB。${COPY[1]}`],
  manyTexts: [
    `The workbook has more than ${MAX_TEXTS} texts. ${COPY[0]}`,
    `该工作簿包含超过 ${MAX_TEXTS} 个文本。${COPY[1]}`,
  ],
  notCsv: [
    'The file is not a CSV file: it must be text in UTF-8 with one row per line and cells separated by commas, semicolons or tabs.',
    '该文件不是 CSV：必须是 UTF-8 文本，每行一条记录，单元格以逗号、分号或制表符分隔。',
  ],
  openQuote: [
    `A quoted cell in row ${row} of the CSV has no closing quotation mark; write a quotation mark inside a quoted cell twice.`,
    `CSV 第 ${row} 行有一个引号未闭合的单元格：单元格内的引号应写两次。`,
  ],
  wideRow: [
    `Row ${row} of the CSV has more cells than row 1. Put a value that contains the separator in quotation marks, and leave the cells beside the table empty.`,
    `CSV 第 ${row} 行的单元格多于第 1 行。含有分隔符的值请加引号，表格以外的单元格请留空。`,
  ],
  longRow: [
    `Row ${row} of the CSV has more than ${MAX_RECORD} characters.`,
    `CSV 第 ${row} 行超过 ${MAX_RECORD} 个字符。`,
  ],
});

/** The error of a file that is not what its media type declares. */
export function refusalOf({ reason, row }: Unreadable): ProblemError {
  const [sentence, sentenceZh] = sentencesFor(row)[reason];
  return new ProblemError('BAD_REQUEST', {}, { hidden: { reason: sentence, reasonZh: sentenceZh } });
}
