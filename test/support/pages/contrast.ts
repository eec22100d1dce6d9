/** Measures the contrast of each text of the gallery with what is painted behind it, as the browser has computed both. */

export interface TextPair {
  text: string;
  ratio: number;
  required: number;
  color: string;
  background: string;
  /** The scene of the gallery and the color scheme. */
  scene: string;
}

type Color = readonly [red: number, green: number, blue: number, alpha: number];

const parentOf = (element: Element): Element | null =>
  element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;

const luminance = (color: Color): number => {
  const [red, green, blue] = color.slice(0, 3).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};

const contrast = (one: Color, other: Color): number => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

const over = ([red, green, blue, alpha]: Color, [r, g, b]: Color, opacity = 1): Color => {
  const share = alpha * opacity;
  return [red * share + r * (1 - share), green * share + g * (1 - share), blue * share + b * (1 - share), 1];
};

/** Disabled controls are exempt, and hidden texts have no color. */
const isExempt = (element: Element): boolean =>
  element.matches(':disabled, :disabled *, .visually-hidden, .visually-hidden *') ||
  !element.checkVisibility({ visibilityProperty: true });

interface Meter {
  readonly low: TextPair[];
  pairs: number;
  readonly context: CanvasRenderingContext2D;
  /** The colors that were converted before. */
  readonly known: Map<string, Color>;
}

/** Colors come as `rgb()`, `oklab()` or `color()`, so a canvas converts them. */
const toColor = ({ known, context }: Meter, css: string): Color => {
  const before = known.get(css);
  if (before) return before;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = css;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const color: Color = [red!, green!, blue!, alpha! / 255];
  known.set(css, color);
  return color;
};

const backgroundOf = (meter: Meter, element: Element | null): Color => {
  if (!element) return [255, 255, 255, 1];
  const own = toColor(meter, getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own : over(own, backgroundOf(meter, parentOf(element)));
};

/** Returns the product of the opacities around a text. */
const opacityOf = (element: Element | null): number => {
  return element ? Number(getComputedStyle(element).opacity) * opacityOf(parentOf(element)) : 1;
};

const measure = (meter: Meter, element: Element, text: string, style: CSSStyleDeclaration): void => {
  const opacity = opacityOf(element);
  if (opacity === 0 || !text.trim() || isExempt(element)) return;
  meter.pairs++;
  const background = backgroundOf(meter, element);
  const color = over(toColor(meter, style.color), background, opacity);
  const size = Number.parseFloat(style.fontSize);
  const required = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  const ratio = contrast(color, background);
  if (ratio >= required - 0.005) return;
  const { host } = element.getRootNode() as ShadowRoot;
  meter.low.push({
    text: text.trim().slice(0, 40),
    ratio: Math.round(ratio * 100) / 100,
    required,
    color: color.map(Math.round).join(' '),
    background: background.map(Math.round).join(' '),
    scene: `${host.closest('section')!.id}, ${host.getAttribute('color-scheme')}, ${element.localName}.${element.className}`,
  });
};

/** Measures the texts of an element: its own, generated ones, and the value or the placeholder of a field. */
const measureElement = (meter: Meter, element: Element): void => {
  const own = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data);
  measure(meter, element, own.join(''), getComputedStyle(element));
  for (const pseudo of ['::before', '::after']) {
    const style = getComputedStyle(element, pseudo);
    const isShown = style.display !== 'none' && style.visibility === 'visible' && style.clipPath === 'none';
    if (isShown && /^"[^"]*[\p{L}\p{N}✓][^"]*"/u.test(style.content)) measure(meter, element, style.content, style);
  }
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
  const style = element.value ? getComputedStyle(element) : getComputedStyle(element, '::placeholder');
  measure(meter, element, element.value || element.placeholder, style);
};

/** The functions that the page needs, which does not have this module. Classes would need helpers of the compiler. */
const functions = {
  parentOf,
  luminance,
  contrast,
  over,
  isExempt,
  toColor,
  backgroundOf,
  opacityOf,
  measure,
  measureElement,
};

/** The script that returns the number of texts in all scenes, and those whose contrast is below that of WCAG AA. */
export const findLowContrast = `(() => {
  ${Object.entries(functions)
    .map(([name, value]) => `const ${name} = ${String(value)};`)
    .join('\n')}
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const meter = { low: [], pairs: 0, context, known: new Map() };
  // A page of the transcript that is out of view has no styles: each question for one would make the browser compute them again.
  const styles = new CSSStyleSheet();
  styles.replaceSync('* { content-visibility: visible !important }');
  for (const { shadowRoot } of document.querySelectorAll('gallery-chat')) shadowRoot.adoptedStyleSheets.push(styles);
  for (const chat of document.querySelectorAll('gallery-chat'))
    for (const element of chat.shadowRoot.querySelectorAll('*'))
      if (!element.closest('style, svg')) measureElement(meter, element);
  return { pairs: meter.pairs, low: meter.low };
})()`;
