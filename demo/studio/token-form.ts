/** The form of the theme studio: one row for each custom property. */
import { fromSchemes, isValid, schemesOf, type Theme } from './theme-text.ts';
import { tokenGroups, tokens, type Token } from './tokens.ts';

export interface TokenFormOptions {
  supports: (property: string, value: string) => boolean;
  /** Returns the color as `#rrggbb`, which a color input needs. */
  toHex: (color: string) => string;
  /** Returns the color of a property as the preview renders it in a scheme, as `#rrggbb`. Null before there is a preview. */
  rendered: (name: string, scheme: number) => string | null;
  /** Called with a valid value, or with null when the user has emptied the field. */
  onChange: (name: string, value: string | null) => void;
}

const valuesOf = (token: Token, theme: Theme, { rendered }: TokenFormOptions): readonly string[] => {
  const { name, kind, initial } = token;
  const value = theme.get(name);
  if (kind === 'text') return [value ?? initial];
  if (value !== undefined) return kind === 'colors' ? schemesOf(value) : [value];
  return [0, 1].slice(0, kind === 'colors' ? 2 : 1).map((scheme) => rendered(name, scheme) ?? '#000000');
};

const renderInput = (token: Token, index: number, value: string, options: TokenFormOptions): HTMLInputElement => {
  const input = document.createElement('input');
  const isColor = token.kind !== 'text';
  input.type = isColor ? 'color' : 'text';
  input.value = isColor ? options.toHex(value) : value;
  input.name = `${token.name}-${index}`;
  const scheme = index === 0 ? 'light' : 'dark';
  input.setAttribute('aria-label', token.kind === 'colors' ? `${token.label}: ${scheme}` : token.label);
  return input;
};

const renderRow = (token: Token, theme: Theme, options: TokenFormOptions): HTMLElement => {
  const row = document.createElement('div');
  row.className = 'token';
  row.toggleAttribute('data-set', theme.has(token.name));
  const inputs = valuesOf(token, theme, options).map((value, index) => renderInput(token, index, value, options));
  const box = Object.assign(document.createElement('span'), { className: 'inputs' });
  box.append(...inputs);
  box.addEventListener('input', () => {
    const [light = '', dark = light] = inputs.map((input) => input.value.trim());
    const value = fromSchemes(light, dark);
    const isUsable = value === '' || isValid(token.name, value, options.supports);
    for (const input of inputs) input.setAttribute('aria-invalid', String(!isUsable));
    row.toggleAttribute('data-set', isUsable && value !== '');
    if (isUsable) options.onChange(token.name, value || null);
  });
  row.append(Object.assign(document.createElement('span'), { textContent: token.label }), box);
  return row;
};

/** Shows the colors that the theme does not set as the preview renders them: they follow the others. */
export const showRendered = (form: HTMLElement, theme: Theme, options: TokenFormOptions): void => {
  for (const token of tokens) {
    if (token.kind === 'text' || theme.has(token.name)) continue;
    for (const [index, value] of valuesOf(token, theme, options).entries())
      form.querySelector<HTMLInputElement>(`[name="${token.name}-${index}"]`)!.value = value;
  }
};

/** Renders the groups. Those that are open stay open. */
export const renderTokens = (form: HTMLElement, theme: Theme, options: TokenFormOptions): void => {
  const open = new Set([...form.querySelectorAll('details[open]')].map(({ id }) => id));
  form.replaceChildren(
    ...tokenGroups.map(({ title, tokens: own }, index) => {
      const group = Object.assign(document.createElement('details'), { id: `group-${index}` });
      group.open = form.childElementCount === 0 ? index === 0 : open.has(group.id);
      group.append(
        Object.assign(document.createElement('summary'), { textContent: title }),
        ...own.map((token) => renderRow(token, theme, options)),
      );
      return group;
    }),
  );
};
