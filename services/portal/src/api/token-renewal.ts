type Send = (request: Request) => Promise<Response>;

const TOKEN = 'X-User-Token';

/** Source of tokens: the current one, and a new one. Both reject if the session is over. */
export interface TokenSource {
  token: () => Promise<string>;
  renew: () => Promise<string>;
}

/**
 * Repeats a request once with a new token if the API refuses the first token, for example because of a wrong clock, a laptop that slept
 * or rotated keys. Without a new token, the caller gets the refusal; the live stream gets the error, after which it asks again: an
 * unreachable identity provider must not end it.
 */
export const withTokenRenewal =
  ({ token, renew }: TokenSource, send: Send): Send =>
  async (request) => {
    // A body can only be read once.
    const again = request.clone();
    const response = await send(request);
    if (response.status !== 401) return response;
    const used = request.headers.get(TOKEN);
    try {
      const present = await token();
      again.headers.set(TOKEN, present === used ? await renew() : present);
    } catch (error) {
      if (request.headers.get('Accept') === 'text/event-stream') throw error;
      return response;
    }
    await response.body?.cancel();
    return send(again);
  };
