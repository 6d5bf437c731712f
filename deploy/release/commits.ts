/** A conventional commit: `type(scope)!: subject`, with an optional footer BREAKING CHANGE. */
export interface Commit {
  hash: string;
  type: string;
  scope: string | null;
  subject: string;
  /** Description of the breaking change, or null. */
  breakingChange: string | null;
}

const HEADING = /^(\w+)(?:\(([^)]+)\))?(!)?: (.+)$/;
// Ends at an empty line, another footer or the end of the message.
const FOOTER = /^BREAKING[ -]CHANGE: ([^]+?)(?=\n\n|\n[A-Z][\w-]*: |(?![^]))/m;

/** Parses a commit message; null if it is not conventional, such as that of a merge. */
export function commitOf(hash: string, message: string): Commit | null {
  const [heading = '', ...rest] = message.trim().split('\n');
  const [, type, scope = null, mark, subject] = HEADING.exec(heading) ?? [];
  if (type === undefined || subject === undefined) return null;
  const footer = FOOTER.exec(rest.join('\n'))?.[1]?.replaceAll(/\s+/g, ' ').trim();
  return { hash, type, scope, subject, breakingChange: footer ?? (mark ? subject : null) };
}

const GROUPS = { feat: 'Features', fix: 'Fixes', perf: 'Performance' };

/**
 * Release notes in Markdown. `breakingChanges`: breaking changes found by the comparison with the last release. `changedPermissionFiles`:
 * changed files of permissions in the stores.
 */
export function releaseNotes(
  version: string,
  commits: readonly Commit[],
  breakingChanges: readonly string[],
  changedPermissionFiles: readonly string[],
): string {
  const line = ({ hash, scope, subject }: Commit, text = subject) =>
    `- ${scope === null ? '' : `**${scope}**: `}${text} (${hash})`;
  const breaking = commits.flatMap((commit) =>
    commit.breakingChange === null ? [] : [line(commit, commit.breakingChange)],
  );
  const groups: [title: string, lines: string[]][] = [
    ['Apply before the upgrade', changedPermissionFiles.map((path) => `- \`${path}\``)],
    ['Breaking changes', [...breaking, ...breakingChanges.map((sentence) => `- ${sentence}`)]],
    ...Object.entries(GROUPS).map(([type, title]): [string, string[]] => [
      title,
      commits.filter((commit) => commit.type === type && commit.breakingChange === null).map((commit) => line(commit)),
    ]),
  ];
  const chapters = groups.filter(([, lines]) => lines.length > 0);
  return [`# ${version}`, ...chapters.flatMap(([title, lines]) => ['', `## ${title}`, '', ...lines]), ''].join('\n');
}
