/** GFM's autolinks of e-mail addresses. Loaded with the first text that has an address: see `text-runs.ts`. */
import type { Inline } from './syntax-tree.ts';

// The local part has a maximum length, so that a long word does not cost quadratic time.
const emailPattern = /(?<![\w.+-])[\w.+-]{1,64}@[a-z\d][\w-]*(?:\.[\w-]+)+/gi;

/** Links the e-mail addresses in a string. */
const linkEmails = (text: string): Inline[] => {
  const parts: Inline[] = [];
  let done = 0;
  for (const { 0: address, index } of text.matchAll(emailPattern)) {
    if (/[-_]$/.test(address)) continue;
    parts.push(text.slice(done, index), { type: 'link', url: `mailto:${address}`, children: [address], bare: true });
    done = index + address.length;
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
};

/** Links the e-mail addresses in the text of inline content. */
export const withEmailLinks = (content: Inline[]): Inline[] => {
  return content.flatMap((part): Inline | Inline[] => {
    if (typeof part === 'string') return part.includes('@') ? linkEmails(part) : part;
    return 'children' in part && part.type !== 'link' ? { ...part, children: withEmailLinks(part.children) } : part;
  });
};
