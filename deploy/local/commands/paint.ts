import { styleText } from 'node:util';
import type { Paint } from '../logs/log-line.js';

/** Colours where the terminal and NO_COLOR allow them. */
export const paint: Paint = (color, text) => styleText(color, text);
