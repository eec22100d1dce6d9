/** Finds reference numbers in a text, for example order numbers: 1042, PC-1042, #PC1042, A17-B. */
const maxLength = 24;

/** Returns runs of letters and digits, joined by hyphens, that contain a digit and no word of five letters or more. */
export const referenceNumbers = (text: string): string[] => {
  const european = text.replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));
  const runs = european.match(/[A-Za-z\d]+(?:-[A-Za-z\d]+)*/g) ?? [];
  return runs.filter((run) => run.length >= 2 && run.length <= maxLength && /\d/.test(run) && !/[A-Za-z]{5}/.test(run));
};

/** Whether a reference number has the form of a date, for example 2026-11-20 or 20-11-2026. */
export const isDateNumber = (reference: string): boolean => {
  return /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})$/.test(reference);
};
