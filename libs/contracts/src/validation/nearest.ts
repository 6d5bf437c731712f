/** Longer words are not typing errors, and comparing them would cost too much. */
const MAX_LENGTH = 64;

const plain = (word: string): string => word.toLowerCase().replaceAll(/[_\s-]/g, '');

/**
 * The candidate that `word` was probably meant to be: at most a third of its letters differ, ignoring case and separators; otherwise null.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const [a, b] = [plain(word), plain(candidate)];
    const distance = editDistance(a, b);
    const slips = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
    if (distance <= slips && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

// Damerau-Levenshtein (optimal string alignment): insertions, deletions, substitutions and swaps of neighbors. Libraries for the plain
// Levenshtein distance count a swap as two, so that "liens" would not match "lines".
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
