/** Replaces control characters by escapes such as \u001b, so that external text cannot control a terminal. */
export const escapeControlCharacters = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped);

/** Like `escapeControlCharacters`, but keeps line breaks and tabs. */
export const escapeControlCharactersInLines = (text: string): string => text.replaceAll(/[^\P{Cc}\n\r\t]/gu, escaped);

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
