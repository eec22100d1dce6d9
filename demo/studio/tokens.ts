/** The custom properties that the theme studio sets, in the order of its form. */

export interface Token {
  /** The name without `--workspace-chat-`. */
  name: string;
  label: string;
  /** `colours` has a value for light pages and one for dark pages. */
  kind: 'colour' | 'colours' | 'text';
  /** The CSS property that accepts the same values, for validation. */
  property: string;
  /** The widget's own value, which is shown until the user changes it. */
  initial: readonly string[];
}

export interface TokenGroup {
  title: string;
  tokens: readonly Token[];
}

const colours = (name: string, label: string, light: string, dark = light): Token => ({
  name,
  label,
  kind: 'colours',
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
    title: 'Colours',
    tokens: [
      { name: 'accent', label: 'Accent', kind: 'colour', property: 'color', initial: [accent] },
      colours('on-accent', 'Text on the accent', '#ffffff'),
      colours('surface', 'Surface', ...surface),
      colours('surface-raised', 'Raised surface', '#ebeef5', '#252a35'),
      colours('text', 'Text', ...ink),
      colours('muted', 'Secondary text', '#5a6070', '#a4abb9'),
      colours('border', 'Lines', '#dfe2e9', '#383c46'),
      colours('info', 'Information', '#1f5aa8', '#8fb8ff'),
      colours('success', 'Success', '#17703f', '#63c98d'),
      colours('warning', 'Warning', '#8a5300', '#edb45c'),
      colours('danger', 'Error', '#b3261e', '#ff938a'),
    ],
  },
  {
    title: 'Header and messages',
    tokens: [
      colours('header', 'Header', ...surface),
      colours('on-header', 'Text in the header', ...ink),
      colours('visitor-bubble', 'Visitor’s bubble', accent),
      colours('on-visitor-bubble', 'Visitor’s text', '#ffffff'),
      colours('agent-bubble', 'Agent’s bubble', '#ebeef5', '#252a35'),
      colours('on-agent-bubble', 'Agent’s text', ...ink),
      colours('backdrop', 'Behind a full-screen panel', ...surface),
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
