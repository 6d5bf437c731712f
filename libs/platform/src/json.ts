const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses UTF-8 JSON. Throws a SyntaxError "not UTF-8" or "not JSON" for other bytes, and never replaces or guesses a character. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = attempt('not UTF-8', () => utf8.decode(bytes));
  return attempt('not JSON', (): unknown => JSON.parse(text));
}

function attempt<T>(refusal: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new SyntaxError(refusal, { cause });
  }
}
