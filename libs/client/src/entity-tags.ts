const ORDER_PATH = '/purchase-orders/{poRef}';
const MAX_KNOWN = 1_000;

/** The last version of each order that this client has seen, on which writes are conditional. */
export class EntityTags {
  private readonly known = new Map<string, number>();

  /** Undefined for a path that is not an order's, and for an order that has not been read yet. */
  of(path: string, poRef: unknown): number | undefined {
    return isOrder(path, poRef) ? this.known.get(poRef.toUpperCase()) : undefined;
  }

  /**
   * Stores the version of a successful response. The ETag of a refusal is not used, because the caller has not seen that version. `before`:
   * version known when a read started.
   */
  record(path: string, poRef: unknown, { headers }: Response, before?: number): void {
    const [version] = /\d+/.exec(headers.get('etag') ?? '') ?? [];
    if (version !== undefined && isOrder(path, poRef)) this.take(poRef, Number(version), before);
  }

  /** Ignores a version lower than the known one, unless it is from a read and no other version was stored since that read started. */
  take(poRef: string, version: number, before?: number): void {
    const key = poRef.toUpperCase();
    const known = this.known.get(key);
    if (known !== undefined && version < known && known !== before) return;
    // Reinserted, so that the first entry is always the least recently used.
    this.known.delete(key);
    this.known.set(key, version);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

function isOrder(path: string, poRef: unknown): poRef is string {
  return typeof poRef === 'string' && (path === ORDER_PATH || path.startsWith(`${ORDER_PATH}/`));
}
