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

class ContrastMeter {
  readonly low: TextPair[] = [];
  pairs = 0;
  readonly #context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })!;
  readonly #known = new Map<string, Color>();

  /** Colors come as `rgb()`, `oklab()` or `color()`, so a canvas converts them. */
  #toColor(css: string): Color {
    const before = this.#known.get(css);
    if (before) return before;
    this.#context.clearRect(0, 0, 1, 1);
    this.#context.fillStyle = css;
    this.#context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.#context.getImageData(0, 0, 1, 1).data;
    const color: Color = [red!, green!, blue!, alpha! / 255];
    this.#known.set(css, color);
    return color;
  }

  #backgroundOf(element: Element | null): Color {
    if (!element) return [255, 255, 255, 1];
    const own = this.#toColor(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, this.#backgroundOf(parentOf(element)));
  }

  /** Returns the product of the opacities around a text. */
  #opacityOf(element: Element | null): number {
    return element ? Number(getComputedStyle(element).opacity) * this.#opacityOf(parentOf(element)) : 1;
  }

  #measure(element: Element, text: string, style: CSSStyleDeclaration): void {
    const opacity = this.#opacityOf(element);
    if (opacity === 0 || !text.trim() || isExempt(element)) return;
    this.pairs++;
    const background = this.#backgroundOf(element);
    const color = over(this.#toColor(style.color), background, opacity);
    const size = Number.parseFloat(style.fontSize);
    const required = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = contrast(color, background);
    if (ratio >= required - 0.005) return;
    const { host } = element.getRootNode() as ShadowRoot;
    this.low.push({
      text: text.trim().slice(0, 40),
      ratio: Math.round(ratio * 100) / 100,
      required,
      color: color.map(Math.round).join(' '),
      background: background.map(Math.round).join(' '),
      scene: `${host.closest('section')!.id}, ${host.getAttribute('color-scheme')}, ${element.localName}.${element.className}`,
    });
  }

  /** Measures the texts of an element: its own, generated ones, and the value or the placeholder of a field. */
  measureElement(element: Element): void {
    const own = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data);
    this.#measure(element, own.join(''), getComputedStyle(element));
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      const isShown = style.display !== 'none' && style.visibility === 'visible' && style.clipPath === 'none';
      if (isShown && /^"[^"]*[\p{L}\p{N}✓][^"]*"/u.test(style.content)) this.#measure(element, style.content, style);
    }
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
    const style = element.value ? getComputedStyle(element) : getComputedStyle(element, '::placeholder');
    this.#measure(element, element.value || element.placeholder, style);
  }
}

/**
 * The script that returns the number of texts in all scenes, and those whose contrast is below that of WCAG AA. It runs in the
 * page, which does not have this module.
 */
export const findLowContrast = `(() => {
  const [parentOf, luminance, over, isExempt] = [${[parentOf, luminance, over, isExempt].map(String).join(', ')}];
  const contrast = ${String(contrast)};
  ${String(ContrastMeter)}
  const meter = new ContrastMeter();
  for (const chat of document.querySelectorAll('gallery-chat'))
    for (const element of chat.shadowRoot.querySelectorAll('*'))
      if (!element.closest('style, svg')) meter.measureElement(element);
  return { pairs: meter.pairs, low: meter.low };
})()`;
