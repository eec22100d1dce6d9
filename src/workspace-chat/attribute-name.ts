/** Returns the attribute of a property: `base-url` for `baseUrl`. */
export const attributeName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
