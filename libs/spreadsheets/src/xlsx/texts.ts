import { MAX_CELL_LENGTH } from '../rows.js';
import { Unreadable } from '../unreadable.js';
import type { Elements } from './xml-reader.js';

export const MAX_TEXTS = 500_000;

/** Appends text up to one character more than the limit, which shows that there was more. */
export const appended = (text: string, more: string): string =>
  text + more.slice(0, Math.max(0, MAX_CELL_LENGTH + 1 - text.length));

/** Text of a cell, which may have several runs; ignores phonetic text. */
export class CellText implements Elements {
  value = '';
  private isText = false;
  private isPhonetic = false;

  begin(): void {
    this.value = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.isPhonetic = true;
    else if (name === 't') this.isText = !this.isPhonetic;
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false;
    else if (name === 't') this.isText = false;
  }

  text(text: string): void {
    if (this.isText) this.value = appended(this.value, text);
  }
}

/** Collects the shared texts of a workbook in order. */
export class SharedTexts implements Elements {
  readonly texts: string[] = [];
  private readonly current = new CellText();

  open(name: string): void {
    if (name === 'si') this.current.begin();
    else this.current.open(name);
  }

  close(name: string): void {
    this.current.close(name);
    if (name !== 'si') return;
    if (this.texts.length === MAX_TEXTS) throw new Unreadable('manyTexts');
    this.texts.push(this.current.value);
  }

  text(text: string): void {
    this.current.text(text);
  }
}
