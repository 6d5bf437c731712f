/** Resolves if all replicas at these management URLs are ready. Rejects with the reasons of the first that is not. */
export async function allReady(urls: readonly string[]): Promise<true> {
  for (const url of urls) {
    const answer = await fetch(`${url}/readyz`);
    if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  }
  return true;
}
