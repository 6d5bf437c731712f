import { type Logger, parseJson, backOffMs, messageOf } from '@po/platform';
import { type CryptoKey, type JWK, importJWK } from 'jose';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { jwksRefreshes } from './metrics.js';

export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export interface KeySetOptions {
  url: string;
  algorithms: readonly Algorithm[];
  /** Seconds for which a fetched set is fresh. It is refreshed in the background after about half of that. */
  maxAgeS: number;
  /** Further seconds for which the set is used while no fetch succeeds. */
  staleS: number;
  logger: Logger;
  /** Milliseconds: timeout of a fetch, first and last retry delay, and minimum interval of fetches caused by an unknown `kid`. */
  timing?: { timeoutMs: number; firstRetryMs: number; lastRetryMs: number; unknownKidMs: number };
}

/** No key set within its maximum age: no token can be judged valid or invalid. */
export class KeysUnavailableError extends Error {
  constructor() {
    super('the key set of the identity provider is not available');
    this.name = 'KeysUnavailableError';
  }
}

const TIMING = { timeoutMs: 2_000, firstRetryMs: 1_000, lastRetryMs: 10_000, unknownKidMs: 10_000 };
const MAX_BYTES = 256 * 1024;
const MIN_RSA_BITS = 2048;

const Document = z.object({ keys: z.array(z.unknown()).min(1) });

/** Schema of a key that verifies signatures; only these members are kept. A private part or another `use` disqualifies a key. */
const VerificationKey = z
  .discriminatedUnion('kty', [
    z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() }),
    z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
    z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }),
  ])
  .and(
    z.object({
      kid: z.string().min(1),
      alg: z.enum(ALGORITHMS).optional(),
      use: z.literal('sig').optional(),
      key_ops: z
        .array(z.string())
        .refine((operations) => operations.includes('verify'))
        .optional(),
      d: z.undefined().optional(),
    }),
  );
type VerificationKey = z.infer<typeof VerificationKey>;

const ALGORITHM_OF = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' } as const satisfies Record<string, Algorithm>;

interface Key {
  algorithm: Algorithm;
  key: CryptoKey;
}

/**
 * Keys of the identity provider: fetched at startup and refreshed in the background, so that no request with a known key waits; kept
 * through an outage up to a maximum age.
 */
export class KeySet {
  private keys = new Map<string, Key>();
  private fingerprint = '';
  private fetchedAt: number | null = null;
  /** Time of the last fetch caused by an unknown id. */
  private askedAt = -Infinity;
  private failures = 0;
  private failure = '';
  private refreshing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly listeners: (() => void)[] = [];
  private readonly startedAt = performance.now();
  private readonly timing: typeof TIMING;

  constructor(private readonly options: KeySetOptions) {
    this.timing = options.timing ?? TIMING;
  }

  /** Starts fetching, in the background, until `stop`. */
  start(): void {
    void this.refresh();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Calls `listener` whenever the generation changes. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Seconds since the last successful fetch, or since the start if there was none. */
  get ageS(): number {
    return (performance.now() - (this.fetchedAt ?? this.startedAt)) / 1000;
  }

  /** Changes whenever a key is added or removed. A token verified under another generation must be verified again. */
  get generation(): string {
    return this.fingerprint;
  }

  /** Ages in seconds up to which the set is fresh, and up to which it is usable. */
  get limits(): { fresh: number; usable: number } {
    const { maxAgeS, staleS } = this.options;
    return { fresh: maxAgeS, usable: maxAgeS + staleS };
  }

  /**
   * True after the first successful fetch, even if the keys are too old later; else the reason. Until then other gateways may answer
   * requests that this one would refuse.
   */
  get ready(): true | string {
    return this.fetchedAt !== null || `not fetched yet${this.failure && `: ${this.failure}`}`;
  }

  /** True while the keys may be used. */
  get available(): boolean {
    return this.fetchedAt !== null && this.ageS <= this.limits.usable;
  }

  /**
   * Returns the key of this id for this algorithm, or null. An unknown id causes a fetch, at most one per 10 s; all callers wait for a
   * fetch in progress. Rejects with KeysUnavailableError if there are no keys within the maximum age.
   */
  async find(kid: string, algorithm: Algorithm): Promise<CryptoKey | null> {
    // A fetch in progress may have started before the key was published.
    if (!this.keys.has(kid)) await this.refreshing;
    if (!this.keys.has(kid)) {
      const mayAsk = performance.now() - this.askedAt >= this.timing.unknownKidMs;
      if (mayAsk) this.askedAt = performance.now();
      await (mayAsk ? this.refresh() : this.refreshing);
    }
    if (!this.available) throw new KeysUnavailableError();
    const found = this.keys.get(kid);
    return found?.algorithm === algorithm ? found.key : null;
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.fetchOnce().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async fetchOnce(): Promise<void> {
    clearTimeout(this.timer);
    try {
      const usable = usableKeys(await download(this.options.url, this.timing.timeoutMs), this.options.algorithms);
      const fingerprint = JSON.stringify(usable);
      if (fingerprint !== this.fingerprint) {
        this.keys = await imported(usable);
        this.fingerprint = fingerprint;
        this.options.logger.info({ kids: [...this.keys.keys()] }, 'the key set changed');
        for (const listener of this.listeners) listener();
      }
      this.fetchedAt = performance.now();
      this.failures = 0;
      jwksRefreshes.inc({ result: 'success' });
    } catch (error) {
      this.failures += 1;
      this.failure = reasonOf(error as Error);
      jwksRefreshes.inc({ result: 'failure' });
      this.options.logger.warn(
        { err: error, failures: this.failures, ageS: Math.round(this.ageS), available: this.available },
        'the key set could not be fetched',
      );
    }
    this.schedule();
  }

  // Jitter only shortens the delay: gateways started together must not fetch together, and none may fetch later than configured.
  private schedule(): void {
    if (this.stopped) return;
    const { firstRetryMs, lastRetryMs } = this.timing;
    const pause =
      this.failures === 0
        ? ((this.options.maxAgeS * 1000) / 2) * (0.8 + 0.2 * Math.random())
        : backOffMs(this.failures, { initialMs: firstRetryMs, maxMs: lastRetryMs });
    this.timer = setTimeout(() => void this.refresh(), pause).unref();
  }
}

/** Registers the age metrics of the key set. Call once per process. */
export function reportAge(keys: KeySet): void {
  const limits = new Gauge({
    name: 'jwks_age_limit_seconds',
    help: 'Age above which the key set is stale (fresh), or above which no token is accepted (usable)',
    labelNames: ['limit'],
  });
  limits.set({ limit: 'fresh' }, keys.limits.fresh);
  limits.set({ limit: 'usable' }, keys.limits.usable);
  new Gauge({
    name: 'jwks_age_seconds',
    help: 'Seconds since the key set was last fetched',
    collect() {
      this.set(keys.ageS);
    },
  });
}

/** Reason of a failed fetch: `fetch` puts it in the error's cause. */
const reasonOf = (error: Error): string => messageOf(error.cause instanceof Error ? error.cause : error);

async function download(url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the key set is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`the identity provider answered ${response.status}`);
  return parseJson(Buffer.concat(chunks));
}

function usableKeys(document: unknown, algorithms: readonly Algorithm[]): VerificationKey[] {
  const usable = Document.parse(document).keys.flatMap((entry) => {
    const parsed = VerificationKey.safeParse(entry);
    if (!parsed.success) return [];
    const algorithm = ALGORITHM_OF[parsed.data.kty];
    return algorithms.includes(algorithm) && (parsed.data.alg ?? algorithm) === algorithm ? [parsed.data] : [];
  });
  const times = new Map<string, number>();
  for (const { kid } of usable) times.set(kid, (times.get(kid) ?? 0) + 1);
  const single = usable.filter(({ kid }) => times.get(kid) === 1).toSorted((a, b) => (a.kid < b.kid ? -1 : 1));
  if (single.length === 0) throw new Error('the key set holds no usable key');
  return single;
}

async function imported(usable: VerificationKey[]): Promise<Map<string, Key>> {
  const keys = new Map<string, Key>();
  for (const jwk of usable) {
    const algorithm = ALGORITHM_OF[jwk.kty];
    const key = await importOne(jwk as JWK, algorithm);
    if (key) keys.set(jwk.kid, { algorithm, key });
  }
  if (keys.size === 0) throw new Error('the key set holds no usable key');
  return keys;
}

async function importOne(jwk: JWK, algorithm: Algorithm): Promise<CryptoKey | null> {
  try {
    const key = (await importJWK(jwk, algorithm)) as CryptoKey;
    const bits = (key.algorithm as { modulusLength?: number }).modulusLength ?? MIN_RSA_BITS;
    return bits >= MIN_RSA_BITS ? key : null;
  } catch {
    // An invalid entry must not discard the valid ones.
    return null;
  }
}
