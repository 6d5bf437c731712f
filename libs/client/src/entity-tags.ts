const ORDER_PATH = '/purchase-orders/{poRef}';
const MAX_KNOWN = 1_000;

/** The version that each order had when this client last saw it: what a write is conditional on. */
export class EntityTags {
  private readonly known = new Map<string, number>();

  /** Undefined for a path that is no order's, and for an order that was not read yet. */
  of(path: string, poRef: unknown): number | undefined {
    return isOrder(path, poRef) ? this.known.get(poRef.toUpperCase()) : undefined;
  }

  /** What a good answer says. A refusal's ETag is of a version that nobody has looked at. `before`: what was known when a read began. */
  learn(path: string, poRef: unknown, { headers }: Response, before?: number): void {
    const [version] = /\d+/.exec(headers.get('etag') ?? '') ?? [];
    if (version !== undefined && isOrder(path, poRef)) this.take(poRef, Number(version), before);
  }

  /** A version that is lower than the known one is older, unless a read found it and nothing else was heard since that began. */
  take(poRef: string, version: number, before?: number): void {
    const key = poRef.toUpperCase();
    const known = this.known.get(key);
    if (known !== undefined && version < known && known !== before) return;
    // Set anew, so that the first one is the one that was not used for longest.
    this.known.delete(key);
    this.known.set(key, version);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

function isOrder(path: string, poRef: unknown): poRef is string {
  return typeof poRef === 'string' && (path === ORDER_PATH || path.startsWith(`${ORDER_PATH}/`));
}
