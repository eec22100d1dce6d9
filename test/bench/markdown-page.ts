/** The page of the Markdown benchmark: it streams texts into views and measures each update. */
import { MarkdownView } from '../../src/markdown/view.ts';
import { generateReply } from '../unit/markdown/generate.ts';
import { hostileTexts } from '../unit/markdown/hostile.ts';

interface Cost {
  /** Milliseconds in total, and of the slowest update. */
  total: number;
  worst: number;
}

const step = 5;
const runCount = 3;
const labels = {
  code: { copy: 'Copy', copied: 'Copied', table: 'Show whole table', code: (language: string) => language },
  problems: { network: 'The connection failed.' },
  tools: { failed: (title: string) => title },
};

const measureOnce = (
  text: string,
  update: (container: HTMLElement) => (text: string, final: boolean) => void,
): Cost => {
  const container = document.createElement('div');
  const draw = update(container);
  const cost = { total: 0, worst: 0 };
  for (let end = step; end < text.length + step; end += step) {
    const shown = text.slice(0, end);
    const started = performance.now();
    draw(shown, end >= text.length);
    const time = performance.now() - started;
    cost.total += time;
    cost.worst = Math.max(cost.worst, time);
  }
  return cost;
};

/** Returns the best of a few runs, because garbage collection and other processes only add time. */
const measure = (text: string, update: Parameters<typeof measureOnce>[1]): Cost => {
  const runs = Array.from({ length: runCount }, () => measureOnce(text, update));
  return { total: Math.min(...runs.map(({ total }) => total)), worst: Math.min(...runs.map(({ worst }) => worst)) };
};

const markdown = (container: HTMLElement): ((text: string, final: boolean) => void) => {
  const view = new MarkdownView(container, { labels });
  return (text, final) => view.update(text, final);
};

/** The baseline: one paragraph for each block, whose text is set as it grows. */
const paragraphs = (container: HTMLElement): ((text: string) => void) => {
  return (text) => {
    const blocks = text.slice(text.lastIndexOf('\n\n') + 1);
    const last = text.split('\n\n').length;
    while (container.children.length < last) container.append(document.createElement('p'));
    container.lastElementChild!.textContent = blocks;
  };
};

const proseParagraph = (length: number): string =>
  'The order was sent this **morning** and will reach you in `two` or three days. '
    .repeat(length / 70)
    .slice(0, length);

export const runBench = async (): Promise<string[]> => {
  // A page loads this code with the first block, number or address that needs it.
  const texts = { 'a reply': generateReply, 'one paragraph': proseParagraph, ...hostileTexts };
  measure(generateReply(8000), markdown);
  const lines = Object.entries(texts).map(([name, make]) => {
    const { worst } = measure(make(10_000), markdown);
    const small = measure(make(8000), markdown).total;
    const large = measure(make(64_000), markdown).total;
    const exponent = Math.log(large / small) / Math.log(8);
    const columns = [worst, small, large].map((value) => value.toFixed(1).padStart(8));
    return `${name.padEnd(46)}${columns.join('')}${exponent.toFixed(2).padStart(8)}`;
  });
  const reply = generateReply(32_000);
  const ratio = measure(reply, markdown).total / measure(reply, paragraphs).total;
  return [
    `${''.padEnd(46)}   worst   8,000  64,000  growth`,
    ...lines,
    `32,000 characters of a reply: ${ratio.toFixed(2)} times plain paragraphs (script only)`,
  ];
};
