/** What the gateway tells the portal to sign in with. */
export interface PortalConfiguration {
  authority: string;
  clientId: string;
  scope: string;
}

/** Asks the gateway. Rejects where it does not answer, or not with a configuration. */
export async function readConfiguration(): Promise<PortalConfiguration> {
  const response = await fetch('/portal.json');
  if (!response.ok) throw new Error(`/portal.json answered ${response.status}`);
  return (await response.json()) as PortalConfiguration;
}
