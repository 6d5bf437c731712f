const ORDER_PATH = '/purchase-orders/{poRef}';
const MAX_KNOWN = 1_000;

/** The ETag that each order had when this client last saw it: what a write is conditional on. */
export class EntityTags {
  private readonly known = new Map<string, string>();

  /** Undefined for a path that is no order's, and for an order that was not read yet. */
  of(path: string, poRef: unknown): string | undefined {
    return isOrder(path, poRef) ? this.known.get(poRef.toUpperCase()) : undefined;
  }

  /** What a good answer says. A refusal's ETag is of a version that nobody has looked at. */
  learn(path: string, poRef: unknown, response: Response): void {
    const tag = response.headers.get('etag');
    if (tag === null || !response.ok || !isOrder(path, poRef)) return;
    const key = poRef.toUpperCase();
    // Set anew, so that the first one is the one that was not used for longest.
    this.known.delete(key);
    this.known.set(key, tag);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

function isOrder(path: string, poRef: unknown): poRef is string {
  return typeof poRef === 'string' && (path === ORDER_PATH || path.startsWith(`${ORDER_PATH}/`));
}
