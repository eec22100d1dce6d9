import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostToShow, safeUrl } from '../../../src/markdown/url.ts';
import { limit } from '../../support/time-limits.ts';

it('accepts web, mail and telephone URLs in the form that the browser reads', () => {
  assert.equal(safeUrl('https://example.com'), 'https://example.com/');
  assert.equal(safeUrl('HTTP://Example.COM/a b?q=1#f'), 'http://example.com/a%20b?q=1#f');
  assert.equal(safeUrl('mailto:help@example.com?subject=Hi'), 'mailto:help@example.com?subject=Hi');
  assert.equal(safeUrl('tel:+966-11-555-0100'), 'tel:+966-11-555-0100');
  assert.equal(safeUrl('  https://example.com/path  '), 'https://example.com/path');
  assert.equal(safeUrl('https://مثال.com/'), 'https://xn--mgbh0fb.com/');
  assert.equal(safeUrl('https://[2001:db8::1]:8443/x'), 'https://[2001:db8::1]:8443/x');
});

it('rejects schemes that run, read or embed content, however they are written', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript://https://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'ftp://example.com/',
    'intent://example.com#Intent;end',
    'view-source:https://example.com',
    'ws://example.com',
    'sms:+15555550100',
  ])
    assert.equal(safeUrl(url), null, url);
});

it('rejects relative references instead of resolving them against the page', () => {
  for (const url of [
    '',
    ' ',
    '#',
    '#x',
    '/',
    '/admin',
    '//evil.example',
    '../x',
    'page.html',
    '?q',
    'https:',
    'https:foo',
    'https:/foo',
    'https:\\\\evil.example',
    'example.com',
  ])
    assert.equal(safeUrl(url), null, url);
});

it('rejects URLs with credentials or control characters', () => {
  for (const url of [
    'https://user@evil.example/',
    'https://user:secret@evil.example/',
    'https://:secret@evil.example/',
    'https://bank.example%2f@evil.example/',
    'https://exa\u0000mple.com',
    'https://example.com/\u007f',
    'https://example.com/\u0085',
    'https://example.com/\r\nSet-Cookie:x',
    'mailto:a@example.com\nbcc:b@example.com',
  ])
    assert.equal(safeUrl(url), null, JSON.stringify(url));
});

it('rejects text that is not a URL', () => {
  for (const url of ['https://', 'https://exa mple.com', 'https://[', 'https://example.com:99999/'])
    assert.equal(safeUrl(url), null, url);
});

it('ignores a backslash that would change the host', () => {
  assert.equal(new URL(safeUrl('https://good.example\\@evil.example/') ?? '').host, 'good.example');
});

const privateUrls = [
  'http://localhost:3000/',
  'http://LOCALHOST./',
  'https://api.localhost/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/admin?reboot=1',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://printer.local/',
  'http://wiki.corp.internal/',
];

it('rejects loopback and private hosts on a public page', () => {
  for (const url of privateUrls) assert.equal(safeUrl(url, 'shop.example'), null, url);
});

it('accepts loopback and private hosts on a page that is served from one', () => {
  for (const page of ['localhost', '127.0.0.1', '192.168.0.7', '[::1]', 'shop.local'])
    for (const url of privateUrls) assert.equal(safeUrl(url, page), new URL(url).href, `${url} on ${page}`);
});

it('accepts public hosts that look like private ones', () => {
  for (const url of [
    'http://11.0.0.1/',
    'http://172.32.0.1/',
    'http://192.169.0.1/',
    'http://10.example.com/',
    'http://localhost.example.com/',
    'http://my-local/',
    'http://[2001:db8::1]/',
    'http://[fc::1]/',
  ])
    assert.equal(safeUrl(url, 'shop.example'), url);
});

it('accepts only digits, spaces, hyphens and a plus sign in telephone numbers', () => {
  assert.equal(safeUrl('tel:+968 24 12-34'), 'tel:+968 24 12-34');
  for (const url of ['tel:*21*12345#', 'tel:%2A21%2A12345%23', 'tel:123,,4', 'tel:123;ext=4', 'tel:', 'tel:abc'])
    assert.equal(safeUrl(url), null, url);
});

it('keeps only the recipients and the subject of a mail', () => {
  assert.equal(
    safeUrl('mailto:a@example.com?cc=b@c.example&Subject=Hi%20there&body=x&bcc=d@e.example&attach=/etc/passwd'),
    'mailto:a@example.com?Subject=Hi%20there',
  );
  assert.equal(safeUrl('mailto:?to=a@example.com&%62cc=b@c.example'), 'mailto:?to=a@example.com');
  assert.equal(safeUrl('mailto:a@example.com?body=x'), 'mailto:a@example.com');
  assert.equal(safeUrl('mailto:a@example.com?subject=Hi%0D%0ABcc:b@c.example'), null);
});

const hostOf = (text: string, hosts = '', url = 'https://shop.example/x') => hostToShow(text, url, hosts);

it('shows the host of a link whose text names another host', () => {
  for (const text of [
    'bank.example',
    'https://bank.example/login',
    'Go to BANK.example now',
    'shop.example.bank.example',
    'notshop.example',
    'https://shop.example@bank.example',
    'sh\u200bop.example',
    'بنك.com',
  ])
    assert.equal(hostOf(text), 'shop.example', text);
  assert.equal(hostOf('help@bank.example', '', 'mailto:x@evil.example'), 'evil.example');
  assert.equal(hostOf('bank.example', '', 'tel:+968 24'), '+968 24');
  for (const url of [
    'mailto:x@evil.example,a@bank.example',
    'mailto:a@bank.example,x@evil.example',
    'mailto:a@bank.example?subject=Hi&To=x@evil.example',
    'mailto:?to=x@evil.example',
  ])
    assert.equal(hostOf('a@bank.example', '', url), 'evil.example', url);
  assert.equal(hostOf('a@bank.example', '', 'mailto:a@bank.example?subject=to@evil.example'), null);
  assert.equal(hostOf('', '', 'mailto:a@bank.example,x@evil.example'), 'bank.example');
});

it('shows the host of each recipient of a mail, however its address is written', () => {
  for (const separator of ['%2C', ';', '%3b'])
    assert.equal(hostOf('a@bank.example', '', `mailto:x@evil.example${separator}a@bank.example`), 'evil.example');
  for (const url of ['mailto:a%40bank.example', 'mailto:a@Bank.Example', 'mailto:A@bank.example;b@bank.example'])
    assert.equal(hostOf('a@bank.example', '', url), null, url);
  assert.equal(hostOf('a@متجر.example', '', 'mailto:a@متجر.example'), null);
  assert.equal(hostOf('', '', 'mailto:a@متجر.example'), new URL('https://متجر.example').host);
  assert.equal(hostOf('a@bank.example', '', 'mailto:x%@evil.example'), 'evil.example');
});

it('shows no host beside an address of the link’s own host, whatever its path names', () => {
  for (const text of [
    'https://shop.example/index.php',
    'HTTPS://Shop.Example:443/a/list.aspx?next=bank.example',
    'shop.example/logo.png',
    'https://shop.example/@team/index.php?mail=a@bank.example',
  ])
    assert.equal(hostOf(text), null, text);
  for (const text of [
    'https://bank.example/shop.example',
    'https://bank.example@shop.example/',
    'https://:bank.example@shop.example/',
    'https://shop.example/ bank.example',
    'https://shop.example/\u202bbank.example',
    'shop.example.bank.example/index.php',
  ])
    assert.equal(hostOf(text), 'shop.example', text);
  // Characters of a host that look like the end of one.
  for (const character of ['⁄', '∕', '⧸', '։', '‐', '︕']) {
    const url = `https://bank.example${character}login.shop.example/index.php`;
    assert.equal(hostOf(url, '', url), new URL(url).host, url);
  }
});

it('shows the host of a link whose text is empty or invisible', () => {
  for (const text of ['', ' ', '\u200b\u200d', '\u00a0', '\u2066\u2069', '\u3164', '\u2800', '\u{e0020}'])
    assert.equal(hostOf(text), 'shop.example', JSON.stringify(text));
});

it('shows no host for a link whose text names its own host, a file, or nothing', () => {
  for (const text of [
    'Our shop',
    'shop.example',
    'www.shop.example',
    'SHOP.example/x',
    'guide.pdf',
    'v1.2.3',
    '…',
    '🛍️',
  ])
    assert.equal(hostOf(text), null, text);
  assert.equal(hostOf('shop.example', '', 'https://help.shop.example/'), null);
  assert.equal(hostOf('a@b.example', '', 'mailto:a@b.example'), null);
  assert.equal(hostOf('مثال.com', '', 'https://xn--mgbh0fb.com/'), null);
});

it('shows the host of a link to a host that is not in the list of hosts', () => {
  assert.equal(hostOf('Visit', 'other.example Shop.example'), null);
  assert.equal(hostOf('Visit', 'other.example'), 'shop.example');
  assert.equal(hostOf('Visit', 'example'), 'shop.example');
  assert.equal(hostOf('Write', 'other.example', 'mailto:a@b.example'), null);
  assert.equal(hostOf('Visit', 'متجر.example', 'https://متجر.example/x'), null);
  assert.equal(hostOf('Visit', 'shop.example:443'), null);
  for (const wrong of ['https://shop.example', '@ : /', 'shop.example:8443'])
    assert.equal(hostOf('Visit', wrong), 'shop.example', wrong);
});

it('examines a long text in linear time', () => {
  const started = performance.now();
  for (const text of ['a'.repeat(200_000), 'a.'.repeat(100_000), '-.'.repeat(100_000), 'a.b '.repeat(50_000)])
    hostOf(text);
  assert.ok(performance.now() - started < limit(2000));
});
