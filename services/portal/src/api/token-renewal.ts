type Send = (request: Request) => Promise<Response>;

const TOKEN = 'X-User-Token';

/** Where tokens come from: the one that is good for now, and a new one. Both reject when the session is over. */
export interface TokenSource {
  token: () => Promise<string>;
  renew: () => Promise<string>;
}

/**
 * Sends a request again, once, with a new token where the API does not take the one that it had: a clock was wrong, a laptop slept, keys
 * were changed. Where there is no new token the refusal is the answer.
 */
export const withTokenRenewal =
  ({ token, renew }: TokenSource, send: Send): Send =>
  async (request) => {
    // A body can be read once.
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401) return response;
    const used = request.headers.get(TOKEN);
    try {
      const present = await token();
      again.headers.set(TOKEN, present === used ? await renew() : present);
    } catch {
      return response;
    }
    await response.body?.cancel();
    return send(again);
  };
