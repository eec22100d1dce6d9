/** Autolinks in angle brackets. */
import { matchAt } from './link-syntax.ts';
import type { Link } from './syntax-tree.ts';

const anglePattern =
  // oxlint-disable-next-line no-control-regex
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>\0-\x20]*)|([\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?=[a-z\d])|(?=>)))+))>/iy;

/** Parses the autolink in angle brackets at `position`. */
export const angleLink = (text: string, position: number): { link: Link; end: number } | null => {
  const match = matchAt(anglePattern, text, position);
  if (!match) return null;
  const address = (match[1] ?? match[2])!;
  const url = match[1] ? address : `mailto:${address}`;
  return { link: { type: 'link', url, children: [address] }, end: anglePattern.lastIndex };
};
