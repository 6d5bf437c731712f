/** A conventional commit: `type(scope)!: subject`, with the footer BREAKING CHANGE if it has one. */
export interface Commit {
  hash: string;
  type: string;
  scope: string | null;
  subject: string;
  /** What breaks, or null. */
  breaks: string | null;
}

const HEADING = /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/;
// Up to an empty line, another footer or the end.
const FOOTER = /^BREAKING[ -]CHANGE: ([^]+?)(?=\n\n|\n[A-Z][\w-]*: |(?![^]))/m;

/** Null for a message of another form, such as that of a merge. */
export function commitOf(hash: string, message: string): Commit | null {
  const [heading = '', ...rest] = message.trim().split('\n');
  const [, type, scope = null, mark, subject] = HEADING.exec(heading) ?? [];
  if (type === undefined || subject === undefined) return null;
  const footer = FOOTER.exec(rest.join('\n'))?.[1]?.replaceAll(/\s+/g, ' ').trim();
  return { hash, type, scope, subject, breaks: footer ?? (mark ? subject : null) };
}

const GROUPS = { feat: 'Features', fix: 'Fixes', perf: 'Performance' };

/** The notes of a release in Markdown; `breaks`: what the comparison with the last release found. */
export function notes(version: string, commits: readonly Commit[], breaks: readonly string[]): string {
  const line = ({ hash, scope, subject }: Commit, text = subject) =>
    `- ${scope === null ? '' : `**${scope}**: `}${text} (${hash})`;
  const breaking = commits.flatMap((commit) => (commit.breaks === null ? [] : [line(commit, commit.breaks)]));
  const groups: [title: string, lines: string[]][] = [
    ['Breaking changes', [...breaking, ...breaks.map((sentence) => `- ${sentence}`)]],
    ...Object.entries(GROUPS).map(([type, title]): [string, string[]] => [
      title,
      commits.filter((commit) => commit.type === type && commit.breaks === null).map((commit) => line(commit)),
    ]),
  ];
  const chapters = groups.filter(([, lines]) => lines.length > 0);
  return [`# ${version}`, ...chapters.flatMap(([title, lines]) => ['', `## ${title}`, '', ...lines]), ''].join('\n');
}
