/** Why a source failed, in a sentence for its owner. The API has the code only. */

const sentences: Readonly<Record<string, string>> = {
  not_text: 'This is not a text file. Save a spreadsheet as CSV, and a document as plain text or Markdown.',
  not_csv:
    'This is not a spreadsheet in CSV. Publish or save the sheet as CSV; a link that needs a sign-in returns a web page.',
  bad_encoding: 'Some characters of the file are lost. Save the file as UTF-8 and add it again.',
  empty: 'There is no text in it. A spreadsheet needs a row of headings, and rows below them.',
  too_complex: 'It is too large or too complex. Split it into smaller parts.',
  plan_text_limit: 'It has more characters than the plan still allows.',
  indexing_failed: 'It could not be indexed because of a problem of the service. Add it again.',
  timeout: 'Its server took too long to respond.',
  unresolved: 'Its server was not found.',
  unreachable: 'Its server did not respond.',
  private_address: 'Its server has no public address.',
  too_large: 'It is larger than 3 MB.',
};

/** Returns null for a source that did not fail. */
export const sourceProblem = (code: string | null): string | null => {
  if (code === null) return null;
  const status = /^http_status_(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return `Its server responded with the status ${status}.`;
  return sentences[code] ?? 'It could not be read.';
};
