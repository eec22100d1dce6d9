/** Texts of mixed direction: see `about` in the data file. */
import data from './mixed-direction.json' with { type: 'json' };

export const mixedTexts: readonly string[] = data.texts;

export const withoutMarks = (text: string): string => text.replaceAll(/[⟦⟧⟪⟫⟨⟩]/g, '');
