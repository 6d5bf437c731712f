/** Rejects with the reason of the first replica at these management addresses that is not ready. */
export async function allReady(urls: readonly string[]): Promise<true> {
  for (const url of urls) {
    const answer = await fetch(`${url}/readyz`);
    if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  }
  return true;
}
