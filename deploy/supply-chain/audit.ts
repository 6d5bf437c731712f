import { execFile } from 'node:child_process';
import { childEnvironment } from '#local/config.js';

/** An advisory that was reviewed and accepted until a date. */
export interface Acceptance {
  /** Advisory id, such as GHSA-xxxx-xxxx-xxxx. */
  advisory: string;
  package: string;
  reason: string;
  /** Last day of the acceptance, YYYY-MM-DD. */
  until: string;
}

interface Advisory {
  title: string;
  url: string;
  severity: string;
  range: string;
}
/** Output of `npm audit --json`; without `vulnerabilities` if the registry did not answer. */
export interface AuditReport {
  message?: string;
  vulnerabilities?: Record<string, { via: (Advisory | string)[] }>;
}

/** Runs npm audit for the deployed packages and for the packages, by name, that are bundled in the portal's files. */
export async function requestAudit(
  cwd: string,
  bundled: ReadonlySet<string>,
  more: readonly string[] = [],
): Promise<AuditReport> {
  const deployed = await npmAudit(cwd, ['--omit=dev', ...more]);
  // For npm, the packages bundled in the portal are development dependencies.
  const all = await npmAudit(cwd, ['--include=dev', ...more]);
  const unanswered = [deployed, all].find(({ vulnerabilities }) => vulnerabilities === undefined);
  if (unanswered) return unanswered;
  const ofPortal = Object.entries(all.vulnerabilities ?? {}).filter(([name]) => bundled.has(name));
  return { vulnerabilities: { ...Object.fromEntries(ofPortal), ...deployed.vulnerabilities } };
}

function npmAudit(cwd: string, options: readonly string[]): Promise<AuditReport> {
  return new Promise((resolve, reject) => {
    const args = ['audit', '--json', '--loglevel=silent', ...options];
    execFile('npm', args, { cwd, env: childEnvironment({}), maxBuffer: 64 * 1024 * 1024 }, (error, output) => {
      try {
        resolve(JSON.parse(output) as AuditReport);
      } catch {
        reject(error ?? new Error(`npm audit printed no JSON: ${output}`));
      }
    });
  });
}

/** Reasons not to release the deployed packages, each as a sentence; `today` as YYYY-MM-DD. Throws if the registry did not answer. */
export function auditProblems(report: AuditReport, accepted: readonly Acceptance[], today: string): string[] {
  if (report.vulnerabilities === undefined) {
    throw new Error(
      `the registry's audit endpoint did not answer, so nothing is known: ${report.message ?? 'no reason given'}\n` +
        'use a registry that has one: npm run supply-chain -- audit --registry URL',
    );
  }
  const found = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.filter((one) => typeof one !== 'string').map((one) => ({ ...one, package: name, id: idOf(one) })),
  );
  const isFor = (acceptance: Acceptance) => (one: (typeof found)[number]) =>
    one.id === acceptance.advisory && one.package === acceptance.package;
  const open = found.filter((one) => !accepted.some((acceptance) => isFor(acceptance)(one)));
  return [
    ...open.map(({ id, severity, title, range, ...one }) => `${one.package} ${range}: ${severity}, ${title} (${id})`),
    ...accepted.flatMap((acceptance) => {
      if (!found.some(isFor(acceptance)))
        return `${acceptance.advisory} of ${acceptance.package} is accepted but no longer reported: remove it`;
      const over = `${acceptance.advisory} of ${acceptance.package} was accepted until ${acceptance.until}: ${acceptance.reason}`;
      return acceptance.until < today ? over : [];
    }),
  ];
}

const idOf = ({ url }: Advisory): string => url.split('/').at(-1) ?? url;
