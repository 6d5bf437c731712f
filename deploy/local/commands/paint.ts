import { styleText } from 'node:util';
import type { Paint } from '../logs/log-line.js';

/** Colors the text if the terminal and NO_COLOR allow it. */
export const paint: Paint = (color, text) => styleText(color, text);
