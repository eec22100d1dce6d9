/** Texts that are slow to parse for a careless parser, because each repeats a construct that it would scan again. */

const repeat = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const halves = (first: string, second: string, length: number): string =>
  repeat(first, length / 2) + repeat(second, length / 2);

export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'openers of formulas': (length) => repeat('$a \\(b \\[c ', length),
  'openers of formulas in brackets': (length) => repeat('\\[', length),
  prices: (length) => repeat('$5 and ', length),
  'formulas in lines of their own': (length) => repeat('$$\na\n', length),
  'nested quotes': (length) => repeat('> ', length),
  'nested quotes, line after line': (length) => repeat(`${'> '.repeat(40)}a\n`, length),
  'nested lists in one line': (length) => repeat('- ', length),
  'nested lists, deeper by line': (length) =>
    Array.from({ length: Math.ceil(Math.sqrt(length)) }, (_, depth) => `${' '.repeat(2 * depth)}- a\n`)
      .join('')
      .slice(0, length),
  'openers of emphasis': (length) => repeat('*a ', length),
  'openers, then closers': (length) => halves('*a ', 'a* ', length),
  'openers of both kinds': (length) => repeat('*a _b ', length),
  'runs that open and close': (length) => repeat('a**b', length),
  'runs of three that never match': (length) => repeat('a***b_c ', length),
  'one long run': (length) => repeat('*', length),
  'one long run, then text': (length) => halves('*', 'a', length),
  'strikethrough openers': (length) => repeat('~~a ', length),
  'opening brackets': (length) => repeat('[', length),
  'brackets, then closed': (length) => halves('[', ']', length),
  'brackets around labels': (length) => repeat('[a][b', length),
  'undefined references': (length) => repeat('[a] ', length),
  'links without an end': (length) => repeat('[a](b', length),
  'links with a title without an end': (length) => repeat('[a](b "', length),
  'nested images': (length) => halves('![', '](u)', length),
  'emphasis in brackets': (length) => repeat('[*a_ ', length),
  'parentheses in a destination': (length) => `[a](${repeat('(', length)}`,
  'backtick runs of growing length': (length) =>
    Array.from({ length: Math.ceil(Math.sqrt(2 * length)) }, (_, count) => `${'`'.repeat(count + 1)}a`)
      .join('')
      .slice(0, length),
  'single backticks and pairs': (length) => repeat('`a``', length),
  'an open code span': (length) => `a \`${repeat('b c ', length)}`,
  entities: (length) => repeat('&amp;', length),
  'entities without an end': (length) => repeat('&a', length),
  'angle brackets': (length) => repeat('<a', length),
  'addresses in angle brackets without an end': (length) => repeat('<a:b ', length),
  'hosts that are none': (length) => repeat('(www._', length),
  'a URL of parentheses': (length) => `https://a.example/${repeat('()', length)}`,
  'a URL and punctuation': (length) => `https://a.example/${repeat(').', length)}`,
  'a URL and semicolons': (length) => `https://a.example/${halves('&a', ';', length)}`,
  'a name in a URL and semicolons': (length) => `https://a.example/&${halves('a', ';', length)}`,
  'underscores in a host': (length) => `https://${repeat('_', length)}.a.b.example`,
  'at signs': (length) => repeat('a@', length),
  'a long local part': (length) => repeat('a.', length),
  backslashes: (length) => repeat('\\', length),
  'header pipes': (length) => repeat('|a', length),
  'a wide table': (length) => `${repeat('|a', length / 2)}\n${repeat('|-', length / 2)}\n`,
  'short rows under a wide header': (length) => `${'|a'.repeat(90)}\n${'|-'.repeat(90)}\n${repeat('|\n', length)}`,
  'delimiter rows in a paragraph': (length) => repeat('a|b|c\n|-|\n', length),
  'table rows': (length) => `|a|b|\n|-|-|\n${repeat('|a|`b|\n', length)}`,
  'spaces in a heading': (length) => `# ${repeat(' ', length)}#a`,
  'blank lines in code': (length) => `    a\n${repeat('\n', length)}    b`,
  'lines of a paragraph': (length) => repeat('a\n', length),
  'an open emphasis around a long text': (length) => `**${repeat('word ', length)}`,
  definitions: (length) =>
    Array.from({ length: Math.ceil(length / 12) }, (_, index) => `[a${index}]: /u\n`)
      .join('')
      .slice(0, length),
  'references, then their definitions': (length) => {
    const numbers = Array.from({ length: Math.ceil(length / 24) }, (_, index) => index);
    return (
      numbers.map((index) => `[a${index}]\n\n`).join('') + numbers.map((index) => `[a${index}]: /u\n`).join('')
    ).slice(0, length);
  },
  'delimiters that only a second look pairs': (length) => repeat('**a:**b ', length),
  'delimiters that no look pairs': (length) => repeat('a**(b ', length),
  'closers after one opener': (length) => `**a ${repeat('b* ', length)}`,
  'comments without an end': (length) => repeat('a <!-- b\n', length),
  'thoughts in one line': (length) => repeat('<think>a</think>b', length),
  'backticks beside tags': (length) => repeat('`<br>``', length),
  'tags without an end': (length) => repeat('<br ', length),
  'direction marks': (length) => repeat('\u200f', length),
  'direction marks, line after line': (length) => repeat('\u200f- a\u200f\n', length),
  'destinations with spaces': (length) => repeat('[a](https://b.example/c d ', length),
  'URLs in quotation marks': (length) => repeat('"https://a.example', length),
  'a URL of brackets': (length) => `https://a.example/${repeat('[]{}', length)}`,
  'a URL beside letters': (length) => repeat('https://a.exampleم', length),
  'a fence': (length) => `\`\`\`\n${repeat('const a = 1;\n', length)}`,
};
