/** The form of the theme studio: one row for each custom property. */
import { fromSchemes, isValid, schemesOf, type Theme } from './theme-text.ts';
import { tokenGroups, type Token } from './tokens.ts';

export interface TokenFormOptions {
  supports: (property: string, value: string) => boolean;
  /** Returns the color as `#rrggbb`, which a color input needs. */
  toHex: (color: string) => string;
  /** Called with a valid value, or with null when the user has emptied the field. */
  onChange: (name: string, value: string | null) => void;
}

const valuesOf = ({ name, kind, initial }: Token, theme: Theme): readonly string[] => {
  const value = theme.get(name);
  if (value === undefined) return initial;
  return kind === 'colors' ? schemesOf(value) : [value];
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
  const inputs = valuesOf(token, theme).map((value, index) => renderInput(token, index, value, options));
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

/** Renders the groups. Those that are open stay open. */
export const renderTokens = (form: HTMLElement, theme: Theme, options: TokenFormOptions): void => {
  const open = new Set([...form.querySelectorAll('details[open]')].map(({ id }) => id));
  form.replaceChildren(
    ...tokenGroups.map(({ title, tokens }, index) => {
      const group = Object.assign(document.createElement('details'), { id: `group-${index}` });
      group.open = form.childElementCount === 0 ? index === 0 : open.has(group.id);
      group.append(
        Object.assign(document.createElement('summary'), { textContent: title }),
        ...tokens.map((token) => renderRow(token, theme, options)),
      );
      return group;
    }),
  );
};
