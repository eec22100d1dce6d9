/** Generates random Markdown from a seed, with much complete and incomplete syntax. */

/** A seeded generator of numbers from 0 to 1 (mulberry32), so that a seed gives the same documents everywhere. */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const words =
  'a b foo bar snake_case 5*3 مرحبا عالم 你好 1. 2) - + # = 0 "q" (p) \'s … a\u00a0b http: x&y &amp; &#42; &copy; &nope; ! !a'.split(
    ' ',
  );
const inline =
  '* ** *** _ __ ___ ` `` [ ] ( ) ![ ]( ](/u) ](<b c>) ](u "t") [x] [x][] [y][x] [a](u) <http://a.b> <m@x.yz> \\ \\* \\[ \\` *a* **b** _c_ `d` ]: < > | " \' \n'.split(
    / (?! |$)/,
  );
const starts =
  '|# |## |###### |> |>|- |* |+ |1. |2. |10) |    |  |\t|- \t|```|~~~|``` js|---|***|===|- - |> - |1. > |-|*|[x]: /url|[x]: /url "title"|[y]:\n  <z>|# h #|   - |      '.split(
    '|',
  );
const gfmSyntax = [
  '~~',
  '~',
  '| a | b |',
  '|---|:-:|',
  '| `x` | y \\| z |',
  '- [ ] ',
  '- [x] ',
  '😀',
  'https://a.example/p_q?r=(s).',
  'www.b.example',
  'c@d.example',
  '|',
];

export interface GenerateOptions {
  /** Includes the syntax of GFM. */
  gfm?: boolean;
}

/** Returns `count` documents of a few lines each. */
export const generateDocuments = (seed: number, count: number, { gfm = false }: GenerateOptions = {}): string[] => {
  const random = randomNumbers(seed);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  const line = (): string => {
    let text = random() < 0.5 ? pick(starts) : '';
    if (random() < 0.2) text += pick(starts);
    for (let parts = Math.floor(random() * 7); parts > 0; parts--) {
      const kind = random();
      text += kind < 0.45 ? pick(words) : gfm && kind < 0.6 ? pick(gfmSyntax) : pick(inline);
      if (random() < 0.4) text += ' ';
    }
    return text;
  };
  return Array.from({ length: count }, () => {
    let text = '';
    for (let lines = 1 + Math.floor(random() * 9); lines > 0; lines--)
      text += line() + (random() < 0.2 ? '\n\n' : '\n');
    return random() < 0.5 ? text : text.trimEnd();
  });
};

const prose =
  'The order was sent this morning and will reach you in two or three days, as the carrier **confirmed** to us. You can follow it at [the tracking page](https://example.com/track) or with `track 42`. وصلت الطلبية إلى المدينة اليوم، وسنخبرك عند التسليم. ';

/** Returns a long reply in the style of an assistant. */
export const generateReply = (length: number): string => {
  let text = '';
  for (let section = 1; text.length < length; section++) {
    text += `## Section ${section}\n\n${prose}${prose}\n\n- First *point*\n- Second point with \`code\`\n  1. nested\n  2. ثانٍ\n\n`;
    text += `| Name | Price |\n|:--|--:|\n| Tea | 3 |\n| قهوة | 4 |\n\n> ${prose}\n\n\`\`\`js\nconst reply = ${section};\n\nsend(reply);\n\`\`\`\n\n`;
  }
  return text.slice(0, length);
};
