/** What controls a terminal must not reach it from outside: every control character of `text` as its escape, such as \u001b. */
export const visible = (text: string): string => text.replaceAll(/\p{Cc}/gu, escaped);

/** The same, but for what breaks lines and sets tabs. */
export const visibleLines = (text: string): string => text.replaceAll(/[^\P{Cc}\n\r\t]/gu, escaped);

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
