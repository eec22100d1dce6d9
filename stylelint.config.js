/** One rule that matters: nothing knows left from right, so that Arabic needs no styles of its own. */
const physical = '(?:top|right|bottom|left)';

export default {
  overrides: [{ files: ['**/*.ts'], customSyntax: 'postcss-lit' }],
  rules: {
    'block-no-empty': true,
    'color-no-invalid-hex': true,
    'declaration-block-no-duplicate-properties': true,
    'no-duplicate-selectors': true,
    'property-disallowed-list': [
      [
        `/^${physical}$/`,
        `/^(?:margin|padding|scroll-margin|scroll-padding)-${physical}$/`,
        `/^border-${physical}/`,
        '/^border-(?:top|bottom)-(?:left|right)-radius$/',
        '/^(?:min-|max-)?(?:width|height)$/',
        'float',
        'clear',
      ],
      { message: 'Use the logical property, so that it works from right to left too.' },
    ],
    'selector-disallowed-list': [
      [
        '/(?:transcript|\\.scroller|\\.messages|\\.pages?|\\.panel|:host|:root)\\S*:has\\((?!\\s*>)/',
        '/:has\\(.*:not\\(/',
        '/:(?:first|last|only|nth)-[\\w-]+(?:\\([^)]*\\))?\\s*[\\s>]\\s*[*:](?!is\\()/',
      ],
      {
        message:
          'Such a selector makes the browser compute the styles of whole replies again. Name the element behind :last-child, and set a class in place of :has() with :not(), or on an element that contains the transcript.',
      },
    ],
    'declaration-property-value-disallowed-list': {
      'text-align': ['left', 'right'],
      transition: ['/\\b(?:left|right|width|height)\\b/'],
    },
  },
};
