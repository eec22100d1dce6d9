/** The payloads: those of the public lists, those of the unit tests, and generated ones, by class. */
import { payloads as markdownPayloads } from '../browser/markdown/payloads.ts';
import { lists, loadList } from './lists.ts';

export const classes = ['HTML', 'URLs', 'Markdown', 'styles', 'templates and names', 'odd text'] as const;
export type PayloadClass = (typeof classes)[number];

/** How a browser, a decoder or a filter may read the name of a scheme differently. */
const disguises: readonly ((scheme: string) => string)[] = [
  (scheme) => scheme,
  (scheme) => scheme.toUpperCase(),
  (scheme) => scheme.replace(/./g, (letter, index: number) => (index % 2 ? letter : letter.toUpperCase())),
  (scheme) => ` \t\n${scheme}`,
  (scheme) => `\u0001${scheme}`,
  (scheme) => `\u00a0\u200b\ufeff${scheme}`,
  (scheme) => `${scheme.slice(0, 4)}\t${scheme.slice(4)}`,
  (scheme) => `${scheme.slice(0, 4)}\r\n${scheme.slice(4)}`,
  (scheme) => `${scheme.slice(0, 4)}\u0000${scheme.slice(4)}`,
  (scheme) => `&#${scheme.charCodeAt(0)};${scheme.slice(1)}`,
  (scheme) => `&#x${scheme.charCodeAt(0).toString(16)}${scheme.slice(1)}`,
  (scheme) => scheme.replace(':', '&colon;'),
  (scheme) => scheme.replace(':', '%3A'),
  (scheme) => scheme.replace(':', '\uff1a'),
  (scheme) => `view-source:${scheme}`,
  (scheme) => `feed:${scheme}`,
  (scheme) => `https://a.example\\@${scheme}`,
];

const targets = [
  'javascript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg/onload=alert(1)>',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  'filesystem:https://a.example/temporary/x.html',
  'intent://a.example#Intent;scheme=https;end',
  'ms-msdt:/id x',
  'about:blank',
  '//evil.example/x',
  '\\\\evil.example\\x',
  'https://user:password@evil.example/',
  'http://127.0.0.1:80/admin',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://0x7f000001/',
];

const memberNames = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype).slice(0, 12),
  'prototype',
  'then',
  'toJSON',
  'innerHTML',
  'outerHTML',
  'srcdoc',
  'attributes',
  'parentNode',
  'firstChild',
  'nextSibling',
  'remove',
  'appendChild',
  'ownerDocument',
  'cookie',
  'location',
  'window',
  'submit',
  'elements',
  'action',
  'nodeName',
  'shadowRoot',
];

const templates = [
  '${alert(1)}',
  '${{alert(1)}}',
  '#{alert(1)}',
  '<%= alert(1) %>',
  '{{constructor.constructor("alert(1)")()}}',
  "{{'a'.constructor.prototype.charAt=[].join;$eval('x=alert(1)')}}",
  '@(alert(1))',
  '[[${alert(1)}]]',
  '<!--?lit$0$-->',
  '<?lit$1$>',
  '{{{html}}}',
  '__proto__[polluted]=1',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
];

const styles = [
  '</style><script>alert(1)</script>',
  '*{background:url(https://evil.example/)}',
  '@import "https://evil.example/x.css";',
  'red;background:url(https://evil.example/)',
  'red}*{display:none}',
  'expression(alert(1))',
  'url("javascript:alert(1)")',
  '" style="position:fixed;inset:0;background:url(https://evil.example/)',
  "' style='behavior:url(https://evil.example/x.htc)",
  'var(--_accent);background:image-set("https://evil.example/" 1x)',
  '\\65xpression(alert(1))',
  '</style/><img src=x onerror=alert(1)>',
];

const oddTexts = [
  '\u202eevil\u202c',
  '\u2066\u2067\u2068\u2069',
  '\u200e\u200f\u061c',
  '\ud800',
  '\udfff\ud800',
  '\uffff\ufffe',
  '\u0000\u0001\u0002\u007f\u0080\u009f',
  '\u2028\u2029',
  '\ufeff\u200b\u200c\u200d\u2060',
  `Z${'\u0335\u0321\u0349'.repeat(200)}`,
  '👩‍👩‍👧‍👦'.repeat(200),
  'ﷺ﷽'.repeat(100),
  'A'.repeat(2_000),
  '['.repeat(500),
  '> '.repeat(200),
  '*_`~'.repeat(200),
  '|a'.repeat(200),
  '&'.repeat(500),
  '𒐫'.repeat(500),
  '١٢٣'.repeat(500),
];

const names: readonly [pattern: RegExp, name: PayloadClass][] = [
  [/expression\(|@import|style\s*=|<style|behavior:|background(?:-image)?:/i, 'styles'],
  [/<[a-z!/?%]|&lt;|&#x?3c|\bon\w{3,}\s*=|%3c|\\x3c|\\u003c|"\s*>/i, 'HTML'],
  [/\]\(|\]:|!\[|```|^\s*<\w+:/, 'Markdown'],
  [/\{\{|\$\{|<%|__proto__|constructor|prototype/, 'templates and names'],
  [/^\W*(?:j\s*a\s*v\s*a|vbscript|data:|file:|https?:|\/\/|\\\\)|script:|:\/\//i, 'URLs'],
];

const classOf = (payload: string): PayloadClass => names.find(([pattern]) => pattern.test(payload))?.[1] ?? 'odd text';

export interface Payload {
  readonly text: string;
  readonly kind: PayloadClass;
  /** Whether it is in the smaller selection for the positions that need a turn for each payload: all but nine of ten listed ones. */
  readonly isSelected: boolean;
}

/** Returns every payload once. */
export const loadPayloads = async (): Promise<Payload[]> => {
  const listed = (await Promise.all(lists.map(loadList))).flat();
  const generated: readonly [PayloadClass, readonly string[]][] = [
    ['URLs', targets.flatMap((target) => disguises.map((disguise) => disguise(target)))],
    ['templates and names', [...memberNames, ...templates]],
    ['styles', styles],
    ['odd text', oddTexts],
  ];
  const found = new Map<string, Payload>();
  const add = (text: string, kind: PayloadClass, isSelected = true) => {
    if (text.trim() !== '' && !found.has(text)) found.set(text, { text, kind, isSelected });
  };
  for (const [kind, texts] of generated) for (const text of texts) add(text, kind);
  for (const text of markdownPayloads) add(text, classOf(text));
  for (const [index, text] of listed.entries()) add(text, classOf(text), index % 10 === 0);
  return [...found.values()];
};
