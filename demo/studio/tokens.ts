/** The custom properties that the theme studio sets, in the order of its form. */

export interface Token {
  /** The name without `--workspace-chat-`. */
  name: string;
  label: string;
  /** `colors` has a value for light pages and one for dark pages. */
  kind: 'color' | 'colors' | 'text';
  /** The CSS property that accepts the same values, for validation. */
  property: string;
  /** The widget's own value, which is shown until the user changes it. */
  initial: readonly string[];
}

export interface TokenGroup {
  title: string;
  tokens: readonly Token[];
}

const colors = (name: string, label: string, light: string, dark = light): Token => ({
  name,
  label,
  kind: 'colors',
  property: 'color',
  initial: [light, dark],
});

const text = (name: string, label: string, property: string, initial: string): Token => ({
  name,
  label,
  kind: 'text',
  property,
  initial: [initial],
});

const accent = '#2f5fd0';
const surface = ['#ffffff', '#17181c'] as const;
const ink = ['#1a1c22', '#eef0f4'] as const;

export const tokenGroups: readonly TokenGroup[] = [
  {
    title: 'Colors',
    tokens: [
      { name: 'accent', label: 'Accent', kind: 'color', property: 'color', initial: [accent] },
      colors('on-accent', 'Text on the accent', '#ffffff'),
      colors('surface', 'Surface', ...surface),
      colors('surface-raised', 'Raised surface', '#ebeef5', '#252a35'),
      colors('text', 'Text', ...ink),
      colors('muted', 'Secondary text', '#5a6070', '#a4abb9'),
      colors('border', 'Lines', '#dfe2e9', '#383c46'),
      colors('info', 'Information', '#1f5aa8', '#8fb8ff'),
      colors('success', 'Success', '#17703f', '#63c98d'),
      colors('warning', 'Warning', '#8a5300', '#edb45c'),
      colors('danger', 'Error', '#b3261e', '#ff938a'),
    ],
  },
  {
    title: 'Header and messages',
    tokens: [
      colors('header', 'Header', ...surface),
      colors('on-header', 'Text in the header', ...ink),
      colors('visitor-bubble', 'Visitor’s bubble', accent),
      colors('on-visitor-bubble', 'Visitor’s text', '#ffffff'),
      colors('agent-bubble', 'Agent’s bubble', '#ebeef5', '#252a35'),
      colors('on-agent-bubble', 'Agent’s text', ...ink),
      colors('backdrop', 'Behind a full-screen panel', ...surface),
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
