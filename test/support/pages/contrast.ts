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

/** Returns the number of texts, and those whose contrast is below that of WCAG AA. It runs in the page. */
export const findLowContrast = (): { pairs: number; low: TextPair[] } => {
  type Color = [red: number, green: number, blue: number, alpha: number];
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const known = new Map<string, Color>();
  /** Colors come as `rgb()`, `oklab()` or `color()`, so a canvas converts them. */
  const toColor = (css: string): Color => {
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
  const over = ([red, green, blue, alpha]: Color, [r, g, b]: Color, opacity = 1): Color => {
    const share = alpha * opacity;
    return [red * share + r * (1 - share), green * share + g * (1 - share), blue * share + b * (1 - share), 1];
  };
  const luminance = ([red, green, blue]: Color): number => {
    const [r, g, b] = [red, green, blue].map((channel) => {
      const value = channel / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (one: Color, other: Color): number => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };
  const parentOf = (element: Element): Element | null =>
    element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as ShadowRoot).host ?? null;
  const backgroundOf = (element: Element | null): Color => {
    if (!element) return [255, 255, 255, 1];
    const own = toColor(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, backgroundOf(parentOf(element)));
  };
  /** The product of the opacities around the text. */
  const opacityOf = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(parentOf(element)) : 1;
  /** Disabled controls are exempt, and hidden texts have no color. */
  const isExempt = (element: Element): boolean =>
    element.matches(':disabled, :disabled *, .visually-hidden, .visually-hidden *') ||
    !element.checkVisibility({ visibilityProperty: true });

  const low: TextPair[] = [];
  let pairs = 0;
  const measure = (element: Element, text: string, style: CSSStyleDeclaration): void => {
    const opacity = opacityOf(element);
    if (opacity === 0 || !text.trim() || isExempt(element)) return;
    pairs++;
    const background = backgroundOf(element);
    const color = over(toColor(style.color), background, opacity);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const required = isLarge ? 3 : 4.5;
    const ratio = contrast(color, background);
    if (ratio >= required - 0.005) return;
    const host = (element.getRootNode() as ShadowRoot).host;
    low.push({
      text: text.trim().slice(0, 40),
      ratio: Math.round(ratio * 100) / 100,
      required,
      color: color.map(Math.round).join(' '),
      background: background.map(Math.round).join(' '),
      scene: `${host.closest('section')!.id}, ${host.getAttribute('color-scheme')}, ${element.localName}.${element.className}`,
    });
  };
  for (const chat of document.querySelectorAll('gallery-chat')) {
    for (const element of chat.shadowRoot!.querySelectorAll('*')) {
      if (element.closest('style, svg')) continue;
      const own = [...element.childNodes].filter((node) => node instanceof Text).map((node) => node.data);
      measure(element, own.join(''), getComputedStyle(element));
      for (const pseudo of ['::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        const isShown = style.display !== 'none' && style.visibility === 'visible' && style.clipPath === 'none';
        if (isShown && /^"[^"]*[\p{L}\p{N}✓][^"]*"/u.test(style.content)) measure(element, style.content, style);
      }
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
        const value = element.value || element.placeholder;
        measure(element, value, element.value ? getComputedStyle(element) : getComputedStyle(element, '::placeholder'));
      }
    }
  }
  return { pairs, low };
};
