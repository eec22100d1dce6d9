/** The only Latin words in the Arabic sentences of the widget: examples and the name of a technology, each isolated. */
export const latinWords: readonly string[] = ['name@example.com', '+968 9212 3456', 'Wi‑Fi'];
