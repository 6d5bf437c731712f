import { parse } from 'yaml';
import { readText, withTable } from './tables.js';

interface Rules {
  groups: { rules: { alert?: string; labels?: { severity: string }; annotations?: { summary: string } }[] }[];
}

const RULES = 'deploy/helm/po-collaboration/files/alerts.yaml';
const DOCUMENT = 'deploy/observability/README.md';

/** The observability document by path from the root, with the table of alerts and runbooks. */
export function alertsDocument(): Record<string, string> {
  const { groups } = parse(readText(RULES)) as Rules;
  const rows = groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, labels, annotations }) =>
      alert ? [[`[${alert}](runbooks/${alert}.md)`, labels?.severity ?? '', annotations?.summary ?? '']] : [],
    );
  return { [DOCUMENT]: withTable(readText(DOCUMENT), 'alerts', [['alert', 'severity', 'when'], ...rows]) };
}
