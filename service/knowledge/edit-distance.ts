/**
 * The edit distance of two words (Damerau–Levenshtein): the number of letters to insert, delete, replace or swap with
 * their neighbor.
 */

export const editDistance = (from: string, to: string): number => {
  const a = Array.from(from);
  const b = Array.from(to);
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(back[j]! + 1, row[j - 1]! + 1, back[j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, twoBack[j - 2]! + 1);
      }
    }
    twoBack = back;
    back = row;
  }
  return back[b.length]!;
};
