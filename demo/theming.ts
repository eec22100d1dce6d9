/** The script of the theme studio: it sets custom properties on the gallery, measures contrast, and creates the CSS. */
import { scenes } from './gallery-scenes.ts';

interface Token {
  name: string;
  label: string;
  /** `colours` has one value for light pages and one for dark pages. */
  kind: 'colour' | 'colours' | 'text';
  /** The widget's own values, which are shown until the user changes them. */
  initial: readonly string[];
}

const tokens: readonly Token[] = [
  { name: 'accent', label: 'Accent', kind: 'colour', initial: ['#2f5fd0'] },
  { name: 'surface', label: 'Surface, light and dark', kind: 'colours', initial: ['#ffffff', '#17181c'] },
  { name: 'text', label: 'Text, light and dark', kind: 'colours', initial: ['#1a1c22', '#eef0f4'] },
  { name: 'muted', label: 'Quiet text, light and dark', kind: 'colours', initial: ['#5a6070', '#a4abb9'] },
  { name: 'visitor-bubble', label: 'Visitor’s bubble', kind: 'colours', initial: ['#2f5fd0', '#2f5fd0'] },
  { name: 'agent-bubble', label: 'Agent’s bubble', kind: 'colours', initial: ['#ebeef5', '#252a35'] },
  { name: 'border', label: 'Lines, light and dark', kind: 'colours', initial: ['#dfe2e9', '#383c46'] },
  { name: 'font', label: 'Font', kind: 'text', initial: ['system-ui, sans-serif'] },
  { name: 'font-size', label: 'Font size', kind: 'text', initial: ['medium'] },
  { name: 'radius', label: 'Panel’s corners', kind: 'text', initial: ['1.125em'] },
  { name: 'bubble-radius', label: 'Bubbles’ corners', kind: 'text', initial: ['1.125em'] },
  { name: 'space', label: 'Space', kind: 'text', initial: ['1em'] },
];

/** Pairs of colours with the required contrast ratio (WCAG 1.4.3 and 1.4.11), by the widget's internal names. */
const pairs: readonly (readonly [label: string, front: string, back: string, required: number])[] = [
  ['Text', '--_text', '--_surface', 4.5],
  ['Quiet text', '--_muted', '--_surface', 4.5],
  ['Links', '--_accent-text', '--_surface', 4.5],
  ['Button', '--_on-accent', '--_accent', 4.5],
  ['Visitor', '--_on-visitor-bubble', '--_visitor-bubble', 4.5],
  ['Agent', '--_on-agent-bubble', '--_agent-bubble', 4.5],
  ['Agent’s links', '--_accent-text', '--_agent-bubble', 4.5],
  ['Danger', '--_danger', '--_surface', 4.5],
  ['Outlines', '--_outline', '--_surface', 3],
];

const find = (selector: string): Element => document.querySelector(selector)!;

const form = find('#tokens') as HTMLFormElement;
const frame = find('#preview') as HTMLIFrameElement;
const chosen = new Map<string, string[]>();

const valueOf = ({ name, kind }: Token): string | null => {
  const values = chosen.get(name);
  if (!values) return null;
  return kind === 'colours' && values[0] !== values[1] ? `light-dark(${values[0]}, ${values[1]})` : values[0]!;
};

const declarations = (): string =>
  tokens
    .flatMap((token) => {
      const value = valueOf(token);
      return value ? [`  --workspace-chat-${token.name}: ${value};`] : [];
    })
    .join('\n');

/** Returns red, green and blue of any CSS colour, from 0 to 1. */
const channels = (colour: string): number[] => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return Array.from(context.getImageData(0, 0, 1, 1).data.slice(0, 3), (channel) => channel / 255);
};

const luminance = (colour: string): number => {
  const [red, green, blue] = channels(colour).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

/** Measures the ratios of all pairs on a rendered widget of one scheme. Returns null before a widget exists. */
const measure = (scheme: string): number[] | null => {
  const widget = frame.contentDocument?.querySelector(`[color-scheme=${scheme}]`);
  const root = widget?.shadowRoot;
  if (!root) return null;
  const probe = document.createElement('span');
  root.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const ratios = pairs.map(([, front, back]) => contrast(colour(front), colour(back)));
  probe.remove();
  return ratios;
};

const showContrast = (): void => {
  const schemes = ['light', 'dark'].map(measure);
  let failures = 0;
  const rows = pairs.map(([label, , , required], index) => {
    const row = document.createElement('tr');
    row.append(Object.assign(document.createElement('th'), { scope: 'row', textContent: label }));
    for (const ratios of schemes) {
      const ratio = ratios?.[index];
      const passes = ratio === undefined || ratio >= required;
      if (!passes) failures++;
      const cell = document.createElement('td');
      cell.className = passes ? 'pass' : 'fail';
      cell.textContent = ratio === undefined ? '…' : `${ratio.toFixed(1)} ${passes ? '✓' : `✗ needs ${required}`}`;
      row.append(cell);
    }
    return row;
  });
  find('#contrast tbody').replaceChildren(...rows);
  find('#verdict').textContent =
    failures === 0
      ? 'All pairs have enough contrast for WCAG AA.'
      : `${failures} ${failures === 1 ? 'pair is' : 'pairs are'} below the required contrast.`;
};

const apply = (): void => {
  const rules = declarations();
  find('#css').textContent = rules ? `workspace-chat {\n${rules}\n}` : '/* No property is changed. */';
  const page = frame.contentDocument;
  if (!page?.head) return;
  const style =
    page.querySelector<HTMLStyleElement>('#studio') ??
    page.head.appendChild(Object.assign(page.createElement('style'), { id: 'studio' }));
  // Hide the gallery's own header.
  style.textContent = `body > header { display: none }\ngallery-chat {\n${rules}\n}`;
  requestAnimationFrame(showContrast);
};

const renderToken = (token: Token): HTMLElement => {
  const { name, label, kind, initial } = token;
  const row = document.createElement('div');
  row.className = 'token';
  const inputs = document.createElement('span');
  inputs.className = 'inputs';
  initial.forEach((value, index) => {
    const input = document.createElement('input');
    input.type = kind === 'text' ? 'text' : 'color';
    input.value = value;
    input.name = `${name}-${index}`;
    input.setAttribute('aria-label', kind === 'colours' ? `${label}: ${index ? 'dark' : 'light'}` : label);
    inputs.append(input);
  });
  inputs.addEventListener('input', () => {
    const fields = [...inputs.querySelectorAll('input')];
    for (const field of fields) field.toggleAttribute('data-set', true);
    const values = fields.map((field) => field.value.trim());
    if (values.every(Boolean)) chosen.set(name, values);
    else chosen.delete(name);
    apply();
  });
  row.append(Object.assign(document.createElement('span'), { textContent: label }), inputs);
  return row;
};

const select = find('#scene') as HTMLSelectElement;
select.append(new Option('Everything', ''), ...scenes.map(({ id, title }) => new Option(title, id)));
select.value = 'panel-fresh';

const show = (): void => {
  frame.src = `gallery.html${select.value ? `?scene=${select.value}` : ''}`;
};

form.append(...tokens.map(renderToken));
form.addEventListener('submit', (event) => event.preventDefault());
select.addEventListener('change', show);
frame.addEventListener('load', () => {
  apply();
  // The gallery renders its widgets after its script has run.
  setTimeout(showContrast, 500);
});
find('#copy').addEventListener('click', async ({ currentTarget }) => {
  await navigator.clipboard.writeText(find('#css').textContent ?? '');
  const button = currentTarget as HTMLButtonElement;
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2000);
});
find('#reset').addEventListener('click', () => {
  chosen.clear();
  form.replaceChildren(...tokens.map(renderToken));
  apply();
});
show();
