/** The custom properties that the theme studio sets, in the order of its form. */

export interface Token {
  /** The name without `--workspace-chat-`. */
  name: string;
  label: string;
  /** `colors` has a value for light pages and one for dark pages. */
  kind: 'color' | 'colors' | 'text';
  /** The CSS property that accepts the same values, for validation. */
  property: string;
  /** The widget's own value of a text, which is shown until the user changes it. Colors are those that the preview renders. */
  initial: string;
}

export interface TokenGroup {
  title: string;
  tokens: readonly Token[];
}

const colors = (name: string, label: string): Token => ({
  name,
  label,
  kind: 'colors',
  property: 'color',
  initial: '',
});

const text = (name: string, label: string, property: string, initial: string): Token => ({
  name,
  label,
  kind: 'text',
  property,
  initial,
});

export const tokenGroups: readonly TokenGroup[] = [
  {
    title: 'Colors',
    tokens: [
      { name: 'accent', label: 'Accent', kind: 'color', property: 'color', initial: '' },
      colors('on-accent', 'Text on the accent'),
      colors('surface', 'Surface'),
      colors('surface-raised', 'Raised surface'),
      colors('text', 'Text'),
      colors('muted', 'Secondary text'),
      colors('border', 'Lines'),
      colors('info', 'Information'),
      colors('success', 'Success'),
      colors('warning', 'Warning'),
      colors('danger', 'Error'),
    ],
  },
  {
    title: 'Header and messages',
    tokens: [
      colors('header', 'Header'),
      colors('on-header', 'Text in the header'),
      colors('visitor-bubble', 'Visitor’s bubble'),
      colors('on-visitor-bubble', 'Visitor’s text'),
      colors('agent-bubble', 'Agent’s bubble'),
      colors('on-agent-bubble', 'Agent’s text'),
      colors('backdrop', 'Behind a full-screen panel'),
    ],
  },
  {
    title: 'Corners',
    tokens: [
      text('radius', 'Corners', 'border-radius', '1.125em'),
      text('button-radius', 'Corners of buttons', 'border-radius', '1.125em'),
      text('field-radius', 'Corners of fields', 'border-radius', '1.125em'),
      text('bubble-radius', 'Corners of bubbles', 'border-radius', '1.125em'),
      text('launcher-radius', 'Corners of the launcher', 'border-radius', '10em'),
    ],
  },
  {
    title: 'Type, size and place',
    tokens: [
      text('font', 'Font', 'font-family', 'system-ui, sans-serif'),
      text('font-size', 'Font size', 'font-size', 'medium'),
      text('space', 'Space', 'padding', '1em'),
      text('width', 'Width of the panel', 'width', '25em'),
      text('height', 'Height of the panel', 'height', '42em'),
      text('offset-x', 'Distance to the side', 'padding', '1.25em'),
      text('offset-y', 'Distance to the bottom', 'padding', '1.25em'),
      text('launcher-size', 'Size of the launcher', 'width', '3.5em'),
      text('z-index', 'Stacking order with layer="page"', 'z-index', '1000'),
      text('shadow', 'Shadow', 'box-shadow', '0 1em 3em rgb(15 20 40 / 18%)'),
      text('motion', 'Motion, 0 to 1', 'opacity', '1'),
    ],
  },
];

export const tokens: readonly Token[] = tokenGroups.flatMap((group) => group.tokens);
